#[derive(ark_mysql::Type)]
enum State {}

fn main() {}
