fn main() {
    ark_mysql::query!("INSERT INTO parts (name, price) VALUES (?, 1), (NULL, 2)", "nut");
}
