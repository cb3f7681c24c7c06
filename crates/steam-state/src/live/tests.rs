//! Tests of thawed memory against plain byte maps.

use super::*;
use crate::context::ThreadId;
use crate::policy::Unwatched;
use crate::region::Protection;
use std::collections::BTreeMap;

/// An empty address space with stores of its own.
pub(super) fn empty() -> LiveMemory<Unwatched> {
    LiveMemory::new(Arc::default(), &Table::default(), Unwatched)
}

/// Interns what was written; the state with it.
fn interned(live: &mut LiveMemory<Unwatched>) -> Table {
    let stores = Arc::clone(&live.stores);
    let mut table = live.table().clone();
    live.freeze(&mut |key, id| {
        let old = table.set(stores.slots.slot(key, ThreadId::FIRST), id);
        assert!(old != id || key == Key::Regions(Space::FIRST), "{key:?} did not change");
    });
    table
}

/// Freezes the state as it is and goes on from it.
pub(super) fn freeze(live: &mut LiveMemory<Unwatched>) -> Table {
    let table = interned(live);
    live.attach(&table, Space::FIRST);
    table
}

fn space() -> LiveMemory<Unwatched> {
    let mut live = empty();
    live.map(0x1000, 0x9000, Protection::READ_WRITE, RegionKind::Mapped);
    live
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }
}

#[test]
fn reads_what_was_written_across_pages_and_freezes() {
    let mut live = space();
    let mut twin: BTreeMap<u32, u8> = BTreeMap::new();
    let mut random = Random(9);
    for step in 0..20_000 {
        let address = 0x1000 + random.below(0x8000 - 16);
        let bytes: [u8; 16] = std::array::from_fn(|_| random.below(256) as u8);
        let length = [4, 1, 16, 8, 0, 0][random.below(6) as usize];
        match length {
            4 => live.store::<4>(address, bytes[..4].try_into().unwrap(), 0).unwrap(),
            1 => live.store::<1>(address, [bytes[0]], 0).unwrap(),
            16 => live.store::<16>(address, bytes, 0).unwrap(),
            8 => live.store::<8>(address, bytes[..8].try_into().unwrap(), 0).unwrap(),
            _ => {
                let got: [u8; 8] = live.load(address, 0).unwrap();
                let expected: [u8; 8] =
                    std::array::from_fn(|i| twin.get(&(address + i as u32)).copied().unwrap_or(0));
                assert_eq!(got, expected, "step {step} at {address:#x}");
            }
        }
        twin.extend((0..length).map(|i| (address + i as u32, bytes[i])));
        if random.below(500) == 0 {
            let frozen = freeze(&mut live);
            let mut again = LiveMemory::new(Arc::clone(&live.stores), &frozen, Unwatched);
            assert!(freeze(&mut again).same(&frozen));
            let mut a = [0; 0x8000];
            let mut b = [0; 0x8000];
            live.read_bytes(0x1000, &mut a).unwrap();
            again.read_bytes(0x1000, &mut b).unwrap();
            assert_eq!(a, b);
        }
    }
}

#[test]
fn equal_contents_freeze_to_equal_memory_whatever_the_history() {
    let stores = Arc::default();
    let mut a = LiveMemory::new(Arc::clone(&stores), &Table::default(), Unwatched);
    let mut b = LiveMemory::new(stores, &Table::default(), Unwatched);
    for live in [&mut a, &mut b] {
        live.map(0x1000, 0x3000, Protection::READ_WRITE, RegionKind::Mapped);
    }
    a.store(0x1004, [1, 2, 3, 4], 0).unwrap();
    b.store(0x1004, [9, 9, 9, 9], 0).unwrap();
    b.store(0x2004, [9, 9, 9, 9], 0).unwrap();
    let differing = freeze(&mut b);
    assert!(!freeze(&mut a).same(&differing));
    b.store(0x1004, [1, 2, 3, 4], 0).unwrap();
    b.store(0x2004, [0; 4], 0).unwrap();
    assert!(freeze(&mut a).same(&freeze(&mut b)));
}

