// 2 errors: two mistakes.
use ark_mysql::query_as;

struct User {
    id: u8,
    name: String,
    age: i16,
}

fn main() {
    query_as!(User, "SELECT id, name, age FROM users");
}
