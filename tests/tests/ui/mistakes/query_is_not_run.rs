#![deny(unused_must_use)]

fn main() {
    ark_mysql::query!("UPDATE users SET name = ? WHERE id = ?", "Ann", 1);
}