#[test]
fn a_frozen_state_does_not_change_when_its_successor_runs() {
    let mut live = space();
    live.store(0x2000, [7; 4], 0).unwrap();
    let frozen = freeze(&mut live);
    live.store(0x2000, [8; 4], 0).unwrap();
    let later = freeze(&mut live);
    live.attach(&frozen, Space::FIRST);
    assert_eq!(live.load::<4>(0x2000, 0), Ok([7; 4]));
    live.store(0x2000, [9; 4], 0).unwrap();
    live.attach(&later, Space::FIRST);
    assert_eq!(live.load::<4>(0x2000, 0), Ok([8; 4]), "what was not frozen is forgotten");
}

#[test]
fn refuses_what_is_not_mapped_or_not_allowed() {
    let mut live = space();
    live.map(0x9000, 0xa000, Protection::READ, RegionKind::Image(0));
    for (address, kind, problem) in [
        (0u32, AccessKind::Read, Problem::Unmapped),
        (0xa000, AccessKind::Write, Problem::Unmapped),
        (0x9ffe, AccessKind::Read, Problem::Unmapped),
        (0x9000, AccessKind::Write, Problem::Protected),
        (0x8ffe, AccessKind::Write, Problem::Protected),
        (0xffff_fffe, AccessKind::Read, Problem::Unmapped),
    ] {
        let result = match kind {
            AccessKind::Write => live.store(address, [1; 4], 0),
            _ => live.load::<4>(address, 0).map(|_| ()),
        };
        assert_eq!(result, Err(Fault), "{address:#x}");
        let error = live.take_error().unwrap();
        assert_eq!((error.problem, error.kind), (problem, kind), "{address:#x}");
    }
    // The access that crossed into the read-only page must not have written its first half.
    assert_eq!(live.load::<2>(0x8ffe, 0), Ok([0; 2]));
}

#[test]
fn the_stack_below_its_pointer_is_refused() {
    let mut live = space();
    live.set_stack(0x4000, 0x6000);
    let esp = 0x5010;
    assert!(live.store(0x5010, [1; 4], esp).is_ok());
    assert!(live.load::<4>(0x5010, esp).is_ok());
    assert_eq!(live.store(0x500c, [1; 4], esp), Err(Fault));
    let error = live.take_error().unwrap();
    assert_eq!((error.problem, error.byte), (Problem::BelowStackPointer, 0x500c));
    assert_eq!(live.load::<4>(0x4000, esp), Err(Fault));
    assert!(live.load::<4>(0x3000, esp).is_ok(), "not the stack");
    assert!(live.load::<4>(0x4000, 0x8000).is_ok(), "the thread runs on another stack");
}

#[test]
fn the_stack_of_an_ended_thread_is_refused_below_what_its_library_keeps() {
    const TOP: u32 = 0x5010;
    let mut live = space();
    assert!(live.store(TOP - 4, [7; 4], 0).is_ok());
    live.set_kind(0x4000, 0x6000, RegionKind::EndedStack { thread: ThreadId(2), top: TOP });
    let mut refused = |address, size| {
        let read = live.read_bytes(address, &mut vec![0; size]);
        let error = live.take_error();
        assert!(error.is_none_or(|error| error.problem == Problem::EndedStack));
        assert_eq!(read.is_err(), error.is_some());
        error.map(|error| error.byte)
    };
    assert_eq!(refused(0x4000, 4), Some(0x4000));
    assert_eq!(refused(TOP - 4, 4), Some(TOP - 4));
    assert_eq!(refused(TOP - 1, 8), Some(TOP - 1));
    assert_eq!(refused(0x3ffc, 8), Some(0x4000), "the part before is no stack");
    assert_eq!(refused(TOP, 0x6000 - TOP as usize), None);
    assert_eq!(live.load::<4>(TOP - 4, 0), Err(Fault), "the page is known by now");
    assert_eq!(live.store(0x4ffe, [1; 4], 0), Err(Fault));
    assert!(live.store(TOP, [1; 16], 0).is_ok());
    assert!(live.readable(TOP - 1, 1, 0).is_err());
    assert_eq!(live.readable(TOP + 16, 100, 0).map(<[u8]>::len), Ok(100));
    live.set_kind(0x4000, 0x6000, RegionKind::Stack(ThreadId(3)));
    assert_eq!(live.load::<4>(TOP - 4, 0), Ok([7; 4]), "another thread has it");
}

