fn main() {
    let _ = ark_mysql::query!("SELECT id, name FROM users");
}
