fn main() {
    ark_mysql::query!("SELECT email AS `email?: u8` FROM users");
}
