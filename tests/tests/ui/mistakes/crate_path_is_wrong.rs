fn main() {
    ark_mysql::query!(crate = my_app::mysql, "SELECT name FROM users");
}
