fn main() {
    let (a, b) = ([1], ["a"]);
    ark_mysql::query!("SELECT age FROM users WHERE (id, name) IN ((:a, :b))", a = ..a, b = ..b);
}
