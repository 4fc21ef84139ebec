#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct UserId(u32);

#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct OrderId(u64);

#[derive(Debug)]
struct Row {
    name: String,
    order: OrderId,
}

fn main() {
    let _ = UserId(1);
    let _ = ark_mysql::query_as!(Row, "SELECT name, orders.id AS `order` FROM users LEFT JOIN orders ON user_id = users.id");
}
