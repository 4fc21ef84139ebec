fn main() {
    let page: Option<&str> = None;
    let _ = ark_mysql::query!("SELECT name, ? AS page FROM users", page);
}
