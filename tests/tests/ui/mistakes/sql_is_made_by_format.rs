fn main() {
    ark_mysql::query!(format!("SELECT name FROM {}", "users"));
}
