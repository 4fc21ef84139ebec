#[derive(ark_mysql::Type)]
#[ark_mysql(set)]
struct Rights {
    read: bool,
    level: u8,
}

fn main() {
    let rights = Rights { read: true, level: 1 };
    let _ = (rights.read, rights.level);
}
