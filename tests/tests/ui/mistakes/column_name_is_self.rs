fn main() {
    ark_mysql::query!("SELECT id AS self FROM users");
}
