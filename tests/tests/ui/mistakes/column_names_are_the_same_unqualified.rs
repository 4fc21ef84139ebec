fn main() {
    ark_mysql::query!("SELECT id, name, id FROM users WHERE id > 3");
}
