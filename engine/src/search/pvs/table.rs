//! Transposition table of estimates: what a position is worth to a depth, the move that showed it,
//! and its static value.
//!
//! Entries carry the stamp of their game; a new game changes the stamp instead of clearing memory.
//! The table begins small and doubles as it fills up to its limit, so its size, and with it every
//! result, depends on what the game has stored and on nothing else.

use super::Score;

/// What a stored value says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    Lower,
    Upper,
}

/// What a search of a position to a depth has found, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry<M> {
    pub(super) value: Score,
    /// Plies below the position that were searched, leaves that were put off not counted.
    pub(super) depth: u16,
    pub(super) bound: Bound,
    /// Plies to the nearest leaf at the depth limit; `None` where no line ended there.
    pub(super) nearest_leaf: Option<u16>,
    pub(super) best: Option<M>,
}

/// Stamp of a slot that holds nothing.
const EMPTY: u32 = 0;

#[derive(Clone, Copy)]
struct Slot<M> {
    key: u64,
    static_value: Option<Score>,
    entry: Option<Entry<M>>,
    stamp: u32,
}

impl<M> Slot<M> {
    const NOTHING: Slot<M> = Slot {
        key: 0,
        static_value: None,
        entry: None,
        stamp: EMPTY,
    };

    /// What the slot is worth: those searched deep are dear to make again.
    fn rank(&self, stamp: u32) -> u32 {
        match &self.entry {
            _ if self.stamp != stamp => 0,
            None => 1,
            Some(entry) => 2 + u32::from(entry.depth),
        }
    }
}

/// Slots a game begins with.
const FIRST_SLOTS: usize = 1 << 10;

pub(super) struct Table<M> {
    slots: Vec<Slot<M>>,
    limit: usize,
    filled: usize,
    stamp: u32,
}

impl<M: Copy> Table<M> {
    /// A table of at most so many slots, rounded down to a power of two, at least two.
    pub(super) fn with_slots(slots: usize) -> Self {
        Self {
            slots: Vec::new(),
            limit: 1 << slots.max(2).ilog2(),
            filled: 0,
            stamp: EMPTY + 1,
        }
    }

    /// A table of at most so many MiB.
    pub(super) fn with_mib(mib: u32) -> Self {
        let bytes = usize::try_from(u64::from(mib) << 20).unwrap_or(usize::MAX);
        Self::with_slots(bytes / size_of::<Slot<M>>())
    }

    /// Makes everything stored so far invisible.
    pub(super) fn new_game(&mut self) {
        self.slots.truncate(FIRST_SLOTS);
        self.filled = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == EMPTY {
            // Old stamps would come back to life.
            self.slots.fill(Slot::NOTHING);
            self.stamp = EMPTY + 1;
        }
    }

    pub(super) fn entry(&self, key: u64) -> Option<Entry<M>> {
        self.find(key)?.entry
    }

    pub(super) fn static_value(&self, key: u64) -> Option<Score> {
        self.find(key)?.static_value
    }

    fn find(&self, key: u64) -> Option<&Slot<M>> {
        let pair = self.slots.chunks_exact(2).nth(self.pair_of(key)?)?;
        pair.iter()
            .find(|slot| slot.key == key && slot.stamp == self.stamp)
    }

    /// Stores what a search found, in place of what is worth least.
    pub(super) fn store(&mut self, key: u64, entry: Entry<M>) {
        if let Some(slot) = self.slot_for(key, 2 + u32::from(entry.depth)) {
            slot.entry = Some(entry);
        }
    }

    /// Stores a static value where nothing of more worth stands.
    pub(super) fn store_static(&mut self, key: u64, value: Score) {
        if let Some(slot) = self.slot_for(key, 1) {
            slot.static_value = Some(value);
        }
    }

