//! What is sold.

use ark_mysql::types::Decimal;
use serde_json::json;

use crate::dice::Dice;

const CATEGORIES: [(&str, [&str; 6]); 4] = [
    (
        "book",
        [
            "Atlas",
            "Cookbook",
            "Dictionary",
            "Novel",
            "Almanac",
            "Field Guide",
        ],
    ),
    (
        "game",
        [
            "Chess Set",
            "Card Game",
            "Puzzle",
            "Dice Tower",
            "Marble Run",
            "Quiz",
        ],
    ),
    (
        "music",
        [
            "Ukulele",
            "Kalimba",
            "Tuner",
            "Songbook",
            "Metronome",
            "Tambourine",
        ],
    ),
    (
        "tool",
        [
            "Hammer",
            "Level",
            "Screwdriver",
            "Clamp",
            "Folding Rule",
            "File",
        ],
    ),
];
const STYLES: [&str; 10] = [
    "Pocket",
    "Grand",
    "Nordic",
    "Classic",
    "Travel",
    "Workshop",
    "Winter",
    "Children's",
    "Blue",
    "Second-Hand",
];
const LABELS: [&str; 5] = ["", "new", "sale", "gift", "new,gift"];

const PRODUCTS: u32 = 150;

/// A row of `products`.
#[derive(Clone, Debug, PartialEq)]
pub struct Product {
    /// Eight characters, unique.
    pub sku: String,
    /// For people.
    pub title: String,
    /// Some have one.
    pub description: Option<String>,
    /// One of the ENUM's labels.
    pub category: &'static str,
    /// Some of the SET's labels, separated by commas.
    pub labels: &'static str,
    /// In cents; the column is a DECIMAL.
    pub price_cents: u32,
    /// In percent.
    pub vat: u8,
    /// Below zero: sold before it arrived.
    pub stock: i32,
    /// Where it lies.
    pub shelf: Option<i32>,
    /// In kg.
    pub weight: Option<f32>,
    /// Mean of 1 to 5.
    pub rating: Option<f64>,
    /// A year.
    pub released: Option<u16>,
    /// An image file, or the beginning of one.
    pub picture: Option<Vec<u8>>,
    /// Whatever this kind of product has.
    pub attributes: serde_json::Value,
}

/// An amount of money.
#[must_use]
pub fn cents(cents: u32) -> Decimal {
    let text = format!("{}.{:02}", cents / 100, cents % 100);
    text.parse()
        .expect("digits and a point are a decimal number")
}

pub(crate) fn products(dice: &mut Dice) -> Vec<Product> {
    (1..=PRODUCTS).map(|number| product(dice, number)).collect()
}

fn product(dice: &mut Dice, number: u32) -> Product {
    let (category, things) = dice.pick(&CATEGORIES);
    let title = format!("{} {}", dice.pick(&STYLES), dice.pick(&things));
    Product {
        sku: format!("{}-{number:04}", &category.to_uppercase()[..3]),
        description: dice.maybe(60, |_| {
            format!("{title}: made to last, and nice to look at. 🎁")
        }),
        title,
        category,
        labels: dice.pick(&LABELS),
        price_cents: dice.between(2, 120) * 100 - dice.pick(&[1, 5, 10, 50]),
        vat: if category == "book" { 7 } else { 20 },
        stock: i32::try_from(dice.below(200)).unwrap_or_default() - 10,
        shelf: dice.maybe(80, |dice| {
            i32::try_from(dice.below(4_000)).unwrap_or_default()
        }),
        weight: dice.maybe(70, |dice| {
            f32::from(u16::try_from(dice.below(800)).unwrap_or_default()) / 64.0
        }),
        rating: dice.maybe(75, |dice| 1.0 + f64::from(dice.below(33)) / 8.0),
        released: dice.maybe(50, |dice| {
            u16::try_from(dice.between(1990, 2025)).unwrap_or_default()
        }),
        picture: dice.maybe(10, |_| b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec()),
        attributes: json!({ "colour": dice.pick(&["red", "green", "blue"]), "parts": dice.between(1, 12) }),
    }
}
