use ark_mysql::query_as;

struct Found {
    id: String,
}

fn main() {
    query_as!(Found, "SELECT id FROM users");
}
