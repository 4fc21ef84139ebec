use ark_mysql::query_as;

enum State {
    Open,
    Sent,
}

struct Found {
    state: State,
}

fn main() {
    query_as!(Found, "SELECT state FROM orders");
}
