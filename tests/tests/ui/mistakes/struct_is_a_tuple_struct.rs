// 2 errors: one for each column.
use ark_mysql::query_as;

struct User(u32, String);

fn main() {
    query_as!(User, "SELECT id, name FROM users");
}
