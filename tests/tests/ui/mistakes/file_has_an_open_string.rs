fn main() {
    ark_mysql::query_file!("queries/open_string.sql");
}
