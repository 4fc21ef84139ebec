fn main() {
    ark_mysql::query!("SELECT name FROM users WHERE id = :id", id = 1, age = 2);
}
