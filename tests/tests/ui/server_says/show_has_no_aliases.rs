fn main() {
    ark_mysql::query!("SHOW TABLES LIKE 'us%'");
}
