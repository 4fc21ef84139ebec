#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct UserId(u32);

#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct OrderId(u64);

fn main() {
    let _ = (UserId(1), OrderId(1));
    let _ = ark_mysql::query_as!(u32, "SELECT id FROM users");
}
