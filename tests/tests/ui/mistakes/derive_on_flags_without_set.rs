#[derive(ark_mysql::Type)]
struct Rights {
    read: bool,
    write: bool,
}

fn main() {
    let rights = Rights { read: true, write: true };
    let _ = (rights.read, rights.write);
}
