fn main() {
    ark_mysql::query!("SELECT id AS `id: not a type` FROM users");
}
