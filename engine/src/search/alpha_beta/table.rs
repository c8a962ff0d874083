//! Transposition table with two bounds an entry and a hard memory limit.
//!
//! A bucket of four 16-byte slots is one cache line, so a probe costs at most one miss. A slot
//! carries the stamp of its game: a new game changes the stamp instead of clearing the memory, and
//! a slot of another stamp is treated exactly as an empty one.
//!
//! Every game begins with a small table that doubles as it fills, up to the limit: most searches
//! are small, and a small table stays in the processor's cache. The size is a function of what the
//! game has stored, so results are too.

/// Slots of a bucket.
pub(super) const WAYS: usize = 4;
/// The stamp of empty slots; no game has it.
pub(super) const EMPTY: u16 = 0;

/// Where a search keeps what it has found out about positions, by their keys.
pub trait Memory {
    /// Whether several threads use it at the same time.
    const SHARED: bool;

    /// What is stored of the position with this key.
    fn probe(&self, key: u64) -> Option<Entry>;

    /// Stores what is known of a position, in place of what matters least.
    fn store(&mut self, key: u64, entry: Entry, moves_left: u16);

    /// Whether some thread is searching the position now; a guess that may be wrong.
    fn is_searched_now(&self, _key: u64) -> bool {
        false
    }

    /// Tells the other threads that the search of a position begins.
    fn begin(&self, _key: u64) {}

    /// Tells the other threads that it has ended.
    fn end(&self, _key: u64) {}
}

/// What is known of a position's remaining value, in points, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The value is at least this.
    pub lower: i16,
    /// The value is at most this.
    pub upper: i16,
}

/// A place of the table and what it holds.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub(super) key: u64,
    pub(super) lower: i16,
    pub(super) upper: i16,
    pub(super) stamp: u16,
    /// Moves left at the position: what a slot is worth.
    pub(super) moves_left: u16,
}

impl Slot {
    /// What the slot holds, if that is of this position and this game.
    #[inline]
    pub(super) fn entry_of(&self, key: u64, stamp: u16) -> Option<Entry> {
        (self.key == key && self.stamp == stamp).then_some(Entry {
            lower: self.lower,
            upper: self.upper,
        })
    }
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
        moves_left: 0,
    }; WAYS],
);

/// Buckets a game begins with: 256 KiB.
pub(super) const FIRST_BUCKETS: usize = 1 << 12;

/// The table. Address space for the whole is taken at the first store, memory as it grows.
pub struct Table {
    buckets: Vec<Bucket>,
    /// Buckets in use in this game, a power of two.
    bucket_count: usize,
    bucket_limit: usize,
    /// 64 minus the logarithm of the bucket count: the shift that makes an index of a hash.
    shift: u32,
    /// Slots of this game.
    filled: usize,
    stamp: u16,
}

impl Table {
    /// A table of at most `entries` entries: a power of two, at least one bucket.
    pub fn with_entries(entries: usize) -> Table {
        let buckets = (entries / WAYS).max(1);
        let bucket_limit = 1 << buckets.ilog2();
        let mut table = Table {
            buckets: Vec::new(),
            bucket_count: 0,
            bucket_limit,
            shift: 0,
            filled: 0,
            stamp: EMPTY + 1,
        };
        table.set_bucket_count(FIRST_BUCKETS.min(bucket_limit));
        table
    }

    fn set_bucket_count(&mut self, count: usize) {
        self.bucket_count = count;
        self.shift = 64 - count.ilog2();
    }

    /// A table of at most `mib` MiB.
    pub fn with_mib(mib: u32) -> Table {
        let bytes = usize::try_from(u64::from(mib) << 20).unwrap_or(usize::MAX);
        Table::with_entries(bytes / size_of::<Slot>())
    }

    /// Bytes the table may use.
    pub fn byte_limit(&self) -> usize {
        self.bucket_limit * size_of::<Bucket>()
    }

