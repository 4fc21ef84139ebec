fn main() {
    ark_mysql::query!("SELECT name FROM users WHERE id = :user_id", user_idd = 1);
}
