use ark_mysql::query_as;

fn main() {
    query_as!(i32, "SELECT id FROM orders");
}
