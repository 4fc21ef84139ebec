// only mysql: MariaDB takes any row of the group.
fn main() {
    ark_mysql::query!("SELECT name, COUNT(*) AS n FROM users");
}
