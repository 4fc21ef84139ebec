//! Who bought what.

use ark_mysql::types::Time;
use chrono::{NaiveDateTime, TimeDelta};

use crate::dice::Dice;
use crate::goods::Product;
use crate::people::opening;

const ORDERS: u32 = 1_200;

/// A row of `orders`, with its lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// Number of the customer.
    pub customer: u64,
    /// One of the ENUM's labels.
    pub status: &'static str,
    /// Sum of the lines.
    pub total_cents: u32,
    /// With microseconds.
    pub placed_at: NaiveDateTime,
    /// In whole seconds, as the column stores it.
    pub shipped_at: Option<NaiveDateTime>,
    /// How long it took to pack.
    pub packing_time: Option<Time>,
    /// -1: the customer complained.
    pub stars: Option<i8>,
    /// What the customer wrote.
    pub note: Option<&'static str>,
    /// At least one.
    pub lines: Vec<Line>,
}

/// A row of `order_lines`.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Number of the product.
    pub product: u32,
    /// How many.
    pub quantity: i32,
    /// Of one, in cents.
    pub price_cents: u32,
    /// 0.1 is ten percent. Not part of the price yet.
    pub discount: Option<f64>,
    /// As a present.
    pub gift_wrap: bool,
}

pub(crate) fn orders(dice: &mut Dice, products: &[Product], customers: usize) -> Vec<Order> {
    (0..ORDERS)
        .map(|_| order(dice, products, customers))
        .collect()
}

fn order(dice: &mut Dice, products: &[Product], customers: usize) -> Order {
    let status = dice.pick(&[
        "open",
        "open",
        "paid",
        "shipped",
        "shipped",
        "shipped",
        "cancelled",
    ]);
    let shipped = status == "shipped";
    let placed_at =
        opening().naive_utc() + TimeDelta::microseconds(i64::from(dice.below(u32::MAX)) * 15_013);
    let lines: Vec<Line> = (0..dice.between(1, 4))
        .map(|_| line(dice, products))
        .collect();
    Order {
        // The last tenth of the customers has not bought anything yet.
        customer: u64::from(dice.below(u32::try_from(customers).unwrap_or(1) * 9 / 10)) + 1,
        status,
        total_cents: lines.iter().map(Line::total_cents).sum(),
        placed_at,
        shipped_at: shipped
            .then(|| whole_seconds(placed_at + TimeDelta::hours(i64::from(dice.between(2, 90))))),
        packing_time: shipped
            .then(|| Time::from_micros(i64::from(dice.between(60, 7_200)) * 1_000_000))
            .flatten(),
        stars: if shipped {
            dice.maybe(40, |dice| dice.pick(&[-1, 1, 2, 3, 4, 5, 5]))
        } else {
            None
        },
        note: dice.maybe(15, |dice| {
            dice.pick(&[
                "Please ring twice.",
                "It's a present; no bill, please!",
                "Merci ❤",
            ])
        }),
        lines,
    }
}

fn line(dice: &mut Dice, products: &[Product]) -> Line {
    let product = dice.below(u32::try_from(products.len()).unwrap_or(1));
    let price_cents = products
        .get(product as usize)
        .map_or(0, |product| product.price_cents);
    Line {
        product: product + 1,
        quantity: dice.pick(&[1, 1, 1, 2, 3]),
        price_cents,
        discount: dice.maybe(12, |dice| dice.pick(&[0.05, 0.1, 0.25])),
        gift_wrap: dice.percent(8),
    }
}

impl Line {
    fn total_cents(&self) -> u32 {
        self.price_cents * u32::try_from(self.quantity).unwrap_or_default()
    }
}

fn whole_seconds(moment: NaiveDateTime) -> NaiveDateTime {
    moment - TimeDelta::nanoseconds(i64::from(moment.and_utc().timestamp_subsec_nanos()))
}
