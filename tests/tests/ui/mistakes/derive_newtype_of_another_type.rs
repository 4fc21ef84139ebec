#[derive(ark_mysql::Type)]
struct UserId(u32);

fn main() {
    let name = ark_mysql::query_scalar!("SELECT name AS `name: UserId` FROM users");
    ark_mysql::query!("SELECT id FROM users WHERE name = ?", UserId(1));
    drop(name);
}
