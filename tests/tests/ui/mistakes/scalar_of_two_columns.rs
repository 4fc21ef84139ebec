fn main() {
    ark_mysql::query_scalar!("SELECT id, name FROM users");
}
