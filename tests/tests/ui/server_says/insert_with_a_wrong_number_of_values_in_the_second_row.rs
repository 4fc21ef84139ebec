fn main() {
    ark_mysql::query!("INSERT INTO parts (name, price) VALUES ('nut', 1), ('bolt')");
}
