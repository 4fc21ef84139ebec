fn main() {
    ark_mysql::query!("SELECT 'Müller' AS größe, nmae FROM users");
}
