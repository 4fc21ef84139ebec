#[derive(ark_mysql::Type)]
struct UserId(u32);

fn main() {
    let name = ark_mysql::query_scalar!("SELECT name AS `name: UserId` FROM users");
    drop((name, UserId(1)));
}
