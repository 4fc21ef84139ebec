// only mysql: MariaDB looks for a procedure when it is called.
fn main() {
    ark_mysql::query!("CALL nope()");
}
