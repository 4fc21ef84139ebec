fn main() {
    ark_mysql::query!(b"SELECT name FROM users");
}
