#[derive(ark_mysql::Type)]
struct User {
    id: u32,
    name: String,
}

fn main() {
    let _ = User { id: 1, name: String::new() };
}
