fn main() {
    ark_mysql::query!("INSERT INTO users (name, born, photo) VALUES (?, CURDATE(), '')", "Ann");
}
