fn main() {
    ark_mysql::query!("SELECT row_number, name FROM users");
}
