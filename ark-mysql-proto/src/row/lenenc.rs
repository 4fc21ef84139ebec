//! Length-encoded strings, where they stand in rows.

/// Marks NULL in text rows.
pub(super) const NULL: u8 = 0xfb;

/// Splits a length-encoded string off the front; `None` when the length is no length, or more than is there.
#[inline]
pub(super) fn split_bytes(input: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&first, rest) = input.split_first()?;
    if first < NULL {
        return rest.split_at_checked(usize::from(first));
    }
    split_long(first, rest)
}

#[cold]
fn split_long(first: u8, rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let width = match first {
        0xfc => 2,
        0xfd => 3,
        0xfe => 8,
        _ => return None,
    };
    let (length, rest) = rest.split_at_checked(width)?;
    let length = length
        .iter()
        .rev()
        .fold(0u64, |length, &byte| length << 8 | u64::from(byte));
    rest.split_at_checked(usize::try_from(length).ok()?)
}
