use ark_mysql::query_as;

struct User {
    id: u32,
    name: String,
}

fn main() {
    query_as!("SELECT id, name FROM users", User);
}
