#[derive(Debug, ark_mysql::Type)]
#[ark_mysql(rename_all = "snake_case")]
enum State {
    Open,
    Sent,
    Returned,
}

fn main() {
    let state = Some(State::Open);
    let _ = [State::Sent, State::Returned];
    let _ = ark_mysql::query!("UPDATE orders SET state = COALESCE(?, state), paid = TRUE", &state);
}
