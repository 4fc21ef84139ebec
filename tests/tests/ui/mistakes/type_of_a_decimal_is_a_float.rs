use ark_mysql::query_as;

struct Found {
    total: f64,
}

fn main() {
    query_as!(Found, "SELECT total FROM orders");
}