    /// The slot of a key, made if there is room for something of this rank. The first of a pair
    /// keeps what is worth most, the second is given to whatever was searched last.
    fn slot_for(&mut self, key: u64, rank: u32) -> Option<&mut Slot<M>> {
        self.grow();
        let first = 2 * self.pair_of(key)?;
        let stamp = self.stamp;
        let is_same = |slot: &Slot<M>| slot.key == key && slot.stamp == stamp;
        let ranks = [first, first + 1].map(|at| self.slots[at].rank(stamp));
        let at = match (is_same(&self.slots[first]), is_same(&self.slots[first + 1])) {
            (true, _) => return Some(&mut self.slots[first]),
            (_, true) => return Some(&mut self.slots[first + 1]),
            _ if rank >= ranks[0] => first,
            _ if rank >= ranks[1] || rank > 1 => first + 1,
            _ => return None,
        };
        self.filled += usize::from(self.slots[at].stamp != stamp);
        self.slots[at] = Slot {
            key,
            stamp,
            ..Slot::NOTHING
        };
        Some(&mut self.slots[at])
    }

    /// The pair of slots of a key; `None` while there are no slots.
    fn pair_of(&self, key: u64) -> Option<usize> {
        let pairs = self.slots.len() / 2;
        let hash = (key ^ (key >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        (pairs > 0).then(|| hash as usize & (pairs - 1))
    }

    /// Makes room when more than half of the slots are filled.
    fn grow(&mut self) {
        if self.slots.is_empty() {
            self.slots
                .resize(FIRST_SLOTS.min(self.limit), Slot::NOTHING);
        }
        if self.filled * 2 <= self.slots.len() || self.slots.len() >= self.limit {
            return;
        }
        let size = 2 * self.slots.len();
        let old = std::mem::replace(&mut self.slots, vec![Slot::NOTHING; size]);
        self.filled = 0;
        let stamp = self.stamp;
        for slot in old.iter().filter(|slot| slot.stamp == stamp) {
            let rank = slot.rank(stamp);
            if let Some(place) = self.slot_for(slot.key, rank) {
                *place = *slot;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u16) -> Entry<char> {
        Entry {
            value: i64::from(depth),
            depth,
            bound: Bound::Exact,
            nearest_leaf: Some(depth),
            best: Some('a'),
        }
    }

    #[test]
    fn static_values_and_entries_of_a_position_stand_together() {
        let mut table = Table::with_slots(64);
        assert_eq!(table.entry(5), None);
        table.store_static(5, 17);
        assert_eq!((table.static_value(5), table.entry(5)), (Some(17), None));
        table.store(5, entry(3));
        table.store_static(5, 18);
        assert_eq!(table.entry(5), Some(entry(3)));
        assert_eq!(table.static_value(5), Some(18));
    }

    #[test]
    fn a_new_game_sees_nothing_even_after_the_stamp_wraps() {
        let mut table = Table::with_slots(2);
        table.store(7, entry(1));
        table.stamp = u32::MAX;
        table.store(8, entry(1));
        table.new_game();
        assert_eq!(table.stamp, EMPTY + 1);
        assert_eq!((table.entry(7), table.entry(8)), (None, None));
    }

    #[test]
    fn what_was_searched_deep_stays_and_static_values_never_push_it_out() {
        let mut table = Table::with_slots(2);
        table.store(1, entry(5));
        table.store(2, entry(3));
        table.store_static(3, 9);
        assert!(table.entry(1).is_some() && table.entry(2).is_some());
        table.store(4, entry(1));
        assert!(table.entry(1).is_some() && table.entry(2).is_none());
        table.store(5, entry(6));
        assert!(table.entry(1).is_none() && table.entry(4).is_some());
    }

    #[test]
    fn a_table_grows_to_its_limit_keeps_what_it_holds_and_shrinks_with_a_new_game() {
        let mut table = Table::with_slots(1 << 14);
        for key in 0..5_000 {
            table.store(key, entry(key as u16 & 63));
        }
        assert!(table.slots.len() > FIRST_SLOTS && table.slots.len() <= 1 << 14);
        let kept = (0..5_000).filter(|&key| {
            let found = table.entry(key);
            assert!(found.is_none_or(|found| found == entry(key as u16 & 63)));
            found.is_some()
        });
        assert!(kept.count() > 4_000);
        table.new_game();
        assert_eq!(table.slots.len(), FIRST_SLOTS);
        assert!((0..5_000).all(|key| table.entry(key).is_none()));
    }
}
