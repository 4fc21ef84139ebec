fn main() {
    ark_mysql::query!("INSERT INTO users SET name = 'Ann', email = 'ann@example.com'");
}
