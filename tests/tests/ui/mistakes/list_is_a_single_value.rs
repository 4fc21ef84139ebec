fn main() {
    let id = 1u32;
    ark_mysql::query!("SELECT name FROM users WHERE id IN (?)", ..id);
}
