//! Who waits for whom: the cycle of a deadlock.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};

use crate::violation::ThreadInfo;

/// The shortest cycle of threads that wait for each other, beginning with its smallest number;
/// empty if there is none. Among several of a length it is the one with the smallest beginning.
pub fn wait_cycle(threads: &[ThreadInfo]) -> Vec<u32> {
    let waits: BTreeMap<u32, &[u32]> = threads
        .iter()
        .filter_map(|thread| Some((thread.id, thread.waits.as_ref()?.threads.as_slice())))
        .collect();
    // The map is ordered, and of equals the first is taken.
    let cycles = waits.keys().filter_map(|start| cycle_through(&waits, *start));
    cycles.min_by_key(Vec::len).unwrap_or_default()
}

/// The shortest cycle through a thread, by a search in breadth.
fn cycle_through(waits: &BTreeMap<u32, &[u32]>, start: u32) -> Option<Vec<u32>> {
    let mut came_from = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(thread) = queue.pop_front() {
        for &next in waits.get(&thread).copied().unwrap_or_default() {
            if next == start {
                return Some(path_back(&came_from, start, thread));
            }
            if let Entry::Vacant(unknown) = came_from.entry(next) {
                unknown.insert(thread);
                queue.push_back(next);
            }
        }
    }
    None
}

fn path_back(came_from: &BTreeMap<u32, u32>, start: u32, last: u32) -> Vec<u32> {
    let mut path = vec![last];
    let mut here = last;
    while here != start {
        let Some(before) = came_from.get(&here) else { break };
        here = *before;
        path.push(here);
    }
    path.reverse();
    path
}

/// What the verdict of a deadlock says of these threads.
pub fn deadlock_headline(threads: &[ThreadInfo]) -> String {
    let live = threads.iter().filter(|thread| thread.is_live()).count();
    let waiting = threads.iter().filter(|thread| thread.waits.is_some()).count();
    let processes = threads.iter().all(|thread| thread.process);
    let (one, many) = if processes { ("process", "processes") } else { ("thread", "threads") };
    match wait_cycle(threads).as_slice() {
        [] if live == 1 => format!("the only {one} waits, and nothing can wake it"),
        [] if waiting == live => format!("all {live} {many} wait, and nothing can wake them"),
        [] => format!("{waiting} of {live} {many} wait, and nothing can wake them"),
        [number] => format!("{one} {number} waits for itself"),
        cycle => format!("{} of {live} {many} wait for each other", cycle.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::violation::Waits;

    fn thread(id: u32, waits_for: Option<&[u32]>) -> ThreadInfo {
        let waits =
            waits_for.map(|threads| Waits { threads: threads.to_vec(), ..Waits::default() });
        ThreadInfo { id, waits, ..ThreadInfo::default() }
    }

    #[test]
    fn the_cycle_is_found_beside_others_that_wait() {
        let threads = [
            thread(1, Some(&[2])),
            thread(2, Some(&[4])),
            thread(3, Some(&[2])),
            thread(4, Some(&[3])),
        ];
        assert_eq!(wait_cycle(&threads), [2, 4, 3]);
        assert_eq!(deadlock_headline(&threads), "3 of 4 threads wait for each other");
    }

    #[test]
    fn the_shortest_cycle_counts() {
        let threads = [
            thread(1, Some(&[2, 3])),
            thread(2, Some(&[4])),
            thread(4, Some(&[1])),
            thread(3, Some(&[1])),
        ];
        assert_eq!(wait_cycle(&threads), [1, 3]);
    }

    /// A thousand philosophers: the time must not grow with the cube of their number.
    #[test]
    fn a_long_cycle_is_found_at_once() {
        let threads: Vec<ThreadInfo> =
            (0..1000).map(|id| thread(id, Some(&[(id + 1) % 1000]))).collect();
        assert_eq!(wait_cycle(&threads), (0..1000).collect::<Vec<u32>>());
    }

    #[test]
    fn without_a_cycle() {
        let none = [thread(1, Some(&[2])), thread(2, Some(&[]))];
        assert!(wait_cycle(&none).is_empty());
        assert_eq!(deadlock_headline(&none), "all 2 threads wait, and nothing can wake them");
        assert_eq!(deadlock_headline(&[thread(1, Some(&[1]))]), "thread 1 waits for itself");
        assert_eq!(
            deadlock_headline(&[thread(1, Some(&[]))]),
            "the only thread waits, and nothing can wake it"
        );
        let unknown = [thread(1, Some(&[9]))];
        assert!(wait_cycle(&unknown).is_empty());
    }
}
