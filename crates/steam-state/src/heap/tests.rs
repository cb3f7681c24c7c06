//! The policy of the pool, and its frozen form against a naive twin.

use super::naive::NaivePool;
use super::*;

/// What the pools of one search share.
struct Search {
    stores: Arc<Stores>,
}

impl Search {
    fn new() -> Self {
        Self { stores: Arc::new(Stores::new(3)) }
    }

    fn pool(&self, quarantine: u32) -> HeapPool {
        HeapPool::new(Arc::clone(&self.stores), quarantine, Recorder::default())
    }

    /// Freezes a pool that is attached to `table` into that table; how many slots changed.
    fn freeze(&self, pool: &mut HeapPool, table: &mut Table) -> usize {
        let mut changes = 0;
        pool.freeze(&mut |key, id| {
            let old = table.set(self.stores.slots.slot(key, ThreadId(1)), id);
            assert_ne!(old, id);
            changes += 1;
        });
        pool.attach(table, Space::FIRST);
        changes
    }
}

/// Pseudo-random numbers below a bound.
fn random(mut seed: u32) -> impl FnMut(u32) -> u32 {
    move |bound| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) % bound
    }
}

#[test]
fn blocks_never_overlap_and_keep_their_gap() {
    let mut pool = Search::new().pool(2);
    let mut live: Vec<Block> = Vec::new();
    let mut random = random(3);
    for _ in 0..4000 {
        if random(3) > 0 || live.is_empty() {
            let alignment = 1 << random(10);
            let thread = ThreadId(random(3) + 1);
            let size = random(300) * random(20);
            let block = pool.allocate(thread, size, alignment, 0).expect("room");
            assert_eq!(block.address % alignment.max(16), 0);
            for other in &live {
                assert!(
                    block.address + size.max(1) + GAP <= other.address
                        || other.address + other.size.max(1) + GAP <= block.address
                );
            }
            live.push(block);
        } else {
            let block = live.swap_remove(random(live.len() as u32) as usize);
            let thread = ThreadId(random(3) + 1);
            assert_eq!(pool.free(block.address, thread), Ok(block));
            assert_eq!(pool.free(block.address, thread), Err(FreeError::NoBlock));
        }
    }
}

#[test]
fn addresses_depend_on_the_thread_s_own_history_only() {
    let search = Search::new();
    let (mut a, mut b) = (search.pool(0), search.pool(0));
    let (one, two) = (ThreadId(1), ThreadId(2));
    let in_a = (a.allocate(one, 24, 1, 0), a.allocate(two, 24, 1, 0), a.allocate(one, 8, 1, 0));
    let first = b.allocate(two, 24, 1, 0);
    let in_b = (b.allocate(one, 24, 1, 0), first, b.allocate(one, 8, 1, 0));
    assert_eq!(in_a, in_b);
    let (mut left, mut right) = (Table::default(), Table::default());
    search.freeze(&mut a, &mut left);
    search.freeze(&mut b, &mut right);
    assert!(left.same(&right));
}

#[test]
fn what_others_free_is_not_looked_at_by_the_first_allocations() {
    let mut pool = Search::new().pool(0);
    let (one, two) = (ThreadId(1), ThreadId(2));
    let mut last = HEAP_START;
    for _ in 0..FRESH {
        let block = pool.allocate(one, 24, 1, 0).expect("room");
        assert!(block.address >= last && !pool.has_looked_back());
        last = block.address + 1;
        assert_eq!(pool.free(block.address, two), Ok(block));
    }
    let again = pool.allocate(one, 24, 1, 0).expect("room");
    assert!(again.address == HEAP_START && pool.has_looked_back());
    let own = pool.free(again.address, one).expect("a block");
    let same = pool.allocate(one, 24, 1, 0).expect("room");
    assert!(same.address == own.address && !pool.has_looked_back(), "its own it always knows");
}

#[test]
fn the_quarantine_gives_way_before_memory_runs_out() {
    let mut pool = Search::new().pool(16);
    for _ in 0..100 {
        let block = pool.allocate(ThreadId::FIRST, 0x800_0000, 1, 0).expect("freed before");
        assert!(pool.free(block.address, ThreadId(1)).is_ok());
    }
}

#[test]
fn freed_space_serves_larger_blocks_when_nothing_else_is_left() {
    let mut pool = Search::new().pool(16);
    let small = pool.allocate(ThreadId::FIRST, 40, 1, 0).expect("room");
    for megabytes in [256, 512, 768, 1024, 1280] {
        let block = pool.allocate(ThreadId::FIRST, megabytes << 20, 1, 0).expect("room");
        assert!(block.address >= small.address + small.size + GAP);
        assert_eq!(pool.free(block.address, ThreadId(1)), Ok(block));
    }
    let halves = [600 << 20, 600 << 20]
        .map(|size| pool.allocate(ThreadId::FIRST, size, 1, 0).expect("what was freed before"));
    assert!(halves[0].address + halves[0].size + GAP <= halves[1].address);
    assert_eq!(pool.allocate(ThreadId::FIRST, 600 << 20, 1, 0), None);
}

