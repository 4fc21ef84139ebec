#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct UserId(u32);

#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct OrderId(u64);

#[derive(Debug)]
struct User {
    id: u32,
    name: String,
}

fn main() {
    let _ = (UserId(1), OrderId(1));
    let _ = ark_mysql::query_as!(User, "SELECT id, name FROM users");
}
