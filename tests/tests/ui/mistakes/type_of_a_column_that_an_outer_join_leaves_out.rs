use ark_mysql::{Pool, Result, query_as};

struct User {
    id: u32,
    total: ark_mysql::types::Decimal,
}

async fn all(pool: &Pool) -> Result<Vec<User>> {
    query_as!(User, "SELECT u.id, o.total FROM users u LEFT JOIN orders o ON o.user_id = u.id").fetch_all(pool).await
}

fn main() {}
