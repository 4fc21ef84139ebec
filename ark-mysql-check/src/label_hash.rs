//! Labels as numbers: traits can compare numbers, and no texts.

/// FNV-1a of 64 bits. Two labels of one column and one type must not collide by accident; nobody gains by making them.
pub(crate) fn label_hash(label: &str) -> u64 {
    label.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::label_hash;

    #[test]
    fn hashes_are_those_of_the_book() {
        assert_eq!(label_hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(label_hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(label_hash("foobar"), 0x8594_4171_f739_67e8);
    }
}
