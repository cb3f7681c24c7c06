//! In which order threads take locks, over all states that are explored: where two threads take the
//! same locks the other way round, a deadlock is possible that perhaps no explored run reached.
//!
//! A lock that a thread wants while it holds others is noted when the thread comes to stand before it.
//! Threads that hold one lock in common all the while (a gate) cannot meet, so they are in no cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use steam_linux::kernel::Pending;
use steam_model::Model;
use steam_report::{Location, Stands};
use steam_state::{Table, ThreadId};
use steam_sync::{
    Address, Call, LockCall, MutexCall, Operation, Patience, ReadWriteCall, SpinCall,
};

use super::choices::Frozen;
use super::describe::stands;
use super::{Program, Worker};

/// So many orders are kept.
const MOST: usize = 10_000;
/// Threads of one cycle.
const LONGEST: usize = 6;
/// Steps of the search for cycles.
const EFFORT: usize = 1_000_000;

/// Who wants a lock while it holds others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Wish {
    held: BTreeSet<Address>,
    wanted: Address,
    thread: ThreadId,
}

/// The orders that were seen, each with the state in which it was.
#[derive(Default)]
pub(super) struct LockOrders(Mutex<BTreeMap<Wish, Table>>);

/// One of the threads that take locks in a cycle.
#[derive(Clone, Debug)]
pub struct LockOrder {
    /// The thread.
    pub thread: ThreadId,
    /// What it holds.
    pub held: Address,
    /// What it takes then.
    pub wanted: Address,
    /// Where it does.
    pub stack: Vec<Location>,
    /// The member of a type as which it takes it.
    pub member: Option<String>,
}

/// Whether an operation waits until it has a lock: its last object.
fn waits_for_lock(operation: &Operation) -> bool {
    match operation.call {
        Call::Mutex(MutexCall::Lock(_, patience))
        | Call::ReadWrite(ReadWriteCall::Read(patience) | ReadWriteCall::Write(patience)) => {
            patience == Patience::Endless
        }
        Call::Spin(SpinCall::Lock) | Call::Lock(LockCall::Lock) => true,
        _ => false,
    }
}

impl Program {
    /// Notes the lock that a thread of a state is about to take, if it holds others.
    pub(super) fn note_lock_order(&self, state: &Table, frozen: &Frozen<'_>) {
        let Pending::Sync { operation, second_half: false, .. } = &frozen.state.pending else {
            return;
        };
        if frozen.state.locks == 0 || !waits_for_lock(operation) {
            return;
        }
        let wanted = operation.objects().into_iter().flatten().last();
        let wanted = wanted.expect("who takes a lock names it");
        let held: BTreeSet<Address> = self.held(state, frozen.thread).into_iter().collect();
        if held.is_empty() || held.contains(&wanted) {
            return;
        }
        let mut orders = self.lock_orders.0.lock().unwrap_or_else(PoisonError::into_inner);
        if orders.len() < MOST {
            let wish = Wish { held, wanted, thread: frozen.thread };
            orders.entry(wish).or_insert_with(|| state.clone());
        }
    }

    /// The cycles in which threads take locks, one for each set of locks, shortest first.
    pub fn lock_cycles(&self) -> Vec<Vec<LockOrder>> {
        let orders = self.lock_orders.0.lock().unwrap_or_else(PoisonError::into_inner);
        let wishes: Vec<&Wish> = orders.keys().collect();
        let mut worker = self.worker();
        let cycles = cycles(&wishes).into_iter();
        cycles
            .map(|cycle| {
                let tell = |(held, wish): (Address, &Wish)| {
                    self.told(&mut worker, held, wish, &orders[wish])
                };
                cycle.into_iter().map(tell).collect()
            })
            .collect()
    }

    fn told(&self, worker: &mut Worker, held: Address, wish: &Wish, state: &Table) -> LockOrder {
        let stack = self.stack_of(worker, state, wish.thread);
        let calls = |pending: &Pending| stands(pending) == Stands::AtEntry;
        let member = self
            .pending(state, wish.thread)
            .filter(|pending| calls(pending))
            .and_then(|_| self.atomics.argument(self.return_address(worker, state, wish.thread)));
        LockOrder { thread: wish.thread, held, wanted: wish.wanted, stack, member }
    }
}

/// Threads, each of which wants what the next one holds; with what of it the one before wants.
fn cycles<'a>(wishes: &[&'a Wish]) -> Vec<Vec<(Address, &'a Wish)>> {
    let mut search = Search { wishes, effort: EFFORT, found: BTreeMap::new() };
    for wish in wishes {
        for &held in &wish.held {
            search.extend(&mut vec![(held, *wish)]);
        }
    }
    let mut found: Vec<_> = search.found.into_values().collect();
    found.sort_by_key(Vec::len);
    found
}

struct Search<'s, 'a> {
    wishes: &'s [&'a Wish],
    effort: usize,
    /// By the locks.
    found: BTreeMap<Vec<Address>, Vec<(Address, &'a Wish)>>,
}

impl<'a> Search<'_, 'a> {
    fn extend(&mut self, path: &mut Vec<(Address, &'a Wish)>) {
        let (first, (_, last)) = (path[0].0, path[path.len() - 1]);
        if last.wanted == first && path.len() > 1 {
            let mut locks: Vec<Address> = path.iter().map(|(held, _)| *held).collect();
            locks.sort_unstable();
            self.found.entry(locks).or_insert_with(|| path.clone());
            return;
        }
        // A cycle begins with its lowest lock.
        if path.len() == LONGEST || last.wanted < first {
            return;
        }
        for wish in self.wishes {
            // Orders of locks are hints: a deadlock is found as a state.
            let Some(left) = self.effort.checked_sub(1) else { return };
            self.effort = left;
            let meets = |(_, other): &(Address, &Wish)| {
                other.thread != wish.thread && other.held.is_disjoint(&wish.held)
            };
            if wish.held.contains(&last.wanted) && path.iter().all(meets) {
                path.push((last.wanted, wish));
                self.extend(path);
                path.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(thread: u32, held: &[Address], wanted: Address) -> Wish {
        Wish { held: held.iter().copied().collect(), wanted, thread: ThreadId(thread) }
    }

    fn locks(wishes: &[Wish]) -> Vec<Vec<Address>> {
        let wishes: Vec<&Wish> = wishes.iter().collect();
        let held = |cycle: Vec<(Address, &Wish)>| cycle.iter().map(|(held, _)| *held).collect();
        cycles(&wishes).into_iter().map(held).collect()
    }

    #[test]
    fn two_orders_make_a_cycle() {
        assert_eq!(locks(&[wish(1, &[1], 2), wish(2, &[2], 1)]), [vec![1, 2]]);
        assert!(locks(&[wish(1, &[1], 2), wish(2, &[1], 2)]).is_empty(), "the same order");
        assert!(locks(&[wish(1, &[1], 2), wish(1, &[2], 1)]).is_empty(), "one thread");
    }

    #[test]
    fn a_gate_keeps_threads_apart() {
        assert!(locks(&[wish(1, &[9, 1], 2), wish(2, &[9, 2], 1)]).is_empty());
        assert_eq!(locks(&[wish(1, &[8, 1], 2), wish(2, &[9, 2], 1)]), [vec![1, 2]]);
    }

    #[test]
    fn philosophers_make_one_cycle() {
        let table = [wish(1, &[1], 2), wish(2, &[2], 3), wish(3, &[3], 1)];
        assert_eq!(locks(&table), [vec![1, 2, 3]]);
    }
}
