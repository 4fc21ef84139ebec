use ark_mysql::query_as;

fn main() {
    query_as!(String, "SELECT email FROM users");
}
