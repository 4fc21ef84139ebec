#[derive(ark_mysql::Type)]
struct Rights {
    read: bool,
    write: bool,
}

fn main() {
    let rights = Rights { read: true, write: true };
    ark_mysql::query!("SELECT name FROM users WHERE name = ?", rights);
    let _ = (rights.read, rights.write);
}
