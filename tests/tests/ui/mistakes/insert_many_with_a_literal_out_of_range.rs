fn main() {
    let rows = "Bob";
    let _ = ark_mysql::insert_many!(
        "INSERT INTO users (name, age, born, photo, settings) VALUES (?, ?, NOW(), '', '{}')",
        [("Ann", 70_000), (rows, 5)]
    );
}
