fn main() {
    ark_mysql::query!("SELECT id AS `id: [u8; { panic!() }]` FROM users");
}
