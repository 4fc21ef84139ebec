fn main() {
    let ids = vec![1_i32, 2];
    _ = ark_mysql::query("SELECT name FROM users WHERE id IN (?)").bind(ids);
}
