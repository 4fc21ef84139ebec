use ark_mysql::query_as;

struct Found {
    placed: String,
}

fn main() {
    query_as!(Found, "SELECT placed FROM orders");
}
