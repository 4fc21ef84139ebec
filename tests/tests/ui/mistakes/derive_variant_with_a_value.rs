#[derive(ark_mysql::Type)]
enum State {
    Open,
    Sent(u32),
}

fn main() {
    let _ = [State::Open, State::Sent(1)];
}
