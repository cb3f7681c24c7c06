//! Which accesses end a step, how they are done when granted, and what is learned from all of them.

use std::sync::Arc;

use steam_state::{Fault, Protection, Table};

use super::*;
use crate::memory::{Memory, Watching};

/// An empty address space with stores of its own.
fn empty() -> Memory {
    Memory::new(Arc::default(), &Table::default(), Watch::default())
}

const ONE: ThreadId = ThreadId(1);
const TWO: ThreadId = ThreadId(2);
const WORD: u32 = 0x1010;
/// The stacks of the two threads.
const STACKS: [u32; 2] = [0x10_0000, 0x20_0000];

/// Adds data pages and a stack for each of two threads.
fn mapped(mut live: Memory) -> Memory {
    live.map(0x1000, 0x5000, Protection::READ_WRITE, RegionKind::Mapped);
    for (thread, start) in [(ONE, STACKS[0]), (TWO, STACKS[1])] {
        live.map(start, start + 0x2000, Protection::READ_WRITE, RegionKind::Stack(thread));
    }
    live
}

/// A memory whose search knows that words are shared; thread 1 is watched.
fn with_shared(words: &[u32]) -> Memory {
    let mut live = mapped(empty());
    let sharing = live.policy.sharing();
    for &word in words {
        for thread in [ONE, TWO] {
            sharing.visit_page(Space::FIRST.at(word), thread, true);
            sharing.visit_word(Space::FIRST.at(word), thread, true);
        }
    }
    sharing.begin_iteration();
    assert_eq!(shared_words(&live), words);
    live.watch(ONE, Mode::Shared);
    live
}

/// `addl $amount` to a word, as the CPU does it: no register changes before the store is done.
fn add(live: &mut Memory, address: u32, amount: u32) -> Result<(), Fault> {
    let value = u32::from_le_bytes(live.load(address, 0)?);
    live.store(address, (value + amount).to_le_bytes(), 0)
}

fn read(address: u32, size: u32) -> Option<Access> {
    Some(Access { address, size, write: false, place: Space::FIRST.at(address) })
}

fn write(address: u32, size: u32) -> Option<Access> {
    Some(Access { address, size, write: true, place: Space::FIRST.at(address) })
}

/// The addresses of the words that a search knows as shared.
fn shared_words(live: &Memory) -> Vec<u32> {
    live.policy.sharing().words().into_iter().map(Place::address).collect()
}

/// What a word holds, unwatched.
fn value(live: &mut Memory, address: u32) -> u32 {
    let (mode, thread) = (live.policy.mode(), live.policy.local);
    live.watch(thread, Mode::Off);
    let value = live.load(address, 0).map(u32::from_le_bytes);
    live.watch(thread, mode);
    value.expect("a mapped word")
}

#[test]
fn a_shared_word_is_refused_until_it_is_granted_and_others_are_not() {
    let mut live = with_shared(&[WORD]);
    assert_eq!(live.store(WORD + 4, [1; 4], 0), Ok(()), "a neighbour on the page");
    assert_eq!(live.store(0x3000, [1; 4], 0), Ok(()), "another page");
    for _ in 0..2 {
        assert_eq!(live.load::<4>(WORD, 0), Err(Fault));
        assert_eq!((live.take_error(), live.policy.take_visible()), (None, read(WORD, 4)));
        assert_eq!(live.policy.take_visible(), None, "told once");
        live.policy.grant(Grant::Nothing);
    }
    assert_eq!(live.store(WORD + 3, [7], 0), Err(Fault));
    assert_eq!(live.policy.take_visible(), write(WORD + 3, 1));
    live.policy.grant(Grant::One);
    assert_eq!(live.store(WORD + 3, [7], 0), Ok(()));
    live.policy.instruction_over();
    assert_eq!(live.store(WORD + 3, [8], 0), Err(Fault), "a grant is for one instruction");
    assert_eq!(value(&mut live, WORD), 7 << 24);
}

#[test]
fn a_load_that_was_granted_uses_the_grant_up() {
    let mut live = with_shared(&[WORD, WORD + 4]);
    live.policy.grant(Grant::One);
    assert_eq!(live.load::<4>(WORD, 0), Ok([0; 4]));
    assert_eq!(live.load::<4>(WORD + 4, 0), Err(Fault));
    assert_eq!(live.policy.take_visible(), read(WORD + 4, 4));
    assert_eq!(live.policy.partial().len(), 1);
}

