fn main() {
    let pairs = [(1, "a")];
    ark_mysql::query!("SELECT age FROM users WHERE (id, name) IN ((?, ?)) AND age = ?", ..pairs);
}
