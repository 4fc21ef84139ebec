fn main() {
    ark_mysql::query!("SELECT name FROM users WHERE id = ? AND age > :age", 1, age = 18);
}
