//! The transposition table of several threads, and what each of them is searching now.
//!
//! A slot is two atomic words, what is known and the position's hash xor that. Two threads that
//! write a slot at once may leave words of different positions: they do not match, and nothing is
//! found (CITE: Hyatt & Mann 2002, "A lock-less transposition-table implementation for parallel
//! search").
//!
//! Like the table of one thread it begins small and doubles as it fills. Buckets are numbered by
//! the lower bits of a hash, so that bucket `i` of `n` parts into `i` and `n + i`: one thread moves
//! what must move and then makes the new number known; what others store in a moved slot meanwhile
//! is lost, which a table may do at any time.

use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicBool, AtomicU16, AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use super::table::{EMPTY, Entry, FIRST_BUCKETS, Memory, Slot, WAYS, hash_of, victim};

/// Counters of the positions being searched, a power of two: far more than threads times depth,
/// so that two positions seldom share one.
const COUNTERS: usize = 1 << 14;

/// A slot: `word` packs bounds, moves left and stamp, `check` is the mixed key xor `word`.
#[derive(Default)]
struct Pair {
    check: AtomicU64,
    word: AtomicU64,
}

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Pair; WAYS]);

/// A key as `check` holds it: no two keys have the same. Unlike keys, which differ in a few bits
/// as bounds do, mixed keys do not differ by what two words differ.
#[inline]
fn mixed(key: u64) -> u64 {
    let hash = hash_of(key);
    (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl Pair {
    /// The content, with the mixed key in place of the key; after a collision of two writers a key
    /// that no position has.
    #[inline]
    fn load(&self) -> Slot {
        let (check, word) = (self.check.load(Relaxed), self.word.load(Relaxed));
        Slot {
            key: check ^ word,
            lower: word as i16,
            upper: (word >> 16) as i16,
            moves_left: (word >> 32) as u16,
            stamp: (word >> 48) as u16,
        }
    }

    #[inline]
    fn store(&self, slot: Slot) {
        let word = u64::from(slot.lower as u16)
            | u64::from(slot.upper as u16) << 16
            | u64::from(slot.moves_left) << 32
            | u64::from(slot.stamp) << 48;
        self.check.store(slot.key ^ word, Relaxed);
        self.word.store(word, Relaxed);
    }

    /// Makes the slot an empty one.
    fn clear(&self) {
        self.word.store(0, Relaxed);
        self.check.store(0, Relaxed);
    }
}

/// Stores into slots that were empty after which a thread tells the table.
const STORES_BETWEEN_REPORTS: usize = 64;

/// The table of several threads; what an earlier game has stored is as good as empty.
pub(super) struct SharedTable {
    /// The first buckets, then as many as all before them together, and so on.
    parts: Vec<OnceLock<Box<[Bucket]>>>,
    /// Buckets in use in this game, a power of two.
    bucket_count: AtomicUsize,
    bucket_limit: usize,
    first_buckets: usize,
    stamp: u16,
    /// Slots of this game, as reported so far.
    filled: AtomicUsize,
    is_growing: AtomicBool,
    /// How many threads are searching a position, by the lower bits of its hash.
    searched_now: Vec<AtomicU16>,
}

fn empty_buckets(count: usize) -> Box<[Bucket]> {
    (0..count).map(|_| Bucket::default()).collect()
}

impl SharedTable {
    /// A table of at most `entries` entries: a power of two, at least one bucket.
    pub(super) fn with_entries(entries: usize) -> SharedTable {
        let bucket_limit = 1 << (entries / WAYS).max(1).ilog2();
        let first_buckets = FIRST_BUCKETS.min(bucket_limit);
        let parts = 1 + (bucket_limit / first_buckets).ilog2() as usize;
        SharedTable {
            parts: (0..parts).map(|_| OnceLock::new()).collect(),
            bucket_count: AtomicUsize::new(first_buckets),
            bucket_limit,
            first_buckets,
            stamp: EMPTY + 1,
            filled: AtomicUsize::new(0),
            is_growing: AtomicBool::new(false),
            searched_now: (0..COUNTERS).map(|_| AtomicU16::default()).collect(),
        }
    }

    /// A table of at most `mib` MiB.
    pub(super) fn with_mib(mib: u32) -> SharedTable {
        let bytes = usize::try_from(u64::from(mib) << 20).unwrap_or(usize::MAX);
        SharedTable::with_entries(bytes / size_of::<Pair>())
    }

    /// Bytes the entries may take.
    pub(super) fn byte_limit(&self) -> usize {
        self.bucket_limit * size_of::<Bucket>()
    }

    /// Makes everything stored so far invisible.
    pub(super) fn new_game(&mut self) {
        *self.bucket_count.get_mut() = self.first_buckets;
        *self.filled.get_mut() = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == EMPTY {
            // After 65,535 games old stamps would come back to life.
            for buckets in self.parts.iter_mut().filter_map(OnceLock::get_mut) {
                buckets.fill_with(Bucket::default);
            }
            self.stamp = EMPTY + 1;
        }
    }

    /// A thread's access to the table.
    pub(super) fn view(&self) -> View<'_> {
        View {
            table: self,
            unreported: 0,
        }
    }

    /// Bucket `index`, below the number of buckets in use or about to be.
    #[inline]
    fn bucket(&self, index: usize) -> &Bucket {
        let doublings = (index / self.first_buckets).checked_ilog2();
        let (part, begin) = match doublings {
            None => (0, 0),
            Some(doublings) => (doublings as usize + 1, self.first_buckets << doublings),
        };
        let length = begin.max(self.first_buckets);
        &self.parts[part].get_or_init(|| empty_buckets(length))[index - begin]
    }

    #[inline]
    fn bucket_of(&self, mixed: u64) -> &Bucket {
        self.bucket(index(mixed, self.bucket_count.load(Acquire)))
    }

    #[inline]
    fn counter(&self, key: u64) -> &AtomicU16 {
        &self.searched_now[mixed(key) as usize % COUNTERS]
    }

    /// Counts filled slots and doubles the table once it is half full, unless another thread does.
    fn report(&self, new: usize) {
        let filled = self.filled.fetch_add(new, Relaxed) + new;
        let count = self.bucket_count.load(Acquire);
        if filled <= count * WAYS / 2 || count == self.bucket_limit {
            return;
        }
        if self.is_growing.swap(true, Acquire) {
            return;
        }
        // Only who is growing changes it, and another thread may just have done so.
        if self.bucket_count.load(Relaxed) == count {
            self.part_buckets(count);
            self.bucket_count.store(2 * count, Release);
        }
        self.is_growing.store(false, Release);
    }

    /// Moves what belongs into the upper half of twice as many buckets.
    fn part_buckets(&self, count: usize) {
        for low in 0..count {
            let (from, to) = (&self.bucket(low).0, &self.bucket(count + low).0);
            for (from, to) in from.iter().zip(to) {
                let slot = from.load();
                if slot.stamp == self.stamp && index(slot.key, 2 * count) != low {
                    to.store(slot);
                    from.clear();
                }
            }
        }
    }
}

/// Number of the bucket of `count`, a power of two up to 2^32.
#[inline]
fn index(mixed: u64, count: usize) -> usize {
    // Other bits than those of the counters.
    (mixed >> 32) as usize & (count - 1)
}

/// A thread's access to the table.
pub(super) struct View<'a> {
    table: &'a SharedTable,
    /// Slots that this thread has filled and not reported.
    unreported: usize,
}

