fn main() {
    ark_mysql::query!("UPDATE users SET name = 'Ann' WHERE id = 1 RETURNING id");
}
