use std::fmt::Write as _;

use ark_mysql::types::{Date, DateTime, Decimal, Geometry, Time};

/// A value of a column, as no Rust type in particular has it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Canon {
    Int(i128),
    Single(f32),
    Double(f64),
    Decimal(Decimal),
    Text(String),
    Bytes(Vec<u8>),
    Date(Date),
    DateTime(DateTime),
    Time(Time),
    Json(serde_json::Value),
    Floats(Vec<f32>),
    Geometry(Geometry),
}

impl Canon {
    /// The value as SQL, written without any help of the driver.
    pub(crate) fn literal(&self) -> String {
        match self {
            Self::Int(value) => value.to_string(),
            Self::Single(value) => format!("{:e}", f64::from(*value)),
            Self::Double(value) => format!("{value:e}"),
            Self::Decimal(value) => value.to_string(),
            Self::Text(value) => format!("_utf8mb4 X'{}'", hex(value.as_bytes())),
            Self::Json(value) => format!("_utf8mb4 X'{}'", hex(value.to_string().as_bytes())),
            Self::Date(value) => format!("'{value}'"),
            Self::DateTime(value) => format!("'{value}'"),
            Self::Time(value) => format!("'{value}'"),
            Self::Bytes(_) | Self::Floats(_) | Self::Geometry(_) => {
                format!("_binary X'{}'", hex(&self.bytes().unwrap_or_default()))
            }
        }
    }

    /// What the server holds of it, where that is bytes.
    pub(crate) fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Bytes(bytes) => Some(bytes.clone()),
            Self::Floats(floats) => Some(
                floats
                    .iter()
                    .flat_map(|float| float.to_le_bytes())
                    .collect(),
            ),
            Self::Geometry(shape) => {
                Some([&shape.srid.to_le_bytes(), shape.wkb.as_slice()].concat())
            }
            _ => None,
        }
    }

    /// What the server holds of it, where that is text.
    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Json(value) => Some(value.to_string()),
            _ => None,
        }
    }

    /// The exact number, where it is one.
    pub(crate) fn number(&self) -> Option<Decimal> {
        match self {
            Self::Int(value) => Some((*value).into()),
            Self::Decimal(value) => Some(*value),
            Self::Single(value) => exact(f64::from(*value)),
            Self::Double(value) => exact(*value),
            _ => None,
        }
    }

    /// The moment, or the midnight that a date is; only if it stands in the calendar.
    pub(crate) fn moment(&self) -> Option<DateTime> {
        let moment = match self {
            Self::Date(day) => (*day).into(),
            Self::DateTime(moment) => *moment,
            _ => return None,
        };
        moment.date().is_calendar_day().then_some(moment)
    }

    /// The date, or the one of a midnight.
    pub(crate) fn day(&self) -> Option<Date> {
        match self {
            Self::Date(day) => Some(*day),
            Self::DateTime(moment) if *moment == moment.date().into() => Some(moment.date()),
            _ => None,
        }
    }
}

/// The number that a float prints as, which is the one that the server makes of it for a comparison.
fn exact(float: f64) -> Option<Decimal> {
    Decimal::from_f64(float).ok()
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        write!(text, "{byte:02X}").unwrap();
    }
    text
}
