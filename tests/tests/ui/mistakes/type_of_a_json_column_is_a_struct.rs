use ark_mysql::query_as;

struct Settings {
    dark: bool,
}

struct Found {
    settings: Settings,
}

fn main() {
    query_as!(Found, "SELECT settings FROM users");
}
