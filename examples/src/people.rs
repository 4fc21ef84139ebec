//! Who buys.

use ark_mysql::types::Decimal;
use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use serde_json::json;

use crate::dice::Dice;
use crate::goods::cents;

const FIRST: [&str; 20] = [
    "Ada", "Alan", "Barbara", "Claude", "Donald", "Edsger", "Frances", "Grace", "Hedy", "Ivan",
    "Jørgen", "Karen", "Leslie", "Margaret", "Niklaus", "Olga", "Peter", "Radia", "Søren", "Zoë",
];
const LAST: [&str; 20] = [
    "Adeyemi", "Bauer", "Castro", "Dvořák", "Eriksen", "Fontaine", "García", "Haddad", "Ivanova",
    "Jansen", "Kowalski", "Lindgren", "Murphy", "Nguyen", "Okafor", "Petrov", "Quinn", "Rossi",
    "Schäfer", "Tanaka",
];
const COUNTRIES: [&str; 8] = ["AT", "CH", "CZ", "DE", "FR", "GB", "JP", "NL"];

/// Twenty first names by twenty last names; by chance some people share both.
const CUSTOMERS: u32 = 400;

/// A row of `customers`.
#[derive(Clone, Debug, PartialEq)]
pub struct Customer {
    /// First and last name.
    pub name: String,
    /// Unique.
    pub email: Option<String>,
    /// Two letters.
    pub country: &'static str,
    /// If they said.
    pub birthday: Option<NaiveDate>,
    /// Wants it.
    pub newsletter: bool,
    /// What the shop owes them.
    pub credit: Decimal,
    /// Points.
    pub loyalty: Option<i16>,
    /// Whatever their client stores.
    pub preferences: Option<serde_json::Value>,
    /// The last device's key.
    pub device: Option<Vec<u8>>,
    /// In whole seconds, as the column stores it.
    pub created_at: DateTime<Utc>,
}

/// The moment when the shop opened.
#[must_use]
pub fn opening() -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(20_000) // in October 2024
}

pub(crate) fn customers(dice: &mut Dice) -> Vec<Customer> {
    (1..=CUSTOMERS)
        .map(|number| customer(dice, number))
        .collect()
}

fn customer(dice: &mut Dice, number: u32) -> Customer {
    let (first, last) = (dice.pick(&FIRST), dice.pick(&LAST));
    Customer {
        name: format!("{first} {last}"),
        email: dice.maybe(85, |_| format!("{}{number}@example.org", ascii(first))),
        country: dice.pick(&COUNTRIES),
        birthday: dice.maybe(60, |dice| {
            NaiveDate::default() + Days::new(u64::from(dice.below(13_000)))
        }),
        newsletter: dice.percent(30),
        credit: dice.maybe(20, |dice| cents(dice.between(1, 9_999))).unwrap_or_else(|| cents(0)),
        loyalty: dice.maybe(50, |dice| i16::try_from(dice.below(5_000)).unwrap_or_default() - 100),
        preferences: dice.maybe(40, |dice| {
            json!({ "theme": dice.pick(&["dark", "light"]), "per_page": dice.between(1, 5) * 10 })
        }),
        device: dice.maybe(25, |dice| (0..16).map(|_| u8::try_from(dice.below(256)).unwrap_or_default()).collect()),
        created_at: opening() + TimeDelta::seconds(i64::from(dice.below(20_000_000))),
    }
}

fn ascii(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii)
        .collect::<String>()
        .to_lowercase()
}
