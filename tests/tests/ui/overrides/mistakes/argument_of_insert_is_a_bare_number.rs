#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct UserId(u32);

#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct OrderId(u64);

fn main() {
    let state = "open";
    let _ = (UserId(1), OrderId(1));
    let _ = ark_mysql::query!("UPDATE orders SET user_id = ?, delta = ? WHERE paid", 7_u32, state.len() as i32);
}
