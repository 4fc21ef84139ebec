/// Puts fields behind each other into a packet's payload.
pub(crate) struct Writer<'a> {
    out: &'a mut Vec<u8>,
}

impl<'a> Writer<'a> {
    /// Writes behind what is in `out` already.
    #[inline]
    pub(crate) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out }
    }

    #[inline]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.out.extend_from_slice(bytes);
        self
    }

    #[inline]
    pub(crate) fn u8(&mut self, value: u8) -> &mut Self {
        self.out.push(value);
        self
    }

    #[inline]
    pub(crate) fn u32(&mut self, value: u32) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    pub(crate) fn zeros(&mut self, count: usize) -> &mut Self {
        self.out.resize(self.out.len().saturating_add(count), 0);
        self
    }

    /// A length-encoded integer.
    pub(crate) fn lenenc(&mut self, value: usize) -> &mut Self {
        let wide = u64::try_from(value).unwrap_or(u64::MAX);
        let [a, b, c, ..] = wide.to_le_bytes();
        match value {
            0..=0xfa => self.u8(a),
            0xfb..=0xffff => self.u8(0xfc).bytes(&[a, b]),
            0x1_0000..=0xff_ffff => self.u8(0xfd).bytes(&[a, b, c]),
            _ => self.u8(0xfe).bytes(&wide.to_le_bytes()),
        }
    }

    /// A string with its length in front.
    pub(crate) fn lenenc_bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.lenenc(bytes.len()).bytes(bytes)
    }

    /// A string with a zero behind it; it must not have one inside.
    pub(crate) fn zero_terminated(&mut self, bytes: &[u8]) -> &mut Self {
        debug_assert!(
            !bytes.contains(&0),
            "a zero inside would end the string early"
        );
        self.bytes(bytes).u8(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Reader;

    #[test]
    fn lenenc_reads_back() {
        for value in [
            0,
            250,
            251,
            252,
            0xffff,
            0x1_0000,
            0xff_ffff,
            0x100_0000,
            usize::MAX,
        ] {
            let mut out = Vec::new();
            Writer::new(&mut out).lenenc(value);
            assert_eq!(
                Reader::new("test", &out).lenenc("value"),
                Ok(u64::try_from(value).unwrap())
            );
        }
    }
}
