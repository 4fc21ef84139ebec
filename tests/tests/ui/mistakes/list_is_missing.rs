fn main() {
    ark_mysql::query!("SELECT name FROM users WHERE id IN (?)", ..);
}
