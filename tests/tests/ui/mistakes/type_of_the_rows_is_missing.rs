use ark_mysql::query_as;

fn main() {
    query_as!("SELECT id, name FROM users");
}
