const NAMES: &str = "SELECT name FROM users";

fn main() {
    ark_mysql::query!(NAMES);
}
