use ark_mysql::query_as;

struct Found {
    total: ark_mysql::types::Decimal,
}

fn main() {
    query_as!(Found, "SELECT total FROM users LEFT JOIN orders ON orders.user_id = users.id");
}
