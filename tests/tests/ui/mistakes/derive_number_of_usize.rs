#[derive(ark_mysql::Type)]
#[repr(usize)]
enum State {
    Open = 1,
}

fn main() {
    let _ = State::Open;
}
