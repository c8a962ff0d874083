//! Transposition table with two bounds an entry and a hard memory limit.
//!
//! A bucket of four 16-byte slots is one cache line, so a probe costs at most one miss. A slot
//! carries the stamp of its game: a new game changes the stamp instead of clearing the memory, and
//! a slot of another stamp is treated exactly as an empty one.

/// Slots of a bucket.
const WAYS: usize = 4;
/// "No best move known" in a slot; positions with more moves store no best move beyond it.
pub(super) const NO_MOVE: u8 = u8::MAX;
/// The stamp of empty slots; no game has it.
const EMPTY: u16 = 0;

/// What is known of a position's remaining value, in points, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// The value is at least this.
    pub(super) lower: i16,
    /// The value is at most this.
    pub(super) upper: i16,
    /// Index of the best move in the order of generation, a hint only; [`NO_MOVE`] if unknown.
    pub(super) best: u8,
}

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    lower: i16,
    upper: i16,
    stamp: u16,
    best: u8,
    /// Moves left at the position, at most 255: what a slot is worth.
    moves_left: u8,
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

// Four slots fill one cache line of 64 bytes; a larger slot would make a probe cost two misses.
const _: () = assert!(size_of::<Slot>() == 16 && size_of::<Bucket>() == 64);

const EMPTY_BUCKET: Bucket = Bucket(
    [Slot {
        key: 0,
        lower: 0,
        upper: 0,
        stamp: EMPTY,
        best: NO_MOVE,
        moves_left: 0,
    }; WAYS],
);

/// The table. Its memory is taken at the first store and never grows.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    bucket_count: usize,
    /// 64 minus the logarithm of the bucket count: the shift that makes an index of a hash.
    shift: u32,
    stamp: u16,
}

impl Table {
    /// A table of at most `entries` entries: a power of two, at least one bucket.
    pub(super) fn with_entries(entries: usize) -> Table {
        let buckets = (entries / WAYS).max(1);
        let bits = buckets.ilog2();
        Table {
            buckets: Vec::new(),
            bucket_count: 1 << bits,
            shift: 64 - bits,
            stamp: EMPTY + 1,
        }
    }

    /// A table of at most `mib` MiB.
    pub(super) fn with_mib(mib: u32) -> Table {
        let bytes = usize::try_from(u64::from(mib) << 20).unwrap_or(usize::MAX);
        Table::with_entries(bytes / size_of::<Slot>())
    }

    /// Bytes the table may use.
    pub(super) fn byte_limit(&self) -> usize {
        self.bucket_count * size_of::<Bucket>()
    }

    /// Makes everything stored so far invisible.
    pub(super) fn new_game(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == EMPTY {
            // After 65,535 games old stamps would come back to life.
            self.buckets.fill(EMPTY_BUCKET);
            self.stamp = EMPTY + 1;
        }
    }

    /// What is stored of the position with this key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = self.buckets.get(self.index(key))?;
        let slot = bucket
            .0
            .iter()
            .find(|slot| slot.key == key && slot.stamp == self.stamp)?;
        Some(Entry {
            lower: slot.lower,
            upper: slot.upper,
            best: slot.best,
        })
    }

    /// Stores what is known of a position, in place of what matters least.
    pub(super) fn store(&mut self, key: u64, entry: Entry, moves_left: u16) {
        debug_assert!(entry.lower <= entry.upper, "bounds cross: one is not sound");
        if self.buckets.is_empty() {
            self.buckets = vec![EMPTY_BUCKET; self.bucket_count];
        }
        let moves_left = u8::try_from(moves_left).unwrap_or(u8::MAX);
        let (stamp, index) = (self.stamp, self.index(key));
        let slots = &mut self.buckets[index].0;
        slots[victim(slots, key, stamp, moves_left)] = Slot {
            key,
            lower: entry.lower,
            upper: entry.upper,
            stamp,
            best: entry.best,
            moves_left,
        };
    }

    /// Keys may be raw edge masks: a multiplication spreads them, the upper bits are the best mixed.
    #[inline]
    fn index(&self, key: u64) -> usize {
        let hash = (key ^ (key >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // A shift by 64 (a single bucket) is no shift in Rust.
        hash.checked_shr(self.shift).unwrap_or(0) as usize
    }
}

/// The slot to overwrite: the same position, else a slot not of this game, else the one with the
/// fewest moves left if that is no more than the newcomer's, else the last, which is always given
/// up so that the newest small positions have a place.
fn victim(slots: &[Slot; WAYS], key: u64, stamp: u16, moves_left: u8) -> usize {
    let current = |slot: &Slot| slot.stamp == stamp;
    if let Some(same) = slots.iter().position(|s| current(s) && s.key == key) {
        return same;
    }
    if let Some(free) = slots.iter().position(|s| !current(s)) {
        return free;
    }
    let mut least = WAYS - 1;
    for index in 0..WAYS {
        if slots[index].moves_left < slots[least].moves_left {
            least = index;
        }
    }
    if slots[least].moves_left <= moves_left {
        least
    } else {
        WAYS - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(lower: i16, upper: i16) -> Entry {
        let best = 3;
        Entry { lower, upper, best }
    }

    #[test]
    fn memory_stays_below_the_limit_and_is_a_power_of_two() {
        assert_eq!(Table::with_mib(1).byte_limit(), 1 << 20);
        assert_eq!(Table::with_mib(3).byte_limit(), 2 << 20);
        assert_eq!(Table::with_entries(100).byte_limit(), 64 * 16);
        assert_eq!(Table::with_entries(0).byte_limit(), 64);
    }

    #[test]
    fn stored_bounds_come_back_and_are_replaced_in_place() {
        let mut table = Table::with_entries(4);
        assert_eq!(table.probe(0), None);
        table.store(0, entry(-5, 5), 9);
        table.store(0, entry(1, 5), 9);
        assert_eq!(table.probe(0), Some(entry(1, 5)));
        assert_eq!(table.probe(1), None);
    }

    #[test]
    fn a_new_game_sees_nothing_even_after_the_stamp_wraps() {
        let mut table = Table::with_entries(4);
        for game in 0..140_000u32 {
            assert_eq!(table.probe(7), None, "game {game}");
            // Stamps that are met again 65,535 games later.
            if game % 1000 < 3 {
                table.store(7, entry(0, 1), 1);
                assert!(table.probe(7).is_some());
            }
            table.new_game();
        }
    }

    #[test]
    fn large_positions_stay_and_small_ones_share_the_last_slot() {
        let mut table = Table::with_entries(4);
        for key in 0..4 {
            table.store(key, entry(0, 0), 20 + key as u16);
        }
        table.store(10, entry(0, 0), 5);
        assert!(table.probe(3).is_none() && table.probe(10).is_some());
        table.store(11, entry(0, 0), 30);
        assert!(table.probe(10).is_none() && table.probe(0).is_some());
        table.store(12, entry(0, 0), 20);
        assert!(table.probe(0).is_none() && table.probe(1).is_some());
    }

    #[test]
    fn positions_of_an_earlier_game_are_replaced_first() {
        let mut table = Table::with_entries(4);
        for key in 0..4 {
            table.store(key, entry(0, 0), 200);
        }
        table.new_game();
        for key in 10..14 {
            table.store(key, entry(0, 0), 1);
        }
        assert!((10..14).all(|key| table.probe(key).is_some()));
        assert!((0..4).all(|key| table.probe(key).is_none()));
    }
}
