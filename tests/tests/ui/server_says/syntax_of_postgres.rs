fn main() {
    ark_mysql::query!("INSERT INTO users (name) VALUES ('Ann') ON CONFLICT DO NOTHING");
}
