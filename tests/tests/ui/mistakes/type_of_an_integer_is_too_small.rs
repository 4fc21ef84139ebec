use ark_mysql::query_as;

struct Found {
    id: i32,
}

fn main() {
    query_as!(Found, "SELECT id FROM orders");
}
