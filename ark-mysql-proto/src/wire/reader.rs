use crate::ProtocolError;

/// The one cursor that reads hostile bytes. Every read can fail, and says which field of which packet it was.
///
/// ```text
/// | read already | rest .......... |
///                ^ the next field
/// ```
#[derive(Clone)]
pub(crate) struct Reader<'a> {
    packet: &'static str,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Starts at the first byte of `payload`. `packet` is the name for error messages.
    #[inline]
    pub(crate) fn new(packet: &'static str, payload: &'a [u8]) -> Self {
        Self {
            packet,
            rest: payload,
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    #[inline]
    pub(crate) fn bytes(
        &mut self,
        length: usize,
        field: &'static str,
    ) -> Result<&'a [u8], ProtocolError> {
        let (bytes, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or_else(|| self.truncated(field))?;
        self.rest = rest;
        Ok(bytes)
    }

    #[inline]
    pub(crate) fn array<const N: usize>(
        &mut self,
        field: &'static str,
    ) -> Result<[u8; N], ProtocolError> {
        let (bytes, rest) = self
            .rest
            .split_first_chunk::<N>()
            .ok_or_else(|| self.truncated(field))?;
        self.rest = rest;
        Ok(*bytes)
    }

    #[inline]
    pub(crate) fn u8(&mut self, field: &'static str) -> Result<u8, ProtocolError> {
        self.array(field).map(u8::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u16(&mut self, field: &'static str) -> Result<u16, ProtocolError> {
        self.array(field).map(u16::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u32(&mut self, field: &'static str) -> Result<u32, ProtocolError> {
        self.array(field).map(u32::from_le_bytes)
    }

    /// Reads a length-encoded integer. `0xfb` (NULL) and `0xff` (an error) are no integers.
    #[inline]
    pub(crate) fn lenenc(&mut self, field: &'static str) -> Result<u64, ProtocolError> {
        match self.u8(field)? {
            small @ 0..=0xfa => Ok(u64::from(small)),
            0xfc => self.u16(field).map(u64::from),
            0xfd => {
                let [a, b, c] = self.array(field)?;
                Ok(u64::from(u32::from_le_bytes([a, b, c, 0])))
            }
            0xfe => self.array(field).map(u64::from_le_bytes),
            0xfb | 0xff => Err(self.invalid(field)),
        }
    }

    /// Reads a string with its length in front.
    #[inline]
    pub(crate) fn lenenc_bytes(&mut self, field: &'static str) -> Result<&'a [u8], ProtocolError> {
        let length = self.lenenc(field)?;
        // A length beyond the address space is beyond the packet, too.
        let length = usize::try_from(length).map_err(|_| self.truncated(field))?;
        self.bytes(length, field)
    }

    /// Reads up to a zero byte, which is taken but not returned.
    pub(crate) fn until_zero(&mut self, field: &'static str) -> Result<&'a [u8], ProtocolError> {
        let end = self
            .rest
            .iter()
            .position(|byte| *byte == 0)
            .ok_or_else(|| self.truncated(field))?;
        let bytes = self.bytes(end, field)?;
        self.u8(field)?;
        Ok(bytes)
    }

    /// Takes all that is left.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    /// Insists on nothing being left over.
    #[inline]
    pub(crate) fn finish(self) -> Result<(), ProtocolError> {
        match self.rest.len() {
            0 => Ok(()),
            bytes => Err(ProtocolError::TrailingBytes {
                packet: self.packet,
                bytes,
            }),
        }
    }

    /// The error for a field that is there but holds nonsense.
    #[cold]
    pub(crate) fn invalid(&self, field: &'static str) -> ProtocolError {
        ProtocolError::Invalid {
            packet: self.packet,
            field,
        }
    }

    #[cold]
    fn truncated(&self, field: &'static str) -> ProtocolError {
        ProtocolError::Truncated {
            packet: self.packet,
            field,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lenenc_of_every_width() {
        let mut reader = Reader::new(
            "test",
            &[
                0xfa, 0xfc, 1, 2, 0xfd, 1, 2, 3, 0xfe, 1, 0, 0, 0, 0, 0, 0, 0x80,
            ],
        );
        assert_eq!(reader.lenenc("a"), Ok(250));
        assert_eq!(reader.lenenc("b"), Ok(0x0201));
        assert_eq!(reader.lenenc("c"), Ok(0x03_0201));
        assert_eq!(reader.lenenc("d"), Ok(0x8000_0000_0000_0001));
        assert_eq!(reader.finish(), Ok(()));
    }

    #[test]
    fn hostile_lengths_are_errors() {
        for bytes in [
            &[][..],
            &[0xfb],
            &[0xff],
            &[0xfc, 1],
            &[0xfe; 8],
            &[0xfe; 9],
            &[5, 1, 2],
        ] {
            assert!(
                Reader::new("test", bytes).lenenc_bytes("field").is_err(),
                "{bytes:?}"
            );
        }
        assert!(Reader::new("test", b"no end").until_zero("field").is_err());
        assert!(Reader::new("test", b"x").finish().is_err());
    }
}
