//! The registry against a map, alone and with two workers.

use super::*;
use std::collections::BTreeMap;

fn keys() -> impl Iterator<Item = (Key, ThreadId)> {
    let mut seed = 11u32;
    (0..6000).map(move |step| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let number = seed >> 8;
        let near = ThreadId(number % 5 + 1);
        let space = [Space::FIRST, Space::numbered(5), Space::SHARED][number as usize % 7 % 3];
        let key = match step % 9 {
            0 => Key::Page(space.page(number % 400 * 5000)),
            1 => Key::Thread(ThreadId(number % 40)),
            2 => Key::Arena(space, ThreadId(number % 40)),
            3 => Key::Blocks(space.page(0x6_0000 + number % 300)),
            4 => Key::Object(space.at(number % 500 * 2)),
            5 => Key::Thread(ThreadId(THREADS as u32 - 2 + number % 4)),
            6 => Key::Channel(number % 50),
            _ => [Key::Kernel, Key::Process(space), Key::Regions(space)][number as usize % 3],
        };
        (key, near)
    })
}

#[test]
fn agrees_with_a_map() {
    let slots = Slots::new(3);
    let mut twin = BTreeMap::new();
    for (key, near) in keys() {
        assert_eq!(slots.find(key), twin.get(&key).copied());
        let slot = slots.slot(key, near);
        assert_eq!(*twin.entry(key).or_insert(slot), slot);
        assert_eq!(slots.find(key), Some(slot));
    }
    let mut by_slot = BTreeMap::new();
    for (&key, &slot) in &twin {
        assert_eq!(by_slot.insert(slot, key), None);
        assert_eq!(slots.key(slot), Some(key));
    }
    let taken = (0..1 << 17).filter(|&slot| slots.key(slot).is_some()).count();
    assert_eq!(taken, twin.len());
    let of_kind =
        |select: fn(&Key) -> Option<u32>| -> Vec<u32> { twin.keys().filter_map(select).collect() };
    let threads = of_kind(|key| if let Key::Thread(thread) = key { Some(thread.0) } else { None });
    assert_eq!(
        slots.threads(Notes::Unrecorded),
        threads.into_iter().map(ThreadId).collect::<Vec<_>>()
    );
    let spaces: Vec<Space> = slots.processes().collect();
    assert_eq!(spaces, [Space::FIRST, Space::numbered(5), Space::SHARED]);
    for space in spaces {
        let within = |key: &&Key| match key {
            Key::Page(page) | Key::Blocks(page) => page.space() == space,
            Key::Object(place) => place.space() == space,
            Key::Arena(own, _) => *own == space,
            _ => false,
        };
        let own: Vec<Key> = twin.keys().filter(within).copied().collect();
        let mut told: Vec<Key> =
            slots.in_space(Notes::Unrecorded, space).into_iter().map(|(key, _)| key).collect();
        told.sort_unstable();
        assert_eq!(told, own);
        let blocks = own.iter().filter_map(|key| match key {
            Key::Blocks(page) => Some(page.index()),
            _ => None,
        });
        assert_eq!(slots.heap_pages(Notes::Unrecorded, space), blocks.collect::<Vec<_>>());
        let objects = own.iter().filter_map(|key| match key {
            Key::Object(place) => Some(*place),
            _ => None,
        });
        let (start, end) = (space.at(400), space.at(800));
        let objects: Vec<Place> = objects.filter(|at| (start..end).contains(at)).collect();
        assert_eq!(slots.objects_within(Notes::Unrecorded, start, end), objects);
        assert_eq!(slots.objects_within(Notes::Unrecorded, end, start), []);
    }
}

#[test]
fn what_belongs_to_a_thread_lies_together() {
    let slots = Slots::new(4);
    let (one, two) = (ThreadId(1), ThreadId(2));
    let first = slots.slot(Key::Thread(one), two);
    let other = slots.slot(Key::Thread(two), one);
    assert_eq!((first / 16, other / 16), (0, 8));
    assert_eq!(slots.slot(Key::Arena(Space::FIRST, one), two) / 16, 0);
    assert_eq!(slots.slot(Key::Page(Space::FIRST.page(5)), two) / 16, 8);
    for page in 6..20 {
        assert_eq!(slots.slot(Key::Page(Space::FIRST.page(page)), two) / 16, 8);
    }
    assert_eq!(slots.blocks_used(), 2);
    assert_eq!(slots.slot(Key::Page(Space::FIRST.page(20)), two) / 16, 4);
    assert_eq!(slots.blocks_used(), 3);
}

#[test]
fn workers_agree_on_slots() {
    let slots = Slots::new(2);
    let all: Vec<_> = keys().collect();
    let ask = |&(key, near): &(Key, ThreadId)| slots.slot(key, near);
    let (left, mut right) = std::thread::scope(|scope| {
        let other = scope.spawn(|| all.iter().rev().map(ask).collect::<Vec<_>>());
        (all.iter().map(ask).collect::<Vec<_>>(), other.join().expect("the other worker ends"))
    });
    right.reverse();
    assert_eq!(left, right);
    for ((key, _), slot) in all.iter().zip(left) {
        assert_eq!(slots.key(slot), Some(*key));
    }
}
