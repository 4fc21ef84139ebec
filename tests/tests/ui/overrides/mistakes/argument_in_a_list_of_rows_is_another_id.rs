#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct UserId(u32);

#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct OrderId(u64);

fn main() {
    let ids = [(UserId(7), UserId(8))];
    let _ = OrderId(1);
    let _ = ark_mysql::query!("SELECT delta FROM orders WHERE (user_id, id) IN ((?, ?))", ..ids);
}
