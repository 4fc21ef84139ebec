fn main() {
    let rows = [("Ann", 1_i16)];
    let _ = ark_mysql::insert_many!("INSERT INTO users (name, age, born, photo, settings) VALUES (?, ?, NOW(), '', '{}')", ..rows);
}
