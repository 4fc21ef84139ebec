// 2 errors: two mistakes, told at once.
fn main() {
    ark_mysql::query!("SELECT name FROM users WHERE id = :id", id = 1, id = 2, age = 3);
}
