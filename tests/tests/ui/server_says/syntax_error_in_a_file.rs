fn main() {
    ark_mysql::query_file!("queries/form.sql");
}
