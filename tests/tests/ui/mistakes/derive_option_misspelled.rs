#[derive(ark_mysql::Type)]
#[ark_mysql(renam_all = "snake_case")]
enum State {
    Open,
}

fn main() {
    let _ = State::Open;
}
