fn main() {
    let _ = ark_mysql::query!("SELECT name, ? AS page FROM users", 5);
}