    /// Makes everything stored so far invisible.
    pub fn new_game(&mut self) {
        self.set_bucket_count(FIRST_BUCKETS.min(self.bucket_limit));
        self.buckets.truncate(self.bucket_count);
        self.filled = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == EMPTY {
            // After 65,535 games old stamps would come back to life.
            self.buckets.fill(EMPTY_BUCKET);
            self.stamp = EMPTY + 1;
        }
    }

    /// Doubles the number of buckets in place. The index is the upper bits of a hash, so bucket `i`
    /// parts into buckets `2 i` and `2 i + 1`, which nothing else goes to.
    fn double(&mut self) {
        let old = self.bucket_count;
        self.set_bucket_count(2 * old);
        self.buckets.resize(2 * old, EMPTY_BUCKET);
        // From the end: what is written has been read.
        for from in (0..old).rev() {
            let slots = self.buckets[from].0;
            self.buckets[2 * from] = EMPTY_BUCKET;
            self.buckets[2 * from + 1] = EMPTY_BUCKET;
            for slot in slots.iter().filter(|slot| slot.stamp == self.stamp) {
                let index = self.index(slot.key);
                let to = &mut self.buckets[index].0;
                if let Some(free) = to.iter_mut().find(|other| other.stamp == EMPTY) {
                    *free = *slot;
                }
            }
        }
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        let hash = hash_of(key);
        // A shift by 64 (a single bucket) is no shift in Rust.
        hash.checked_shr(self.shift).unwrap_or(0) as usize
    }
}

impl Memory for Table {
    const SHARED: bool = false;

    #[inline]
    fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = self.buckets.get(self.index(key))?;
        let mut entries = bucket.0.iter().map(|slot| slot.entry_of(key, self.stamp));
        entries.find_map(|entry| entry)
    }

    fn store(&mut self, key: u64, entry: Entry, moves_left: u16) {
        debug_assert!(entry.lower <= entry.upper, "bounds cross: one is not sound");
        if self.buckets.is_empty() {
            self.buckets.reserve_exact(self.bucket_limit);
            self.buckets.resize(self.bucket_count, EMPTY_BUCKET);
        } else if self.filled > self.bucket_count * WAYS / 2
            && self.bucket_count < self.bucket_limit
        {
            self.double();
        }
        let (stamp, index) = (self.stamp, self.index(key));
        let slots = &mut self.buckets[index].0;
        let slot = &mut slots[victim(slots, key, stamp, moves_left)];
        self.filled += usize::from(slot.stamp != stamp);
        *slot = Slot {
            key,
            lower: entry.lower,
            upper: entry.upper,
            stamp,
            moves_left,
        };
    }
}

/// Keys may be raw edge masks: a multiplication spreads them; the upper bits are mixed best. No two
/// keys have the same hash.
#[inline]
pub(super) fn hash_of(key: u64) -> u64 {
    (key ^ (key >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The slot to overwrite: the same position, else a slot not of this game, else the one with the
/// fewest moves left if that is no more than the newcomer's, else the last, which is always given
/// up so that the newest small positions have a place.
pub(super) fn victim(slots: &[Slot; WAYS], key: u64, stamp: u16, moves_left: u16) -> usize {
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
        Entry { lower, upper }
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
    fn a_table_that_grows_keeps_what_it_holds() {
        let mut table = Table::with_entries(1 << 17);
        for _game in 0..2 {
            let mut stored = 0;
            while table.bucket_count < table.bucket_limit {
                table.store(stored, entry(stored as i16 & 63, 99), 9);
                stored += 1;
            }
            let kept = (0..stored).filter(|&key| {
                let found = table.probe(key);
                assert!(found.is_none_or(|found| found == entry(key as i16 & 63, 99)));
                found.is_some()
            });
            // A bucket overflows now and then.
            assert!(kept.count() as u64 > stored * 95 / 100);
            assert!(table.buckets.capacity() <= table.bucket_limit);
            table.new_game();
            assert!((0..stored).all(|key| table.probe(key).is_none()));
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
