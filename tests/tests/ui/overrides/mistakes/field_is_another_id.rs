#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct UserId(u32);

#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct OrderId(u64);

#[derive(Debug)]
struct Order {
    id: OrderId,
    user_id: OrderId,
}

fn main() {
    let _ = UserId(1);
    let _ = ark_mysql::query_as!(Order, "SELECT id, user_id FROM orders");
}
