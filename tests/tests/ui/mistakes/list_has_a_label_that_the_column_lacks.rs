#[derive(Debug, ark_mysql::Type)]
#[ark_mysql(rename_all = "snake_case")]
enum State {
    Open,
    Sent,
    Returned,
}

fn main() {
    let _ = [State::Sent, State::Returned];
    let _ = ark_mysql::query!("SELECT id FROM orders WHERE state IN (?)", ..vec![State::Open]);
}
