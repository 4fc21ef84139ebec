use ark_mysql::query_as;

struct Found {
    name: u32,
}

fn main() {
    query_as!(Found, "SELECT name FROM users");
}
