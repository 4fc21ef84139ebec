use ark_mysql::query_as;

struct Found {
    born: chrono::NaiveDateTime,
}

fn main() {
    query_as!(Found, "SELECT born FROM users");
}
