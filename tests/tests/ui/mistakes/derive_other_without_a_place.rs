#[derive(ark_mysql::Type)]
enum State {
    Open,
    #[ark_mysql(other)]
    Unknown,
}

fn main() {
    let _ = [State::Open, State::Unknown];
}