#[test]
fn a_read_modify_write_takes_two_steps_between_which_others_write() {
    let mut live = with_shared(&[WORD]);
    live.policy.grant(Grant::One);
    assert_eq!(add(&mut live, WORD, 1), Err(Fault));
    assert_eq!(live.policy.take_visible(), write(WORD, 4));
    let partial = live.policy.partial().clone();
    assert_eq!(partial, vec![Part::Read([0; 16])]);
    // Thread 2 adds 10 as a whole meanwhile.
    live.watch(TWO, Mode::Shared);
    live.policy.set_partial(&Partial::new());
    live.policy.grant(Grant::All);
    assert_eq!(add(&mut live, WORD, 10), Ok(()));
    live.policy.instruction_over();
    assert_eq!(value(&mut live, WORD), 10);
    // Thread 1 goes on with what it has read: the update of thread 2 is lost, as on a real CPU.
    live.watch(ONE, Mode::Shared);
    live.policy.set_partial(&partial);
    live.policy.grant(Grant::One);
    assert_eq!(add(&mut live, WORD, 1), Ok(()));
    live.policy.instruction_over();
    assert_eq!(value(&mut live, WORD), 1);
    assert_eq!(live.policy.partial(), &Partial::new());
}

#[test]
fn each_store_of_an_instruction_is_a_step_and_is_done_once() {
    let mut live = with_shared(&[WORD, WORD + 8]);
    let both = |live: &mut Memory| {
        live.store(WORD, [1; 4], 0).and_then(|()| live.store(WORD + 8, [2; 4], 0))
    };
    live.policy.grant(Grant::One);
    assert_eq!(both(&mut live), Err(Fault));
    assert_eq!(live.policy.take_visible(), write(WORD + 8, 4));
    let partial = live.policy.partial().clone();
    assert_eq!(partial, vec![Part::Wrote]);
    // Thread 2 overwrites the first word meanwhile.
    live.watch(TWO, Mode::Shared);
    live.policy.set_partial(&Partial::new());
    live.policy.grant(Grant::One);
    assert_eq!(live.store(WORD, [9; 4], 0), Ok(()));
    live.policy.instruction_over();
    live.watch(ONE, Mode::Shared);
    live.policy.set_partial(&partial);
    live.policy.grant(Grant::One);
    assert_eq!(both(&mut live), Ok(()));
    live.policy.instruction_over();
    assert_eq!(value(&mut live, WORD), 0x0909_0909);
    assert_eq!(value(&mut live, WORD + 8), 0x0202_0202);
}

#[test]
fn a_load_of_a_whole_register_file_is_one_step() {
    let mut live = with_shared(&[WORD]);
    assert_eq!(live.load::<108>(WORD - 8, 0), Err(Fault));
    assert_eq!(live.policy.take_visible(), read(WORD - 8, 108));
    live.policy.grant(Grant::One);
    assert_eq!(live.load::<108>(WORD - 8, 0), Ok([0; 108]));
    assert_eq!(live.policy.partial(), &Partial::new());
}

#[test]
fn an_access_across_two_words_is_visible_if_either_is_shared() {
    let mut live = with_shared(&[WORD, 0x2000]);
    // (where, how many bytes, whether it is refused)
    let loads = [(WORD - 3, 3, false), (WORD - 2, 4, true), (WORD + 3, 4, true)];
    for (address, size, refused) in loads.into_iter().chain([(WORD + 4, 4, false)]) {
        let result = match size {
            3 => live.load::<3>(address, 0).map(|_| ()),
            _ => live.load::<4>(address, 0).map(|_| ()),
        };
        assert_eq!(result.is_err(), refused, "{address:#x}");
        assert_eq!(live.policy.take_visible(), if refused { read(address, size) } else { None });
    }
    // Across the border of two pages, only the second of which has a shared word.
    assert_eq!(live.store(0x1ffe, [9; 4], 0), Err(Fault));
    assert_eq!(live.policy.take_visible(), write(0x1ffe, 4));
    assert_eq!(live.load::<2>(0x1ffe, 0), Ok([0; 2]), "nothing was written");
    live.policy.grant(Grant::One);
    assert_eq!(live.store(0x1ffe, [9; 4], 0), Ok(()));
    assert_eq!(value(&mut live, 0x2000), 0x0909);
}

#[test]
fn what_may_not_be_touched_is_an_error_and_no_step() {
    let mut live = with_shared(&[0x4ffc]);
    assert_eq!(live.store(0x4ffe, [1; 4], 0), Err(Fault));
    assert_eq!(live.take_error().map(|error| error.byte), Some(0x5000));
    assert_eq!(live.policy.take_visible(), None);
}

