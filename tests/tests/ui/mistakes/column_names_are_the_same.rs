fn main() {
    ark_mysql::query!("SELECT users.id, orders.id, name FROM users JOIN orders ON orders.user_id = users.id");
}
