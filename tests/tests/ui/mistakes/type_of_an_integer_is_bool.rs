use ark_mysql::query_as;

struct Found {
    delta: bool,
}

fn main() {
    query_as!(Found, "SELECT delta FROM orders");
}
