fn main() {
    ark_mysql::query!("SELECT id FROM users u WHERE u.nmae = :name", name = "Ann");
}
