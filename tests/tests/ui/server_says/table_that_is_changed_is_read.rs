// only mysql: MariaDB reads it as it was.
fn main() {
    ark_mysql::query!("INSERT INTO visits (user_id, count) VALUES (1, 2) ON DUPLICATE KEY UPDATE count = (SELECT MAX(count) FROM visits)");
}
