use ark_mysql::query_as;

struct Found {
    placed: chrono::DateTime<chrono::Utc>,
}

fn main() {
    query_as!(Found, "SELECT placed FROM orders");
}
