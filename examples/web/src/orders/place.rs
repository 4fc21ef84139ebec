//! An order is placed: all of it, or nothing.

use std::collections::BTreeMap;

use ark_mysql::types::Decimal;
use ark_mysql::{Pool, Transaction, insert_many, query};

use super::NewOrder;
use crate::failure::Failure;

/// A client that sends more means something else.
const MOST_LINES: usize = 100;

/// Takes the goods from the stock and writes the order; returns its id.
///
/// Two orders that want the same goods wait for each other. Should they be in each other's way all the same, the server ends one, and
/// `transaction` runs it again: so nothing in it reaches beyond the database.
pub(super) async fn place(pool: &Pool, order: &NewOrder) -> Result<u64, Failure> {
    let wanted = wanted(order)?;
    let wanted = &wanted;
    pool.transaction(async move |tx| {
        let prices = take(tx, wanted).await?;
        write(tx, order, &prices).await
    })
    .await
}

/// How many of each product.
fn wanted(order: &NewOrder) -> Result<BTreeMap<u32, i32>, Failure> {
    if order.lines.is_empty() || order.lines.len() > MOST_LINES {
        return Err(Failure::invalid(format!(
            "an order has 1 to {MOST_LINES} lines"
        )));
    }
    let mut wanted = BTreeMap::new();
    for line in &order.lines {
        if line.quantity == 0 {
            return Err(Failure::invalid("a quantity is at least 1"));
        }
        *wanted.entry(line.product).or_default() += i32::from(line.quantity);
    }
    Ok(wanted)
}

/// Locks the products, looks whether there is enough of them, and takes it. Returns the prices.
async fn take(
    tx: &mut Transaction<'_>,
    wanted: &BTreeMap<u32, i32>,
) -> Result<BTreeMap<u32, Decimal>, Failure> {
    // One list for `IN`, whatever its length; in the order of the ids, so that two orders do not lock crosswise.
    let found = query!(
        "SELECT id, price, stock FROM products WHERE id IN (?) ORDER BY id FOR UPDATE",
        ..wanted.keys()
    )
    .fetch_all(&mut *tx)
    .await?;
    let prices = found
        .iter()
        .map(|product| (product.id, product.price))
        .collect();
    for (&id, &quantity) in wanted {
        let Some(product) = found.iter().find(|product| product.id == id) else {
            return Err(Failure::invalid(format!("there is no product {id}")));
        };
        if product.stock < quantity {
            return Err(Failure::conflict(format!(
                "of product {id} there are {} left",
                product.stock.max(0)
            )));
        }
        query!(
            "UPDATE products SET stock = stock - ? WHERE id = ?",
            quantity,
            id
        )
        .execute(&mut *tx)
        .await?;
    }
    Ok(prices)
}

async fn write(
    tx: &mut Transaction<'_>,
    order: &NewOrder,
    prices: &BTreeMap<u32, Decimal>,
) -> Result<u64, Failure> {
    // A customer that does not exist breaks the foreign key: see `failure`.
    let id = query!(
        "INSERT INTO orders (customer_id, placed_at) VALUES (?, UTC_TIMESTAMP(6))",
        order.customer
    )
    .execute(&mut *tx)
    .await?
    .last_insert_id();
    // `take` has found all of the products. (Collected: rustc does not take the future for `Send` while it holds a closure over references.)
    let lines: Vec<_> = order
        .lines
        .iter()
        .zip(1_u16..)
        .map(|(line, number)| {
            (
                id,
                number,
                line.product,
                i32::from(line.quantity),
                prices[&line.product],
            )
        })
        .collect();
    insert_many!(
        "INSERT INTO order_lines (order_id, line, product_id, quantity, price) VALUES (?, ?, ?, ?, ?)",
        &lines
    )
    .execute(&mut *tx)
    .await?;
    query!(
        "UPDATE orders SET total = (SELECT SUM(quantity * price) FROM order_lines WHERE order_id = :id) WHERE id = :id",
        id
    )
    .execute(&mut *tx)
    .await?;
    Ok(id)
}
