//! Mutations without a fuzzer: the same seed gives the same bytes for ever.

/// A small generator of random numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next_number() % end).unwrap_or(0)
    }

    fn byte(&mut self) -> u8 {
        /// Where lengths, signs and packets begin and end.
        const TELLING: [u8; 16] = [
            0x00, 0x01, 0x02, 0x0c, 0x20, b'\'', b'0', b'9', 0x7f, 0x80, 0xfa, 0xfb, 0xfc, 0xfd,
            0xfe, 0xff,
        ];
        let [any, choice, ..] = self.next_number().to_le_bytes();
        if choice % 2 == 0 {
            any
        } else {
            TELLING[usize::from(any % 16)]
        }
    }
}

/// Changes `input` in one to four places; `other` lends pieces.
pub fn mutate(random: &mut Random, input: &[u8], other: &[u8]) -> Vec<u8> {
    let mut out = input.to_vec();
    for _ in 0..=random.below(4) {
        change(random, &mut out, other);
    }
    out
}

fn change(random: &mut Random, out: &mut Vec<u8>, other: &[u8]) {
    let at = random.below(out.len());
    let longest = if random.below(4) == 0 { out.len() } else { 4 };
    let length = 1 + random.below(longest);
    let end = (at + length).min(out.len());
    match random.below(8) {
        0 if !out.is_empty() => out[at] ^= 1 << random.below(8),
        1 if !out.is_empty() => out[at] = random.byte(),
        2 => out.insert(at, random.byte()),
        3 => drop(out.drain(at..end)),
        4 => {
            let piece = out[at..end].to_vec();
            out.splice(at..at, piece);
        }
        5 => out.truncate(at),
        6 => {
            let from = random.below(other.len());
            let piece = other.iter().skip(from).take(length).copied();
            out.splice(at..end, piece);
        }
        _ => {
            let to = random.below(out.len());
            let piece: Vec<u8> = out.drain(at..end).collect();
            let to = to.min(out.len());
            out.splice(to..to, piece);
        }
    }
}
