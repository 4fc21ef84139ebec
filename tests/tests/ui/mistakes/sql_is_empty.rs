fn main() {
    ark_mysql::query!("");
}
