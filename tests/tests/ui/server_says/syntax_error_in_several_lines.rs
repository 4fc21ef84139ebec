fn main() {
    ark_mysql::query!(
        "SELECT name
         FROM users
         WHERE id = :id
         ORDER name",
        id = 1
    );
}
