use ark_mysql::query_as;

struct Found {
    email: String,
}

fn main() {
    query_as!(Found, "SELECT email FROM users");
}
