fn main() {
    ark_mysql::query!("DELETE FROM orders; DELETE FROM users");
}