#[test]
fn space_that_a_larger_block_took_is_not_reused() {
    let mut pool = Search::new().pool(0);
    let halves = [600 << 20, 600 << 20]
        .map(|size| pool.allocate(ThreadId::FIRST, size, 1, 0).expect("room"));
    for block in halves {
        assert_eq!(pool.free(block.address, ThreadId(1)), Ok(block));
    }
    let large = pool.allocate(ThreadId::FIRST, 1000 << 20, 1, 0).expect("what was freed before");
    assert_eq!(large.address, halves[0].address);
    assert_eq!(pool.allocate(ThreadId::FIRST, 600 << 20, 1, 0), None);
    assert_eq!(pool.covering(halves[1].address), Some(large));
}

#[test]
fn too_much_is_refused() {
    let mut pool = Search::new().pool(0);
    assert_eq!(pool.allocate(ThreadId::FIRST, u32::MAX, 1, 0), None);
    assert_eq!(pool.allocate(ThreadId::FIRST, 0x7000_0000, 1, 0), None);
    assert!(pool.allocate(ThreadId(2), 0x100_0000, 1, 0).is_some());
}

#[test]
fn what_other_threads_allocate_depends_on_nobody_else_for_megabytes() {
    let mut pool = Search::new().pool(0);
    let [two, three] = [2, 3].map(|thread| {
        let sizes = [100, 200_000, 3 << 20, 100, 1000];
        sizes.map(|size| pool.allocate(ThreadId(thread), size, 1, 0).expect("room"))
    });
    for (block, thread) in two.iter().map(|it| (it, 2)).chain(three.iter().map(|it| (it, 3))) {
        assert_eq!(block.arena, ThreadId(thread));
        let last = block.address + block.size - 1;
        assert_eq!(pool.covering(last), Some(*block));
    }
    // Beyond all that is their own they share the first arena.
    let far = pool.allocate(ThreadId(900), 200_000, 1, 0).expect("room");
    assert_eq!(far.arena, ThreadId::FIRST);
}

/// One random operation on both pools, whose results must be equal.
fn step(pool: &mut HeapPool, twin: &mut NaivePool, random: &mut impl FnMut(u32) -> u32) {
    let live: Vec<u32> = twin.blocks().map(|block| block.address).collect();
    let near = match live.len() as u32 {
        0 => HEAP_START + random(5000),
        count => live[random(count) as usize].wrapping_add(random(3) * random(70)),
    };
    match random(10) {
        0..=3 => {
            let thread = ThreadId(random(4) + 1);
            let size = match random(12) {
                0 => random(0x2000_0000),
                1 => random(0x30_0000),
                _ => random(300) * random(30),
            };
            let (alignment, site) = (1 << random(14), random(3));
            let block = pool.allocate(thread, size, alignment, site);
            assert_eq!(block, twin.allocate(thread, size, alignment, site));
        }
        4..=6 => {
            let thread = ThreadId(1 + random(2));
            assert_eq!(pool.free(near, thread), twin.free(near, thread));
        }
        7 => {
            let size = random(2000);
            assert_eq!(pool.resize(near, size), twin.resize(near, size));
        }
        _ => {
            for address in [near, near.wrapping_sub(1), near + random(0x40_0000)] {
                assert_eq!(pool.get(address), twin.get(address));
                assert_eq!(pool.covering(address), twin.covering(address));
                assert_eq!(pool.before(address), twin.before(address));
                assert_eq!(pool.after(address), twin.after(address));
            }
        }
    }
}

#[test]
fn agrees_with_the_naive_pool_through_freezing_and_going_back() {
    let search = Search::new();
    let mut random = random(17);
    for quarantine in [0, 2, 16] {
        let mut pool = search.pool(quarantine);
        let mut twin = NaivePool::new(quarantine);
        let mut table = Table::default();
        let mut versions = vec![(table.clone(), twin.clone())];
        for iteration in 0..4000 {
            step(&mut pool, &mut twin, &mut random);
            match random(8) {
                0 | 1 => {
                    search.freeze(&mut pool, &mut table);
                    versions.push((table.clone(), twin.clone()));
                }
                2 if iteration % 16 == 0 => {
                    let index = random(versions.len() as u32) as usize;
                    (table, twin) = versions[index].clone();
                    pool.attach(&table, Space::FIRST);
                }
                _ => {}
            }
        }
        for (table, twin) in &versions {
            pool.attach(table, Space::FIRST);
            assert!(pool.blocks().eq(twin.blocks()));
        }
    }
}

#[test]
fn a_pool_that_gave_everything_back_but_its_history_has_no_pages() {
    let search = Search::new();
    let mut pool = search.pool(0);
    let mut table = Table::default();
    let blocks = [40, 5000, 2 << 20].map(|size| pool.allocate(ThreadId(1), size, 1, 7));
    assert_eq!(search.freeze(&mut pool, &mut table), 3);
    for block in blocks.into_iter().flatten() {
        assert_eq!(pool.free(block.address, ThreadId(1)), Ok(block));
    }
    assert_eq!(search.freeze(&mut pool, &mut table), 3);
    let held: Vec<_> = table.iter().filter_map(|(slot, _)| search.stores.slots.key(slot)).collect();
    assert_eq!(held, [Key::Arena(Space::FIRST, ThreadId(1))]);
    let again = [40, 5000, 2 << 20].map(|size| pool.allocate(ThreadId(1), size, 1, 7));
    assert_eq!(again, blocks);
    for block in blocks.into_iter().flatten() {
        assert_eq!(pool.free(block.address, ThreadId(1)), Ok(block));
    }
    assert_eq!(search.freeze(&mut pool, &mut table), 0);
}
