//! The statements that this connection has prepared: found by a constant key, bounded in number and in text, least recently used out first.
//!
//! ```text
//! index  [ · 3 · 0 · · 1 2 ]     open addressing, at least twice as many places as slots; holds slot numbers
//! slots  [ entry entry · entry ] one per prepared statement; never more entries than `capacity`; an entry never moves
//! ```
//! Nothing is hashed to find a statement: the low bits of its digest are as good as a hash, because the digest is one.

use ark_mysql_proto::StatementId;

use super::remembered::Remembered;
use crate::value::StatementKey;

/// Where a statement sits. Once the statement is forgotten the tag fits no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    place: u16,
    tag: u32,
}

/// What is known of one prepared statement.
#[derive(Debug)]
pub(crate) struct Entry {
    key: StatementKey,
    text: Text,
    /// How often it was found here.
    hits: u32,
    tag: u32,
    used: u64,
    /// None while the PREPARE is under way.
    pub(crate) id: Option<StatementId>,
    pub(crate) params: u16,
    /// Whether the server has the parameter types of this handle.
    pub(crate) types_sent: bool,
    pub(crate) definitions: Remembered,
}

/// The SQL, to prepare it once more.
#[derive(Clone, Debug)]
pub(crate) enum Text {
    /// Of a checked statement: its key is a digest of it.
    Checked(&'static str),
    /// Made at run time: the key is a mere hash of it, so it is compared on every hit.
    AtRunTime(Box<str>),
    /// Checked, with lists: its key is a digest and their lengths.
    WithLists(Box<str>),
}

impl Text {
    pub(crate) fn sql(&self) -> &str {
        match self {
            Self::Checked(sql) => sql,
            Self::AtRunTime(sql) | Self::WithLists(sql) => sql,
        }
    }

    /// What is kept of it in this program's memory, in bytes.
    fn bytes(&self) -> usize {
        match self {
            Self::Checked(_) => 0,
            Self::AtRunTime(sql) | Self::WithLists(sql) => sql.len(),
        }
    }

    fn at_run_time(&self) -> Option<&str> {
        match self {
            Self::Checked(_) | Self::WithLists(_) => None,
            Self::AtRunTime(sql) => Some(sql),
        }
    }
}

/// The cache. Ids of statements that had to go are collected in `evicted`, to be closed in front of the next command.
#[derive(Debug)]
pub(crate) struct Statements {
    slots: Vec<Option<Entry>>,
    index: Box<[u16]>,
    capacity: usize,
    clock: u64,
    tags: u32,
    evicted: Vec<StatementId>,
}

const FREE: u16 = u16::MAX;

/// More statements than this on one connection are a mistake: servers allow 16 382 over all connections by default.
const MOST: usize = 4096;

/// Bytes of SQL made at run time that all statements may have, for each place: long ones (an INSERT of many rows) take the room of others.
const TEXT: usize = 16 << 10;

impl Statements {
    pub(crate) fn new(capacity: usize) -> Self {
        let capacity = capacity.clamp(1, MOST);
        let places = (capacity * 2).next_power_of_two();
        Self {
            slots: Vec::new(),
            index: vec![FREE; places].into(),
            capacity,
            clock: 0,
            tags: 0,
            evicted: Vec::new(),
        }
    }

    /// Finds a statement and marks it as used now.
    #[inline]
    pub(crate) fn find(&mut self, key: &StatementKey, text: Option<&str>) -> Option<Slot> {
        let place = self.lookup(key)?;
        self.clock += 1;
        let used = self.clock;
        let entry = self.slots.get_mut(usize::from(place))?.as_mut()?;
        if entry.text.at_run_time() != text || entry.id.is_none() {
            return None; // another text with the same hash, or a PREPARE that was never sent
        }
        entry.used = used;
        entry.hits = entry.hits.saturating_add(1);
        Some(Slot {
            place,
            tag: entry.tag,
        })
    }

    /// Makes an entry for a statement that is about to be prepared, and room for it; statements `in_use` stay.
    pub(crate) fn insert(
        &mut self,
        key: StatementKey,
        text: Text,
        in_use: impl Fn(Slot) -> bool,
    ) -> Slot {
        if let Some(place) = self.lookup(&key) {
            self.evict(place);
        }
        while self.len() >= self.capacity || self.text_bytes() + text.bytes() > self.most_text() {
            let Some(place) = self.oldest(&in_use) else {
                break;
            };
            self.evict(place);
        }
        self.clock += 1;
        self.tags = self.tags.wrapping_add(1);
        let (tag, used) = (self.tags, self.clock);
        let definitions = Remembered::default();
        let entry = Entry {
            key,
            text,
            hits: 0,
            tag,
            used,
            id: None,
            params: 0,
            types_sent: false,
            definitions,
        };
        let place = self.place(entry);
        self.rebuild();
        Slot { place, tag }
    }

    #[inline]
    pub(crate) fn entry(&mut self, slot: Slot) -> Option<&mut Entry> {
        self.slots
            .get_mut(usize::from(slot.place))?
            .as_mut()
            .filter(|entry| entry.tag == slot.tag)
    }

    /// Whether another statement than this one has the handle.
    pub(crate) fn is_taken(&self, id: StatementId, slot: Slot) -> bool {
        let others = self
            .slots
            .iter()
            .flatten()
            .filter(|entry| entry.tag != slot.tag);
        others.into_iter().any(|entry| entry.id == Some(id))
    }

