fn main() {
    ark_mysql::query!("DELETE FROM users WHERE id IN (SELECT user_id FROM orders ORDER BY total LIMIT 5)");
}
