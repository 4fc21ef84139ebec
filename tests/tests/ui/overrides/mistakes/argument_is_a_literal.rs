#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct UserId(u32);

#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct OrderId(u64);

fn main() {
    let _ = ark_mysql::query!("SELECT name FROM users WHERE id = ?", 7);
}
