fn main() {
    ark_mysql::query_scalar!("DELETE FROM users");
}
