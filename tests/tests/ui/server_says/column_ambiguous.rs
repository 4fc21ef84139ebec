fn main() {
    ark_mysql::query!("SELECT id FROM users JOIN orders ON orders.user_id = users.id");
}
