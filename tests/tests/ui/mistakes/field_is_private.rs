use ark_mysql::query_as;

mod model {
    pub struct User {
        pub id: u32,
        name: String,
    }
}

fn main() {
    _ = query_as!(model::User, "SELECT id, name FROM users");
}
