use ark_mysql::query_as;

struct Found {
    n: u64,
}

fn main() {
    query_as!(Found, "SELECT COUNT(*) AS n FROM users");
}
