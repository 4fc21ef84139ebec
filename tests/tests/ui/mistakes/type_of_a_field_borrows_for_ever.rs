use ark_mysql::query_as;

struct Found {
    name: &'static str,
}

fn main() {
    query_as!(Found, "SELECT name FROM users");
}
