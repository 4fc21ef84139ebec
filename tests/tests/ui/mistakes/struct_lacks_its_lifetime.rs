use ark_mysql::query_as;

struct User<'a> {
    id: u32,
    name: &'a str,
}

fn main() {
    query_as!(User, "SELECT id, name FROM users");
}
