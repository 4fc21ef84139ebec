fn main() {
    ark_mysql::query!("SELECT name /* all of them FROM users");
}
