use ark_mysql::query_as;

fn main() {
    query_as!((u32, String), "SELECT id, name FROM users");
}
