use ark_mysql::query_as;

fn main() {
    query_as!(Usr, "SELECT id, name FROM users");
}
