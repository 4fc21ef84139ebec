use ark_mysql::query_as;

struct Found {
    name: Vec<u8>,
}

fn main() {
    query_as!(Found, "SELECT name FROM users");
}
