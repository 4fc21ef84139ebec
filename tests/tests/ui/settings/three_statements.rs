// 3 errors: no statement can be checked. The first says why at length, the others in a line.
fn main() {
    ark_mysql::query!("SELECT name FROM users WHERE id = ?", 1);
    ark_mysql::query!("SELECT name FROM users");
    ark_mysql::query_scalar!("SELECT COUNT(*) FROM users");
}