    /// Forgets a statement that the server does not have (its PREPARE failed, or 1243).
    pub(crate) fn forget(&mut self, slot: Slot) {
        if self.entry(slot).is_some() {
            self.take(slot.place);
        }
    }

    /// Forgets a statement and has it closed.
    pub(crate) fn close(&mut self, slot: Slot) {
        if self.entry(slot).is_some() {
            self.evict(slot.place);
        }
    }

    /// Forgets all: the server has done so, too (COM_RESET_CONNECTION).
    pub(crate) fn clear(&mut self) {
        self.slots.clear();
        self.evicted.clear();
        self.index.fill(FREE);
    }

    /// Forgets all, and gives back what is likely to be wanted again: what was used twice or more, the last used first.
    pub(crate) fn clear_but(&mut self, most: usize) -> Vec<(StatementKey, Text)> {
        let mut hot: Vec<_> = self.slots.drain(..).flatten().collect();
        hot.retain(|entry| entry.hits > 0 && entry.id.is_some());
        hot.sort_by_key(|entry| std::cmp::Reverse(entry.used));
        hot.truncate(most);
        self.clear();
        hot.into_iter()
            .map(|entry| (entry.key, entry.text))
            .collect()
    }

    /// Evicts the half that was not used for longest, because the server has no room for more (error 1461).
    pub(crate) fn shrink(&mut self, in_use: impl Fn(Slot) -> bool) {
        for _ in 0..self.len().div_ceil(2) {
            let Some(place) = self.oldest(&in_use) else {
                return;
            };
            self.evict(place);
        }
    }

    /// The next id to be closed.
    pub(crate) fn next_evicted(&mut self) -> Option<StatementId> {
        self.evicted.pop()
    }

    /// Whether some have to be closed.
    pub(crate) fn has_evicted(&self) -> bool {
        !self.evicted.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.iter().flatten().count()
    }
}

impl Statements {
    fn text_bytes(&self) -> usize {
        let texts = self.slots.iter().flatten().map(|entry| &entry.text);
        texts.map(Text::bytes).sum()
    }

    fn most_text(&self) -> usize {
        self.capacity * TEXT
    }

    #[inline]
    fn lookup(&self, key: &StatementKey) -> Option<u16> {
        let first = self.index.get(self.start(*key)).copied()?;
        match self.slots.get(usize::from(first)) {
            Some(Some(entry)) if entry.key == *key => Some(first),
            _ => self.look_further(key),
        }
    }

    #[cold]
    fn look_further(&self, key: &StatementKey) -> Option<u16> {
        self.probe(*key)
            .map(|at| self.index.get(at).copied().unwrap_or(FREE))
            .take_while(|place| *place != FREE)
            .find(|place| {
                let entry = self.slots.get(usize::from(*place)).and_then(Option::as_ref);
                entry.is_some_and(|entry| entry.key == *key)
            })
    }

    /// The places where the key may be, most likely first. There is always a free one among them: half of all are free.
    fn probe(&self, key: StatementKey) -> impl Iterator<Item = usize> + use<> {
        let mask = self.index.len() - 1;
        let start = self.start(key);
        (0..self.index.len()).map(move |step| start.wrapping_add(step) & mask)
    }

    /// Where it most likely is: the number of places is a power of two.
    #[inline]
    fn start(&self, key: StatementKey) -> usize {
        let low = usize::from(u16::try_from(key.digest() & 0xffff).unwrap_or_default());
        low & (self.index.len() - 1)
    }

    fn place(&mut self, entry: Entry) -> u16 {
        let free = self.slots.iter().position(Option::is_none);
        let at = free.unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() - 1
        });
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = Some(entry);
        }
        u16::try_from(at).unwrap_or(FREE)
    }

    fn oldest(&self, in_use: &impl Fn(Slot) -> bool) -> Option<u16> {
        let entries = (0u16..)
            .zip(&self.slots)
            .filter_map(|(place, slot)| Some((place, slot.as_ref()?)));
        let idle = entries.filter(|(place, entry)| {
            !in_use(Slot {
                place: *place,
                tag: entry.tag,
            })
        });
        idle.min_by_key(|(_, entry)| entry.used)
            .map(|(place, _)| place)
    }

    fn evict(&mut self, place: u16) {
        self.take(place)
            .and_then(|entry| entry.id)
            .inspect(|id| self.evicted.push(*id));
    }

    fn take(&mut self, place: u16) -> Option<Entry> {
        let entry = self.slots.get_mut(usize::from(place))?.take();
        self.rebuild();
        entry
    }

    /// Fills the index anew: a few hundred nanoseconds beside the round trip that made it necessary, and no tombstones.
    fn rebuild(&mut self) {
        self.index.fill(FREE);
        let keys: Vec<_> = (0u16..)
            .zip(&self.slots)
            .filter_map(|(place, slot)| Some((place, slot.as_ref()?.key)))
            .collect();
        for (place, key) in keys {
            let free = self
                .probe(key)
                .find(|at| self.index.get(*at) == Some(&FREE));
            if let Some(at) = free.and_then(|at| self.index.get_mut(at)) {
                *at = place;
            }
        }
    }
}

#[cfg(test)]
mod tests;
