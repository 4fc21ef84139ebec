use ark_mysql::{Type, query};

#[derive(Type)]
enum State {
    #[ark_mysql(rename = "open")]
    Open,
}

fn main() {
    let orders = query!("SELECT id, state AS `state: State` FROM orders");
    drop(orders);
    let _ = State::Open;
}
