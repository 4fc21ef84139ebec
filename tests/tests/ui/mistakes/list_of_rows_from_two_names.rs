fn main() {
    let (ids, name) = ([1], "a");
    ark_mysql::query!("SELECT age FROM users WHERE (id, name) IN ((:ids, :name))", ids = ..ids, name);
}
