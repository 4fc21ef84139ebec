fn main() {
    ark_mysql::query!("SELECT name FORM users");
}
