fn main() {
    ark_mysql::query!("SELECT id::text AS id FROM users");
}
