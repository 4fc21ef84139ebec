fn main() {
    ark_mysql::query!("SELECT id AS `id: String` FROM users");
}
