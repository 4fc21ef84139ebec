fn main() {
    let pairs = [(1, "a")];
    ark_mysql::query!("SELECT name FROM users WHERE id IN (?)", ..pairs);
}
