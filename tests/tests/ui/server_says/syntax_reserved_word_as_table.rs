fn main() {
    ark_mysql::query!("SELECT name FROM order");
}
