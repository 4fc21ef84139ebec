use ark_mysql::query_as;

struct User {
    id: u32,
    user_name: String,
}

fn main() {
    query_as!(User, "SELECT id, name FROM users");
}
