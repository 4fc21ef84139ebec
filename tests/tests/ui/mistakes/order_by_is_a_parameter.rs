fn main() {
    let by = "name";
    let _ = ark_mysql::query!("SELECT id, name FROM users WHERE age > 5 ORDER BY ? LIMIT 5", by);
}
