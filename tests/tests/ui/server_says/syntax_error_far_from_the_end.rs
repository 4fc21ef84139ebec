fn main() {
    ark_mysql::query!("SELECT id, name, email age FROM users, parts WHERE users.name == parts.name AND users.age > 18 AND parts.price > 100 AND users.born < '2000-01-01' ORDER BY users.name, parts.price");
}
