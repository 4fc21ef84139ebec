fn main() {
    let id = 1;
    ark_mysql::query!("SELECT name FROM users WHERE id = {id}");
}
