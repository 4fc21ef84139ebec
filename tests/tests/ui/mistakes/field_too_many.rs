use ark_mysql::query_as;

struct User {
    id: u32,
    name: String,
    nickname: String,
}

fn main() {
    query_as!(User, "SELECT id, name FROM users");
}
