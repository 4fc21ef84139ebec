fn main() {
    ark_mysql::query!("INSERT INTO parts (name, price, gross) VALUES ('nut', ?, 2)", 1);
}
