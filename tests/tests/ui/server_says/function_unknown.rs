fn main() {
    ark_mysql::query!("SELECT no_such_function(name) AS n FROM users");
}
