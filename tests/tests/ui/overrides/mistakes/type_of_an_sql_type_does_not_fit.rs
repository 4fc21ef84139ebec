#[derive(ark_mysql::Type)]
struct Money(f64);

fn main() {
    let _ = ark_mysql::query!("SELECT total FROM orders");
}
