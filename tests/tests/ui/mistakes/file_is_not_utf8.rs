fn main() {
    ark_mysql::query_file!("queries/latin1.sql");
}
