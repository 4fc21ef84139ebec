use ark_mysql::query_as;

enum User {
    Ann,
}

fn main() {
    query_as!(User, "SELECT id, name FROM users");
}