#[test]
fn a_whole_notes_shared_words_and_goes_on() {
    let mut live = with_shared(&[WORD]);
    live.watch(ONE, Mode::Atomic);
    assert_eq!(live.store(WORD + 4, [1; 4], 0), Ok(()));
    assert!(!live.policy.take_touched(), "not shared");
    assert_eq!(live.store(WORD, [1; 4], 0), Ok(()));
    assert!(live.policy.take_touched() && !live.policy.take_touched());
    assert_eq!(live.readable(WORD, 8, 0).map(<[u8]>::len), Ok(4), "word by word");
    assert!(live.policy.take_touched());
    live.read_bytes(WORD + 4, &mut [0; 8]).expect("mapped");
    assert!(!live.policy.take_touched());
    live.write_bytes(WORD - 8, &[0; 9]).expect("mapped");
    assert!(live.policy.take_touched());
    assert_eq!((live.policy.take_visible(), live.take_error()), (None, None));
}

#[test]
fn conflicts_are_learned_from_one_round_to_the_next() {
    let mut live = mapped(empty());
    // Each iteration runs both threads; nothing is refused before it is known to be shared.
    let mut refusals = Vec::new();
    for _ in 0..4 {
        live.policy.sharing().begin_iteration();
        let mut refused = 0;
        for thread in [ONE, TWO] {
            live.attach(&Table::default(), Space::FIRST);
            live = mapped(live);
            live.watch(thread, Mode::Shared);
            refused += u32::from(live.store(WORD, [1; 4], 0).is_err());
            live.policy.grant(Grant::Nothing);
            // Each thread has a word of its own on the page.
            refused += u32::from(live.store(WORD + 4 * thread.0, [1; 4], 0).is_err());
            live.policy.grant(Grant::Nothing);
        }
        refusals.push((refused, live.policy.sharing().grew()));
    }
    // First the page is found, then the word; then it is known, and nothing is new.
    assert_eq!(refusals, [(0, true), (0, true), (2, false), (2, false)]);
    assert_eq!(shared_words(&live), [WORD]);
}

#[test]
fn words_that_threads_only_read_stay_private() {
    let mut live = mapped(empty());
    for _ in 0..3 {
        live.policy.sharing().begin_iteration();
        for thread in [ONE, TWO] {
            live.watch(thread, Mode::Shared);
            assert_eq!(live.load::<4>(WORD, 0), Ok([0; 4]));
        }
        assert!(!live.policy.sharing().grew());
    }
}

#[test]
fn a_stack_is_its_threads_own_until_another_one_comes() {
    let mut live = mapped(empty());
    let place = STACKS[1] + 0x100;
    live.policy.sharing().begin_iteration();
    live.watch(TWO, Mode::Shared);
    assert_eq!(live.store(place, [1; 4], 0), Ok(()));
    assert_eq!(live.store(place + 4, [1; 4], 0), Ok(()));
    assert!(!live.policy.sharing().grew(), "an own stack is not even noted");
    live.watch(ONE, Mode::Shared);
    assert_eq!(live.load::<4>(place, 0), Ok([1; 4]));
    assert!(live.policy.sharing().grew(), "one look by another thread makes a word shared");
    live.policy.sharing().begin_iteration();
    live.attach(&Table::default(), Space::FIRST);
    let mut live = mapped(live);
    live.watch(ONE, Mode::Shared);
    assert_eq!(live.load::<4>(place, 0), Err(Fault));
    assert_eq!(live.policy.take_visible(), read(place, 4));
    live.watch(TWO, Mode::Shared);
    live.policy.grant(Grant::Nothing);
    assert_eq!(live.store(place, [2; 4], 0), Err(Fault), "now the owner's accesses count too");
    assert_eq!(live.policy.take_visible(), write(place, 4));
    live.policy.grant(Grant::Nothing);
    assert_eq!(live.store(place + 4, [2; 4], 0), Ok(()), "its other words are its own");
    assert_eq!(shared_words(&live), [place]);
}

/// One iteration in which the first thread writes a word of its stack at an epoch, and the second thread,
/// which descends from creation 1, reads it.
fn hand_over(live: Memory, place: u32, epoch: Epoch) -> Memory {
    live.policy.sharing().begin_iteration();
    let mut live = mapped(live);
    live.watch(ONE, Mode::Shared);
    live.policy.set_epoch(epoch);
    assert_eq!(live.store(place, [1; 4], 0), Ok(()));
    live.watch(TWO, Mode::Shared);
    live.policy.set_epoch(Epoch::default().next());
    assert_eq!(live.load::<4>(place, 0), Ok([1; 4]));
    live
}