#[test]
fn heap_bytes_are_valid_one_by_one() {
    let mut live = empty();
    live.map(0x6000_0000, 0x6001_0000, Protection::READ_WRITE, RegionKind::Heap);
    let mut twin = vec![false; 0x10000];
    let mut random = Random(4);
    for _ in 0..2000 {
        let start = random.below(0xf000);
        let end = start + 1 + random.below(0xfff).min(0x10000 - start - 1);
        let valid = random.below(2) == 1;
        live.set_valid(0x6000_0000 + start, 0x6000_0000 + end, valid);
        twin[start as usize..end as usize].fill(valid);
        for _ in 0..20 {
            let at = random.below(0xfff0);
            let expected = twin[at as usize..at as usize + 4].iter().position(|valid| !valid);
            let got = live.load::<4>(0x6000_0000 + at, 0).err().and_then(|_| live.take_error());
            assert_eq!(got.map(|e| e.byte), expected.map(|i| 0x6000_0000 + at + i as u32));
            let got = live.store(0x6000_0000 + at, [0; 4], 0).err();
            assert_eq!(got.is_some(), expected.is_some());
            let wide = &twin[at as usize..at as usize + 8];
            assert_eq!(live.load::<8>(0x6000_0000 + at, 0).is_ok(), wide.iter().all(|&v| v));
            let byte = live.load::<1>(0x6000_0000 + at, 0);
            assert_eq!(byte.is_ok(), twin[at as usize]);
        }
    }
}

#[test]
fn clearing_drops_whole_pages_and_zeroes_parts() {
    let mut live = space();
    let ones = [1u8; 0x8000];
    live.write_bytes(0x1000, &ones).unwrap();
    freeze(&mut live);
    live.write_bytes(0x3000, &ones[..0x1000]).unwrap();
    live.clear(0x1800, 0x5004);
    let mut now = vec![0; 0x8000];
    live.read_bytes(0x1000, &mut now).unwrap();
    for (i, &byte) in now.iter().enumerate() {
        let cleared = (0x800..0x4004).contains(&i);
        assert_eq!(byte, u8::from(!cleared), "{i:#x}");
    }
    live.clear(0x8ffc, 0x8ffe);
    assert_eq!(live.load::<4>(0x8ffc, 0), Ok([0, 0, 1, 1]));
}

#[test]
fn writing_decoded_code_asks_to_forget_it_first() {
    let mut live = space();
    let all = Protection { read: true, write: true, execute: true };
    live.map(0x9000, 0xa000, all, RegionKind::Mapped);
    live.store(0x9000, [0x90; 4], 0).unwrap();
    assert_eq!(live.fetch(0x9000).unwrap().0[..4], [0x90; 4]);
    assert_eq!(live.store(0x9800, [1; 4], 0), Err(Fault));
    assert_eq!(live.take_error(), None);
    assert_eq!(live.take_code_changes(), vec![9]);
    assert_eq!(live.store(0x9800, [1; 4], 0), Ok(()));
    assert_eq!(live.fetch(0x1000), Err(Fault));
}

#[test]
fn odd_sizes_cross_pages_like_any_other() {
    let mut live = space();
    live.set_stack(0x4000, 0x6000);
    let bytes: [u8; 10] = std::array::from_fn(|i| i as u8 + 1);
    for address in 0x1fe0..0x2010 {
        live.store(address, bytes, 0).unwrap();
        assert_eq!(live.load::<10>(address, 0), Ok(bytes));
        let mut plain = [0; 10];
        live.read_bytes(address, &mut plain).unwrap();
        assert_eq!(plain, bytes);
    }
    assert_eq!(live.load::<512>(0x4010, 0x5000), Err(Fault), "below the stack pointer");
}

#[test]
fn decoded_code_is_stale_where_another_state_has_other_bytes() {
    let mut live = space();
    let all = Protection { read: true, write: true, execute: true };
    live.map(0x9000, 0xb000, all, RegionKind::Mapped);
    live.store(0x9000, [1; 4], 0).unwrap();
    let first = freeze(&mut live);
    live.store(0x9000, [2; 4], 0).unwrap();
    let second = freeze(&mut live);
    live.fetch(0x9000).unwrap();
    live.fetch(0xa000).unwrap();
    live.attach(&second, Space::FIRST);
    assert_eq!(live.take_code_changes(), vec![], "nothing differs");
    live.attach(&first, Space::FIRST);
    assert_eq!(live.take_code_changes(), vec![9]);
    assert!(live.protect(0x9000, 0xb000, Protection::READ));
    let closed = freeze(&mut live);
    live.attach(&first, Space::FIRST);
    live.take_code_changes();
    live.fetch(0x9000).unwrap();
    live.fetch(0xa000).unwrap();
    live.attach(&closed, Space::FIRST);
    let mut changes = live.take_code_changes();
    changes.sort_unstable();
    assert_eq!(changes, vec![9, 10]);
}

