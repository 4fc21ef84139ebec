fn main() {
    ark_mysql::query!("SELECT COUNT(*), MAX(id) FROM users");
}
