//! The text that callgrind writes. <https://valgrind.org/docs/manual/cl-format.html>

use std::collections::BTreeMap;

/// Instructions and calls by function.
#[derive(Debug, Default)]
pub(super) struct Profile {
    /// Instructions of each function itself, without those that it calls.
    pub(super) own: BTreeMap<String, u64>,
    calls: BTreeMap<String, u64>,
}

/// The C library's ways to get memory; Rust's allocator ends in these.
const ALLOCATORS: [&str; 6] = [
    "malloc",
    "calloc",
    "realloc",
    "posix_memalign",
    "aligned_alloc",
    "memalign",
];

impl Profile {
    pub(super) fn parse(text: &str) -> Self {
        let mut profile = Self::default();
        let (mut function, mut callee) = (String::new(), String::new());
        let mut next_is_callees = false;
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("fn=") {
                name.clone_into(&mut function);
            } else if let Some(name) = line.strip_prefix("cfn=") {
                name.clone_into(&mut callee);
            } else if let Some(rest) = line.strip_prefix("calls=") {
                let count = rest
                    .split(' ')
                    .next()
                    .and_then(|count| count.parse().ok())
                    .unwrap_or(0);
                *profile.calls.entry(callee.clone()).or_default() += count;
                next_is_callees = true; // the line after tells what the callee cost, which is counted where it is its own
            } else if let Some(cost) = cost(line)
                && !std::mem::take(&mut next_is_callees)
            {
                *profile.own.entry(function.clone()).or_default() += cost;
            }
        }
        profile
    }

    pub(super) fn total(&self) -> u64 {
        self.own.values().sum()
    }

    pub(super) fn allocations(&self) -> u64 {
        self.calls
            .iter()
            .filter(|(name, _)| ALLOCATORS.contains(&name.as_str()))
            .map(|(_, calls)| calls)
            .sum()
    }
}

/// The instructions of a cost line: `LINE INSTRUCTIONS`.
fn cost(line: &str) -> Option<u64> {
    let (position, cost) = line.split_once(' ')?;
    position.parse::<u64>().ok()?;
    cost.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::Profile;

    #[test]
    fn costs_of_callees_are_not_the_callers() {
        let profile = Profile::parse(
            "version: 1\nevents: Ir\nsummary: 19\n\nfl=a.rs\nfn=main\n3 4\ncfn=malloc\ncalls=2 9\n3 10\n4 5\n\nfn=malloc\n9 10\n\ntotals: 19\n",
        );
        assert_eq!(profile.total(), 19);
        assert_eq!(profile.own["main"], 9);
        assert_eq!(profile.allocations(), 2);
    }
}
