// only mysql: MariaDB prepares it.
fn main() {
    ark_mysql::query!("LOCK TABLES users READ");
}
