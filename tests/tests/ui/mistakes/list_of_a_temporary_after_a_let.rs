fn ids() -> Vec<u32> {
    vec![1, 2]
}

fn main() {
    let found = ark_mysql::query!("SELECT name FROM users WHERE id IN (?)", ..ids());
    drop(found);
}
