#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct UserId(u32);

#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct OrderId(u64);

fn main() {
    let _ = UserId(1);
    let id = OrderId(7);
    let _ = ark_mysql::query!("SELECT x.name FROM (SELECT id AS number, name FROM users) AS x WHERE x.number = ?", id);
}
