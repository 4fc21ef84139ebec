struct UserId(u32);

fn main() {
    let ids = vec![UserId(1)];
    ark_mysql::query!("SELECT name FROM users WHERE id IN (?)", ..ids);
}
