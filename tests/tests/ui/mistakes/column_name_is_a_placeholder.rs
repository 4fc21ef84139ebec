fn main() {
    ark_mysql::query!("SELECT ? FROM users", 1);
}
