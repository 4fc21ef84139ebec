#[derive(ark_mysql::Type)]
#[ark_mysql(rename_all = "snakecase")]
enum State {
    Open,
}

fn main() {
    let _ = State::Open;
}
