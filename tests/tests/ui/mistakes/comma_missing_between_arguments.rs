fn main() {
    ark_mysql::query!("SELECT name FROM users WHERE id = ? AND age > ?", 1 18);
}