#[test]
fn the_first_thread_hands_over_on_its_stack() {
    let place = STACKS[0] + 0x100;
    let before = Epoch::default();
    let mut live = hand_over(mapped(empty()), place, before);
    assert!(live.policy.sharing().grew(), "from now on the first thread is looked at there");
    live.attach(&Table::default(), Space::FIRST);
    let mut live = hand_over(live, place, before);
    assert!(!live.policy.sharing().grew(), "it wrote before it created the other one");
    live.attach(&Table::default(), Space::FIRST);
    let live = hand_over(live, place, before.next());
    assert!(live.policy.sharing().grew(), "it wrote afterwards");
    live.policy.sharing().begin_iteration();
    assert_eq!(shared_words(&live), [place]);
}

#[test]
fn with_every_access_a_step_nothing_is_free_and_nothing_is_noted() {
    let mut live = mapped(empty());
    live.policy.sharing().begin_iteration();
    for thread in [ONE, TWO] {
        live.watch(thread, Mode::Every);
        for address in [WORD, WORD + 1, STACKS[0], 0x1ffe] {
            live.policy.grant(Grant::Nothing);
            assert_eq!(live.load::<4>(address, 0), Err(Fault), "{address:#x}");
            assert_eq!(live.policy.take_visible(), read(address, 4));
            live.policy.grant(Grant::One);
            assert_eq!(live.store(address, [0; 4], 0), Ok(()));
            live.policy.instruction_over();
        }
    }
    assert!(!live.policy.sharing().grew());
    live.watch(ONE, Mode::Off);
    assert_eq!(live.load::<4>(WORD, 0), Ok([0; 4]));
}

#[test]
fn workers_learn_together() {
    let sharing: Arc<Sharing> = Arc::default();
    let mut workers = [ONE, TWO].map(|thread| {
        let mut live = mapped(Memory::new(
            Arc::default(),
            &Table::default(),
            Watch::new(Arc::clone(&sharing)),
        ));
        live.watch(thread, Mode::Shared);
        live
    });
    for iteration in 0..3 {
        sharing.begin_iteration();
        for live in &mut workers {
            live.reconsider(|_, _| true);
            assert_eq!(live.store(WORD, [1; 4], 0).is_err(), iteration == 2);
            live.policy.grant(Grant::Nothing);
        }
        assert_eq!(sharing.grew(), iteration < 2);
    }
    assert_eq!(sharing.words(), [Space::FIRST.at(WORD)]);
}

#[test]
fn processes_conflict_in_what_they_share_and_nowhere_else() {
    let sharing: Arc<Sharing> = Arc::default();
    let other = Space::of(TWO).unwrap();
    let mut live = Memory::new(Arc::default(), &Table::default(), Watch::new(Arc::clone(&sharing)));
    for space in [Space::FIRST, other] {
        live.attach(&Table::default(), space);
        live.map(0x1000, 0x2000, Protection::READ_WRITE, RegionKind::Mapped);
        let start = if space == other { 0x5000 } else { 0x4000 };
        let kind = RegionKind::Shared(0x9000u32.wrapping_sub(start));
        live.map(start, start + 0x1000, Protection::READ_WRITE, kind);
        live.watch(space.leader(), Mode::Shared);
        for _ in 0..2 {
            live.store(0x1010, [1; 4], 0).unwrap();
            live.store(start + 0x20, [1; 4], 0).unwrap();
        }
        live.watch(space.leader(), Mode::Off);
    }
    assert!(sharing.grew());
    sharing.begin_iteration();
    live.watch(TWO, Mode::Shared);
    live.store(0x5020, [1; 4], 0).unwrap();
    live.attach(&Table::default(), Space::FIRST);
    live.map(0x4000, 0x5000, Protection::READ_WRITE, RegionKind::Shared(0x5000));
    live.watch(ONE, Mode::Shared);
    live.store(0x4020, [1; 4], 0).unwrap();
    sharing.begin_iteration();
    assert_eq!(sharing.words(), [Space::SHARED.at(0x9020)]);
    assert_eq!(live.store(0x4020, [1; 4], 0), Err(Fault));
    let place = Space::SHARED.at(0x9020);
    let access = Access { address: 0x4020, size: 4, write: true, place };
    assert_eq!(live.policy.take_visible(), Some(access));
}
