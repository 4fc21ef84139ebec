#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct UserId(u32);

#[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
struct OrderId(u64);

fn main() {
    let _ = UserId(1);
    let rows = [(OrderId(7), 1_i32)];
    let _ = ark_mysql::insert_many!("INSERT INTO visits (user_id, count) VALUES (?, ?)", rows);
}
