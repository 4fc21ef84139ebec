use ark_mysql::query_as;

struct Found {
    sum: u64,
}

fn main() {
    query_as!(Found, "SELECT SUM(delta) AS sum FROM orders");
}
