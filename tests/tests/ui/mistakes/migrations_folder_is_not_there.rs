static MIGRATOR: ark_mysql::migrate::Migrator = ark_mysql::migrate!("migration");

fn main() {
    let _ = &MIGRATOR;
}
