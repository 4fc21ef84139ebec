fn main() {
    ark_mysql::query!("SELECT 1 FROM users");
}
