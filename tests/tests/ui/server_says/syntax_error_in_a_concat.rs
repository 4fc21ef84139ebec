fn main() {
    ark_mysql::query!(concat!("SELECT name ", "FORM users"));
}
