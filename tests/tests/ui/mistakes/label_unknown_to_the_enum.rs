use ark_mysql::{Type, query_as};

#[derive(Type)]
#[ark_mysql(rename_all = "lowercase")]
enum State {
    Open,
    Send,
}

struct Order {
    id: u64,
    state: Option<State>,
}

fn main() {
    let orders = query_as!(Order, "SELECT o.id, o.state FROM orders o");
    drop(orders);
    let _ = (Order { id: 1, state: None }.state, State::Open, State::Send);
}
