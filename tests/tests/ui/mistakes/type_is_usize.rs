use ark_mysql::query_as;

struct Found {
    id: usize,
}

fn main() {
    query_as!(Found, "SELECT id FROM orders");
}
