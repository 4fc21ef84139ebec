//! A small shop: its tables (`migrations/*.sql`) and the goods, people and orders that fill them.
//!
//! Start with the program [`quickstart`](https://github.com/ark-mysql/ark-mysql/blob/main/examples/src/bin/quickstart.rs):
//! `cargo run -p examples --bin quickstart`. It is built from the metadata in `.ark-mysql/`, so it needs no server while it compiles.
//! After a change of its SQL or of the tables, make the metadata anew:
//!
//! ```sh
//! cargo ark-mysql prepare --package examples --dev --migrations examples/migrations --prune
//! ```

pub mod dice;
pub mod goods;
pub mod orders;
pub mod people;

/// The tables: `migrations/*.sql`, which are part of the program.
pub static MIGRATOR: ark_mysql::migrate::Migrator = ark_mysql::migrate!("migrations");

/// Everything to put into the tables. The same every time: examples and their tests can name what they find.
#[derive(Clone, Debug, PartialEq)]
pub struct Shop {
    /// Number 1 is the first.
    pub customers: Vec<people::Customer>,
    /// Number 1 is the first.
    pub products: Vec<goods::Product>,
    /// By customers and products by number.
    pub orders: Vec<orders::Order>,
}

impl Shop {
    /// Makes the shop up.
    #[must_use]
    pub fn generate() -> Self {
        let mut dice = dice::Dice::new(2026);
        let products = goods::products(&mut dice);
        let customers = people::customers(&mut dice);
        let orders = orders::orders(&mut dice, &products, customers.len());
        Self {
            customers,
            products,
            orders,
        }
    }

    /// Rows in all tables.
    #[must_use]
    pub fn rows(&self) -> usize {
        let lines: usize = self.orders.iter().map(|order| order.lines.len()).sum();
        self.customers.len() + self.products.len() + self.orders.len() + lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shop_is_the_same_every_time_and_has_a_few_thousand_rows() {
        let shop = Shop::generate();
        assert_eq!(shop, Shop::generate());
        assert!((3_000..10_000).contains(&shop.rows()), "{}", shop.rows());
    }

    #[test]
    fn keys_are_unique_and_orders_refer_to_what_exists() {
        let shop = Shop::generate();
        let mut emails: Vec<_> = shop
            .customers
            .iter()
            .filter_map(|c| c.email.as_ref())
            .collect();
        let mut skus: Vec<_> = shop.products.iter().map(|product| &product.sku).collect();
        for (list, name) in [(&mut emails, "email"), (&mut skus, "sku")] {
            let all = list.len();
            list.sort();
            list.dedup();
            assert_eq!(list.len(), all, "{name}");
        }
        for order in &shop.orders {
            assert!((1..=shop.customers.len()).contains(&usize::try_from(order.customer).unwrap()));
            for line in &order.lines {
                let product = usize::try_from(line.product).unwrap();
                assert!((1..=shop.products.len()).contains(&product));
            }
        }
    }
}
