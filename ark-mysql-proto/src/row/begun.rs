//! A row of which only the beginning is there: how long it says that it will be.

use crate::column_type::ColumnType;

/// The beginning of a row that takes more than one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BegunRow<'r> {
    /// In the text protocol.
    Text(&'r [u8]),
    /// In the binary protocol.
    Binary(&'r [u8]),
}

impl BegunRow<'_> {
    /// How many bytes the row must have, at least, by the lengths of the values that have begun. `types`: those of its columns; a text row needs none.
    ///
    /// Lengths are taken as they stand: what they come to is for the caller to judge.
    pub fn least(&self, types: &[ColumnType]) -> u64 {
        match *self {
            Self::Text(bytes) => Walk { bytes, at: 0 }.over_text(),
            Self::Binary(bytes) => Walk { bytes, at: 0 }.over_binary(types),
        }
    }
}

/// A position that may lie behind the bytes that are there.
struct Walk<'r> {
    bytes: &'r [u8],
    at: u64,
}

impl Walk<'_> {
    fn over_text(mut self) -> u64 {
        while let Some(first) = self.byte() {
            match first {
                0xfb => self.pass(1), // NULL
                _ if self.pass_string() => {}
                _ => break,
            }
        }
        self.at
    }

    fn over_binary(mut self, types: &[ColumnType]) -> u64 {
        let bitmap = self.bytes.get(1..).unwrap_or_default();
        let nulls = (types.len() + 2).div_ceil(8);
        if bitmap.len() < nulls {
            return 0;
        }
        self.pass(1 + nulls);
        for (index, kind) in types.iter().enumerate() {
            let bit = index + 2;
            let null = bitmap
                .get(bit / 8)
                .is_some_and(|byte| byte >> (bit % 8) & 1 == 1);
            if !null && !self.pass_value(*kind) {
                break;
            }
        }
        self.at
    }

    /// False: it is not there, or makes no sense.
    fn pass_value(&mut self, kind: ColumnType) -> bool {
        let width = match kind {
            ColumnType::NULL => 0,
            ColumnType::TINY => 1,
            ColumnType::SHORT | ColumnType::YEAR => 2,
            ColumnType::LONG | ColumnType::INT24 | ColumnType::FLOAT => 4,
            ColumnType::LONGLONG | ColumnType::DOUBLE => 8,
            ColumnType::DATE | ColumnType::TIME | ColumnType::DATETIME | ColumnType::TIMESTAMP => {
                match self.byte() {
                    Some(length) => 1 + usize::from(length),
                    None => return false,
                }
            }
            _ => return self.pass_string(),
        };
        self.pass(width);
        true
    }

    fn pass_string(&mut self) -> bool {
        let Some(first) = self.byte() else {
            return false;
        };
        let width = match first {
            0xfc => 2,
            0xfd => 3,
            0xfe => 8,
            0xfb | 0xff => return false,
            short => {
                self.pass(1 + usize::from(short));
                return true;
            }
        };
        let Some(length) = self.rest().get(1..=width) else {
            return false;
        };
        let length = length
            .iter()
            .rev()
            .fold(0u64, |length, byte| length << 8 | u64::from(*byte));
        self.pass(1 + width);
        self.at = self.at.saturating_add(length);
        true
    }

    fn rest(&self) -> &[u8] {
        let at = usize::try_from(self.at).ok();
        at.and_then(|at| self.bytes.get(at..)).unwrap_or_default()
    }

    fn byte(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    fn pass(&mut self, count: usize) {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        self.at = self.at.saturating_add(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: &[u8] = &[0xfe, 0, 0, 0, 0x40, 0, 0, 0, 0];

    #[test]
    fn the_first_value_that_is_not_there_counts_with_its_length() {
        let text = |bytes: &[u8]| BegunRow::Text(bytes).least(&[]);
        assert_eq!(text(&[]), 0);
        assert_eq!(text(b"\x03abc\xfb"), 5);
        assert_eq!(text(b"\x03abc\xfb\x05ab"), 11);
        assert_eq!(text(&[b"\x01a", GIB, b"xxx"].concat()), 2 + 9 + (1 << 30));
        assert_eq!(text(b"\xfc\x00"), 0, "half a length says nothing");
        assert_eq!(text(b"\xff"), 0);
        assert_eq!(
            text(&[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
            u64::MAX
        );
    }

    #[test]
    fn binary_values_are_as_wide_as_their_types() {
        use ColumnType as T;
        let types = [T::TINY, T::LONGLONG, T::DATETIME, T::LONG, T::BLOB, T::BLOB];
        // The fourth is NULL.
        let head = [&[0, 0b10_0000][..], &[7], &[0; 8], &[4, 0, 0, 0, 0]].concat();
        assert_eq!(BegunRow::Binary(&head).least(&types), 16);
        let row = [&head[..], b"\x02ab", GIB].concat();
        assert_eq!(BegunRow::Binary(&row).least(&types), 16 + 3 + 9 + (1 << 30));
        assert_eq!(BegunRow::Binary(&row[..9]).least(&types), 11);
        assert_eq!(BegunRow::Binary(&[0]).least(&types), 0);
    }
}
