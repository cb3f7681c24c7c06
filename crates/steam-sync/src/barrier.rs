//! Barriers: a wait is to arrive, and to leave once enough threads have arrived.
//!
//! The last to arrive empties the set of those who have, and is the serial thread, as in glibc.
//! A thread that is not in the set any more can leave, also when others arrive for the next round
//! already.

use crate::choices::Choices;
use crate::errno::EINVAL;
use crate::misuse::{Misuse, MisuseKind};
use crate::object::{Address, Family, Object, Objects, State, Thread, change};
use crate::operation::{Done, Operation};

/// What `pthread_barrier_wait` returns to one thread of each round.
pub const SERIAL_THREAD: i32 = -1;

/// glibc refuses barriers for as many threads or more.
const NEEDED_LIMIT: u32 = 0x7fff_ffff;

/// How many threads a barrier is for, and which of them have arrived.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BarrierState {
    /// Not initialised where it is 0.
    needed: u32,
    /// Ascending.
    pub(crate) arrived: Vec<Thread>,
}

/// An operation on a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BarrierCall {
    /// `pthread_barrier_init` with the number of threads.
    Initialise(u32),
    /// `pthread_barrier_destroy`.
    Destroy,
    /// The first half of `pthread_barrier_wait`: to arrive.
    Wait,
    /// The second half, of all but the last to arrive: to leave.
    Leave,
}

impl State for BarrierState {
    const FAMILY: Family = Family::Barrier;

    fn of(object: &Object) -> Option<&Self> {
        if let Object::Barrier(state) = object { Some(state) } else { None }
    }

    fn into_object(self) -> Object {
        if self.needed == 0 { Object::Idle } else { Object::Barrier(self) }
    }
}

impl BarrierState {
    /// How many threads must arrive.
    pub fn needed(&self) -> u32 {
        self.needed
    }

    /// The threads that have arrived and wait, ascending.
    pub fn arrived(&self) -> &[Thread] {
        &self.arrived
    }

    fn unused(&self, thread: Thread, kind: MisuseKind) -> Result<(), Misuse> {
        if self.arrived.is_empty() { Ok(()) } else { Err(self.misuse(kind, thread)) }
    }

    fn misuse(&self, kind: MisuseKind, thread: Thread) -> Misuse {
        Misuse { kind, family: Family::Barrier, thread, other: self.arrived.first().copied() }
    }
}

fn initialise(state: &mut BarrierState, needed: u32, thread: Thread) -> Result<Done, Misuse> {
    if needed == 0 || needed >= NEEDED_LIMIT {
        return Ok(Done::Returns(EINVAL));
    }
    state.unused(thread, MisuseKind::InitWaited)?;
    state.needed = needed;
    Ok(Done::Returns(0))
}

fn destroy(state: &mut BarrierState, thread: Thread) -> Result<Done, Misuse> {
    state.unused(thread, MisuseKind::DestroyWaited)?;
    state.needed = 0;
    Ok(Done::Returns(0))
}

fn arrive(state: &mut BarrierState, address: Address, thread: Thread) -> Result<Done, Misuse> {
    if state.needed == 0 {
        return Err(state.misuse(MisuseKind::Uninitialised, thread));
    }
    if state.arrived.len() as u32 + 1 >= state.needed {
        state.arrived.clear();
        return Ok(Done::Returns(SERIAL_THREAD));
    }
    if let Err(position) = state.arrived.binary_search(&thread) {
        state.arrived.insert(position, thread);
    }
    Ok(Done::Continues(Operation::new(address, BarrierCall::Leave)))
}

impl BarrierCall {
    pub(crate) fn choices<O: Objects>(
        self,
        address: Address,
        thread: Thread,
        objects: &O,
    ) -> Choices {
        match self {
            // The barrier may be destroyed by now, and its memory be something else.
            Self::Leave => Choices::usual_if(
                BarrierState::of(&objects.get(address))
                    .is_none_or(|state| state.arrived.binary_search(&thread).is_err()),
            ),
            Self::Initialise(_) | Self::Destroy | Self::Wait => Choices::USUAL,
        }
    }

    pub(crate) fn perform<O: Objects>(
        self,
        address: Address,
        thread: Thread,
        objects: &mut O,
    ) -> Result<Done, Misuse> {
        match self {
            Self::Initialise(needed) => {
                change(objects, address, thread, |state| initialise(state, needed, thread))
            }
            Self::Destroy => change(objects, address, thread, |state| destroy(state, thread)),
            Self::Wait => change(objects, address, thread, |state| arrive(state, address, thread)),
            Self::Leave => Ok(Done::Returns(0)),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Initialise(_) => "pthread_barrier_init",
            Self::Destroy => "pthread_barrier_destroy",
            Self::Wait | Self::Leave => "pthread_barrier_wait",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SyncChoice;
    use crate::table::Table;

    fn ready(needed: u32) -> Table {
        let mut table = Table::default();
        assert_eq!(table.result(1, 8, BarrierCall::Initialise(needed)), 0);
        table
    }

    fn arrive(table: &mut Table, thread: u32) {
        let leave = Operation::new(8, BarrierCall::Leave);
        assert_eq!(
            table.choose(SyncChoice::USUAL, thread, 8, BarrierCall::Wait),
            Ok(Done::Continues(leave))
        );
    }

    #[test]
    fn all_leave_once_the_last_has_come() {
        let mut table = ready(3);
        arrive(&mut table, 5);
        arrive(&mut table, 2);
        assert!(table.choices(5, 8, BarrierCall::Leave).is_empty());
        assert!(table.choices(2, 8, BarrierCall::Leave).is_empty());
        assert_eq!(table.result(4, 8, BarrierCall::Wait), SERIAL_THREAD);
        assert_eq!(table.result(5, 8, BarrierCall::Leave), 0);
        // The next round has begun, and thread 2 has not left the first one yet.
        arrive(&mut table, 4);
        assert!(table.choices(4, 8, BarrierCall::Leave).is_empty());
        assert_eq!(table.result(2, 8, BarrierCall::Leave), 0);
    }

    #[test]
    fn a_barrier_for_one_stops_nobody() {
        let mut table = ready(1);
        assert_eq!(table.result(1, 8, BarrierCall::Wait), SERIAL_THREAD);
        assert_eq!(table.result(1, 8, BarrierCall::Wait), SERIAL_THREAD);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        let mut table = Table::default();
        for needed in [0, 0x7fff_ffff, u32::MAX] {
            assert_eq!(table.result(1, 8, BarrierCall::Initialise(needed)), EINVAL);
        }
        assert_eq!(table.result(1, 8, BarrierCall::Initialise(0x7fff_fffe)), 0);
    }

    #[test]
    fn misuses_are_reported() {
        let mut table = Table::default();
        let text = "thread 1 uses a barrier that is not initialised";
        assert_eq!(table.misuse(1, 8, BarrierCall::Wait), ("uninitialised", text.into()));
        let mut table = ready(2);
        arrive(&mut table, 3);
        assert_eq!(table.misuse(1, 8, BarrierCall::Destroy).0, "destroy-waited");
        assert_eq!(table.misuse(1, 8, BarrierCall::Initialise(2)).0, "init-waited");
        table.result(1, 8, BarrierCall::Wait);
        assert_eq!(table.result(1, 8, BarrierCall::Destroy), 0);
        assert!(table.is_idle());
        assert_eq!(table.result(3, 8, BarrierCall::Leave), 0);
    }
}
