fn main() {
    ark_mysql::query!("SELECT id AS order FROM users");
}
