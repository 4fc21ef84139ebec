#[ark_mysql::test]
fn users_are_counted(pool: ark_mysql::Pool) {
    drop(pool);
}

fn main() {}
