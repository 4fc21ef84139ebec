use ark_mysql_proto::{Kind, Wire};

/// Whether values of one kind can stand for those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// They look the same in a row.
    Same,
    /// Value by value, checked.
    Convert,
    /// No.
    Never,
}

/// What the values of a column become if `expected` was checked and `found` comes.
pub(super) fn fit(expected: Kind, found: Kind) -> Fit {
    // A NULL column has no bytes that could be read wrongly.
    if expected == found || found == Kind::Null {
        return Fit::Same;
    }
    if expected == Kind::Null {
        return if is_string(found) {
            Fit::Same
        } else {
            Fit::Convert
        };
    }
    if is_integer(expected) && is_integer(found) {
        return if expected.wire() == found.wire() {
            Fit::Same
        } else {
            Fit::Convert
        };
    }
    let alike = is_moment(expected) && is_moment(found)
        || is_bit(expected) && is_bit(found)
        // MariaDB's JSON, UUID and INET are text without extended metadata; ENUM and SET become text in expressions.
        || is_text(expected) && is_text(found) && (expected == Kind::Text || found == Kind::Text)
        // MariaDB's JSON_ARRAY(1) is JSON by its extended metadata and VARBINARY without; it is read as text either way, and checked.
        || expected == Kind::Json && found == Kind::Bytes
        // MariaDB's VECTOR is VARBINARY.
        || is_bytes(expected) && is_bytes(found) && (expected == Kind::Bytes || found == Kind::Bytes);
    if alike {
        return Fit::Same;
    }
    if converts(expected, found) {
        Fit::Convert
    } else {
        Fit::Never
    }
}

/// Arithmetic results take their type from the values bound: the same statement gives BIGINT, DECIMAL or DOUBLE.
fn converts(expected: Kind, found: Kind) -> bool {
    match (expected, found) {
        (Kind::Double, Kind::Float | Kind::Decimal) | (Kind::Decimal, Kind::Double) => true,
        (Kind::Decimal | Kind::Double, found) => is_integer(found),
        (expected, Kind::Decimal) => is_integer(expected),
        _ => false,
    }
}

fn is_integer(kind: Kind) -> bool {
    matches!(
        kind.wire(),
        Wire::I8 | Wire::U8 | Wire::I16 | Wire::U16 | Wire::I32 | Wire::U32 | Wire::I64 | Wire::U64
    )
}

fn is_moment(kind: Kind) -> bool {
    kind.wire() == Wire::DateTime
}

fn is_bit(kind: Kind) -> bool {
    kind.wire() == Wire::Bit
}

fn is_text(kind: Kind) -> bool {
    kind.wire() == Wire::Text
}

fn is_bytes(kind: Kind) -> bool {
    kind.wire() == Wire::Bytes
}

fn is_string(kind: Kind) -> bool {
    is_text(kind) || is_bytes(kind)
}
