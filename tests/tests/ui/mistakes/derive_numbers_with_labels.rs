#[derive(ark_mysql::Type)]
#[ark_mysql(rename_all = "lowercase")]
#[repr(u8)]
enum State {
    Open = 1,
}

fn main() {
    let _ = State::Open;
}
