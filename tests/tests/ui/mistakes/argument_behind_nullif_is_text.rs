fn main() {
    let _ = ark_mysql::query!("UPDATE users SET age = NULLIF(?, 0), name = IF(? = '', name, ?) WHERE id = 1", "7", "", "Ann");
}
