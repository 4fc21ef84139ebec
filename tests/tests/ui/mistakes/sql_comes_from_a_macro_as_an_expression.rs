macro_rules! find {
    ($sql:expr) => {
        ark_mysql::query!($sql)
    };
}

fn main() {
    find!("SELECT " + "name FROM users");
}
