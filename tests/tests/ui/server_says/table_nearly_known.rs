fn main() {
    ark_mysql::query!("SELECT id FROM user");
}
