fn main() {
    ark_mysql::query_file!("SELECT name FROM users");
}
