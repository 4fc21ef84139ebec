#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct UserId(u32);

#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct OrderId(u64);

fn main() {
    let id = OrderId(7);
    let _ = ark_mysql::query!("SELECT name FROM users WHERE id = ?", id);
}
