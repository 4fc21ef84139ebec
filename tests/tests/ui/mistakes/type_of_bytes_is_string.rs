use ark_mysql::query_as;

struct Found {
    photo: String,
}

fn main() {
    query_as!(Found, "SELECT photo FROM users");
}