impl Memory for View<'_> {
    const SHARED: bool = true;

    #[inline]
    fn probe(&self, key: u64) -> Option<Entry> {
        let (table, mixed) = (self.table, mixed(key));
        let mut pairs = table.bucket_of(mixed).0.iter();
        pairs.find_map(|pair| pair.load().entry_of(mixed, table.stamp))
    }

    #[inline]
    fn store(&mut self, key: u64, entry: Entry, moves_left: u16) {
        debug_assert!(entry.lower <= entry.upper, "bounds cross: one is not sound");
        let stamp = self.table.stamp;
        let new = Slot {
            key: mixed(key),
            lower: entry.lower,
            upper: entry.upper,
            stamp,
            moves_left,
        };
        let bucket = self.table.bucket_of(new.key);
        let slots = bucket.0.each_ref().map(Pair::load);
        let place = victim(&slots, new.key, stamp, moves_left);
        bucket.0[place].store(new);
        self.unreported += usize::from(slots[place].stamp != stamp);
        if self.unreported == STORES_BETWEEN_REPORTS {
            self.table.report(self.unreported);
            self.unreported = 0;
        }
    }

    #[inline]
    fn is_searched_now(&self, key: u64) -> bool {
        self.table.counter(key).load(Relaxed) > 0
    }

    #[inline]
    fn begin(&self, key: u64) {
        self.table.counter(key).fetch_add(1, Relaxed);
    }

    #[inline]
    fn end(&self, key: u64) {
        self.table.counter(key).fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(lower: i16, upper: i16) -> Entry {
        Entry { lower, upper }
    }

    #[test]
    fn bounds_come_back_under_their_key_alone() {
        let owner = SharedTable::with_entries(1 << 12);
        let mut table = owner.view();
        assert_eq!(table.probe(0), None);
        for key in 0..500 {
            let low = key as i16 - 250;
            table.store(key, entry(low, low + 7), 60);
        }
        let kept = (0..500).filter(|&key| {
            let low = key as i16 - 250;
            let found = table.probe(key);
            assert!(found.is_none_or(|found| found == entry(low, low + 7)));
            found.is_some()
        });
        assert!(kept.count() > 490);
        assert_eq!(table.probe(500), None);
    }

    #[test]
    fn words_of_two_positions_are_not_found() {
        let (first, second) = (Pair::default(), Pair::default());
        let slot = |key, lower| Slot {
            key: mixed(key),
            lower,
            upper: 9,
            stamp: 1,
            moves_left: 30,
        };
        for other in 1..2000 {
            first.store(slot(0, -3));
            second.store(slot(other, 5));
            first.word.store(second.word.load(Relaxed), Relaxed);
            let torn = first.load();
            assert!((0..2000).all(|key| torn.entry_of(mixed(key), 1).is_none()));
        }
    }

    #[test]
    fn a_new_game_sees_nothing_even_after_the_stamp_wraps() {
        let mut owner = SharedTable::with_entries(4);
        for game in 0..140_000_u32 {
            assert_eq!(owner.view().probe(7), None, "game {game}");
            if game % 1000 < 3 {
                owner.view().store(7, entry(0, 1), 1);
                assert!(owner.view().probe(7).is_some());
            }
            owner.new_game();
        }
    }

    #[test]
    fn memory_stays_below_the_limit() {
        assert_eq!(SharedTable::with_mib(3).byte_limit(), 2 << 20);
        assert_eq!(SharedTable::with_entries(0).byte_limit(), 64);
    }

    #[test]
    fn a_table_that_grows_keeps_what_it_holds() {
        let mut owner = SharedTable::with_entries(1 << 17);
        for _game in 0..2 {
            assert_eq!(*owner.bucket_count.get_mut(), FIRST_BUCKETS);
            let mut table = owner.view();
            let stored = 1 << 16;
            for key in 0..stored {
                table.store(key, entry(key as i16 & 63, 99), 9);
            }
            let kept = (0..stored).filter(|&key| {
                let found = table.probe(key);
                assert!(found.is_none_or(|found| found == entry(key as i16 & 63, 99)));
                found.is_some()
            });
            // Half full, one bucket in twenty has overflowed.
            assert!(kept.count() as u64 > stored * 9 / 10);
            let buckets = owner.parts.iter().filter_map(OnceLock::get);
            assert_eq!(buckets.map(|part| part.len()).sum::<usize>(), 1 << 15);
            owner.new_game();
            assert!((0..stored).all(|key| owner.view().probe(key).is_none()));
        }
    }

    #[test]
    fn threads_that_store_while_the_table_grows_find_nothing_wrong() {
        let owner = SharedTable::with_entries(1 << 18);
        std::thread::scope(|scope| {
            for first in 0..3 {
                let owner = &owner;
                scope.spawn(move || {
                    let mut table = owner.view();
                    for key in (first..200_000).step_by(2) {
                        table.store(key, entry(key as i16 & 63, 99), 9);
                        let back = key - key / 3;
                        let found = table.probe(back);
                        assert!(found.is_none_or(|found| found == entry(back as i16 & 63, 99)));
                    }
                });
            }
        });
        // How much is lost while one thread grows the table and others go on is the scheduler's
        // affair; afterwards the table holds what any other of its size does.
        let mut table = owner.view();
        (0..200_000).for_each(|key| table.store(key, entry(key as i16 & 63, 99), 9));
        let kept = (0..200_000).filter(|&key| table.probe(key).is_some());
        assert!(kept.count() > 150_000);
    }
}
