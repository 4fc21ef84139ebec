fn pool() -> &'static ark_mysql::Pool {
    unimplemented!()
}

fn main() {
    let ids: Vec<u32> = vec![1, 2];
    _ = ark_mysql::query!("SELECT name FROM users WHERE id IN (?)", ids).fetch_all(pool());
}
