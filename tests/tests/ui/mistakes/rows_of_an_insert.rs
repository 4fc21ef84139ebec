use ark_mysql::query_as;

struct User {
    id: u32,
}

fn main() {
    query_as!(User, "INSERT INTO users (name, born, photo, settings) VALUES (?, ?, ?, ?)", "Ann", "2001-02-03", "", "{}");
}
