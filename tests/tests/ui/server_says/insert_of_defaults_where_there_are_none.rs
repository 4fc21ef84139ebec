fn main() {
    ark_mysql::query!("INSERT INTO users () VALUES ()");
}
