fn main() {
    ark_mysql::query!("SELECT id AS `id!:` FROM users");
}
