fn main() {
    ark_mysql::query!("SELECT id AS `user-id` FROM users");
}
