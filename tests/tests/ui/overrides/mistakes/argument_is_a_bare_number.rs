#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct UserId(u32);

#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct OrderId(u64);

fn main() {
    let id: u32 = UserId(7).0 + OrderId(1).0 as u32;
    let _ = ark_mysql::query!("SELECT name FROM users AS u WHERE u.id = ?", id);
}
