//! Chance that repeats itself: the same numbers from the same seed, on every machine.

/// A small generator (xorshift64*). Good enough to make a shop up, and for nothing else.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// A seed of 0 would give nothing but zeros, so it counts as 1.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.max(1))
    }

    /// A number below `end`; 0 where `end` is 0.
    pub fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        let scaled = (high * u64::from(end)) >> 32; // below `end`, which is a u32
        u32::try_from(scaled).unwrap_or_default()
    }

    /// A number from `first` to `last`.
    pub fn between(&mut self, first: u32, last: u32) -> u32 {
        first + self.below(last - first + 1)
    }

    /// True `percent` times of 100.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of them; there must be one.
    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        let count = u32::try_from(all.len()).unwrap_or(u32::MAX);
        all[self.below(count) as usize]
    }

    /// `value` made, `percent` times of 100.
    pub fn maybe<T>(&mut self, percent: u32, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.percent(percent) {
            Some(value(self))
        } else {
            None
        }
    }
}
