use ark_mysql::query_as;

struct Found {
    delta: u32,
}

fn main() {
    query_as!(Found, "SELECT delta FROM orders");
}
