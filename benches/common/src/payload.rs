//! The blobs of the table `payloads`.

/// Selects one.
pub const SELECT: &str = "SELECT body FROM payloads WHERE size = ?";

/// The blob of that size: all bytes occur in it.
pub fn blob(size: u32) -> Vec<u8> {
    let byte = |place: u32| u8::try_from((place.wrapping_mul(31) ^ (place >> 8)) % 256);
    (0..size).map(|place| byte(place).unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::blob;

    #[test]
    fn a_blob_has_all_bytes() {
        let blob = blob(1024);
        assert!((0..=255).all(|byte| blob.contains(&byte)) && blob.len() == 1024);
    }
}
