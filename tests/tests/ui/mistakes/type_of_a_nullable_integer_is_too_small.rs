use ark_mysql::query_as;

struct Found {
    age: Option<i8>,
}

fn main() {
    query_as!(Found, "SELECT age FROM users");
}
