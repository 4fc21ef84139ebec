struct UserId(u32);

fn main() {
    let _ = UserId(1).0;
    let _ = ark_mysql::query!("SELECT name FROM users WHERE id = ?", UserId(1));
}