#[test]
fn code_that_a_step_wrote_and_decoded_is_stale_in_the_state_before() {
    let mut live = space();
    let all = Protection { read: true, write: true, execute: true };
    live.map(0x9000, 0xa000, all, RegionKind::Mapped);
    live.store(0x9000, [1; 4], 0).unwrap();
    let before = freeze(&mut live);
    live.store(0x9000, [2; 4], 0).unwrap();
    assert_eq!(live.fetch(0x9000).unwrap().0[..4], [2; 4]);
    interned(&mut live);
    live.attach(&before, Space::FIRST);
    assert_eq!(live.take_code_changes(), vec![9]);
    assert_eq!(live.fetch(0x9000).unwrap().0[..4], [1; 4]);
}

#[test]
fn code_of_the_file_that_was_patched_is_stale_where_it_was_not() {
    let mut live = empty();
    let code = Protection { read: true, write: false, execute: true };
    live.map(0x9000, 0xa000, code, RegionKind::Image(0));
    live.place_page(0x9000, &[1; PAGE_SIZE]);
    let before = freeze(&mut live);
    // The program opens its code, and closes it when it is patched: the mappings are as before.
    assert!(live.protect(0x9000, 0xa000, Protection::READ_WRITE));
    live.store(0x9000, [2; 4], 0).unwrap();
    assert!(live.protect(0x9000, 0xa000, code));
    let after = freeze(&mut live);
    live.take_code_changes();
    for (state, expected) in [(&before, 1), (&after, 2), (&before, 1)] {
        live.attach(state, Space::FIRST);
        live.take_code_changes();
        assert_eq!(live.fetch(0x9000).unwrap().0[..4], [expected; 4]);
        let other = if expected == 1 { &after } else { &before };
        live.attach(other, Space::FIRST);
        assert_eq!(live.take_code_changes(), vec![9]);
    }
}

#[test]
fn what_is_mapped_twice_is_one_memory_and_each_process_has_its_own() {
    let mut live = empty();
    let shared = |start: u32| RegionKind::Shared(0x3000u32.wrapping_sub(start));
    live.map(0x1000, 0x2000, Protection::READ_WRITE, RegionKind::Mapped);
    for start in [0x4000, 0x8000] {
        live.map(start, start + 0x1000, Protection::READ_WRITE, shared(start));
    }
    assert_eq!(live.load::<1>(0x8005, 0), Ok([0]));
    live.store(0x1005, [1], 0).unwrap();
    live.store(0x4005, [2], 0).unwrap();
    assert_eq!(live.load::<1>(0x8005, 0), Ok([2]), "the same page at another address");
    let mut table = Table::default();
    let stores = Arc::clone(&live.stores);
    let put = |live: &mut LiveMemory<Unwatched>, table: &mut Table| {
        live.freeze(&mut |key, id| {
            table.set(stores.slots.slot(key, ThreadId(1)), id);
        });
    };
    put(&mut live, &mut table);
    let other = Space::of(ThreadId(2)).unwrap();
    live.attach(&table, other);
    assert_eq!(live.load::<1>(0x1005, 0), Err(Fault), "nothing is mapped there");
    live.map(0x1000, 0x2000, Protection::READ_WRITE, RegionKind::Mapped);
    live.map(0x6000, 0x7000, Protection::READ_WRITE, shared(0x6000));
    assert_eq!(live.load::<1>(0x1005, 0), Ok([0]));
    assert_eq!(live.load::<1>(0x6005, 0), Ok([2]));
    live.store(0x6005, [3], 0).unwrap();
    live.unmap(0x6000, 0x7000);
    put(&mut live, &mut table);
    live.attach(&table, Space::FIRST);
    assert_eq!((live.load::<1>(0x1005, 0), live.load::<1>(0x4005, 0)), (Ok([1]), Ok([3])));
    live.drop_shared(0x3000, 0x4000);
    assert_eq!(live.load::<1>(0x8005, 0), Ok([0]));
}
