#[derive(ark_mysql::Type)]
struct UserId(u16);

fn main() {
    let _ = ark_mysql::query!("SELECT id, name FROM users");
}
