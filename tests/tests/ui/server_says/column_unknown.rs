fn main() {
    ark_mysql::query!("SELECT id, nmae FROM users");
}
