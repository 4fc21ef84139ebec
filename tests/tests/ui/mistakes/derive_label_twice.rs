#[derive(ark_mysql::Type)]
#[ark_mysql(rename_all = "lowercase")]
enum State {
    Open,
    #[ark_mysql(rename = "open")]
    Begun,
}

fn main() {
    let _ = [State::Open, State::Begun];
}
