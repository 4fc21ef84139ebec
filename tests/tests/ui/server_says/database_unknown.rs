fn main() {
    ark_mysql::query!("SELECT name FROM no_such_database.users");
}
