/// Numbers that look random, and come again when `ARK_MYSQL_TEST_SEED` is what a failed test printed.
pub(crate) struct Random(u64);

impl Random {
    #[expect(
        clippy::print_stderr,
        reason = "the seed is shown with the failure of its test"
    )]
    pub(crate) fn new() -> Self {
        let given = std::env::var("ARK_MYSQL_TEST_SEED").ok();
        let seed = given
            .and_then(|seed| seed.parse().ok())
            .unwrap_or_else(fresh);
        eprintln!("ARK_MYSQL_TEST_SEED={seed}");
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to, not including, `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end).unwrap()).unwrap()
    }
}

fn fresh() -> u64 {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap();
    u64::from(since.subsec_nanos()) << 20 | u64::from(std::process::id())
}
