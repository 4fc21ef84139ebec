fn main() {
    ark_mysql::query!("SELECT o.id FROM users u JOIN orders o ON o.userid = u.id");
}
