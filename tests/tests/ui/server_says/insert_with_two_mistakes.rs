// 2 errors: each with its place.
fn main() {
    ark_mysql::query!("INSERT INTO parts (price, gross) VALUES (NULL, DEFAULT)");
}
