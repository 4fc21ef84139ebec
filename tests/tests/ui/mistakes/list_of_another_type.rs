fn main() {
    let ids = vec!["1", "2"];
    ark_mysql::query!("SELECT name FROM users WHERE id IN (?)", ..ids);
}
