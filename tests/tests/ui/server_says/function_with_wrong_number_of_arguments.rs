fn main() {
    ark_mysql::query!("SELECT LPAD(name) AS n FROM users");
}
