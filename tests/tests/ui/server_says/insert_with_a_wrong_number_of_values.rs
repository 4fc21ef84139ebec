fn main() {
    ark_mysql::query!("INSERT INTO orders (user_id, total) VALUES (?)", 1);
}
