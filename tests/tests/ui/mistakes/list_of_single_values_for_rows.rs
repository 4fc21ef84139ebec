fn main() {
    let ids = [1, 2];
    ark_mysql::query!("SELECT age FROM users WHERE (id, name) IN ((?, ?))", ..ids);
}
