use ark_mysql::types::uuid::Uuid;

fn main() {
    _ = ark_mysql::query("SELECT name FROM users WHERE token = ?").bind(Uuid::nil());
}
