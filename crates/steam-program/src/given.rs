//! Memory that two functions of a library work on, and whether the program has given it to them or it is
//! something that the library keeps in order by itself.

use steam_state::{HEAP_END, HEAP_START, Table};

use super::races::Side;
use super::{Program, Worker};

/// How the names of functions begin that keep what they have in common in order by themselves, in objects that
/// lie wherever the program has put them: locks and the like. Without the underscores before them.
const ORDERLY: [&str; 12] = [
    "gomp",
    "omp",
    "GOMP",
    "GOACC",
    "pthread",
    "nptl",
    "sem_",
    "new_sem",
    "lll_",
    "mtx_",
    "cnd_",
    "call_once",
];

/// The variable of the C library that leads to all its streams.
const STREAMS: &str = "_IO_list_all";

/// Where a stream has its buffer, the end of the buffer, and the next stream.
const BUFFER: u32 = 28;
const BUFFER_END: u32 = 32;
const NEXT: u32 = 52;

/// So many streams are looked at.
const MOST_STREAMS: usize = 256;

impl Program {
    /// Whether functions of a library work on a block of the heap that the program has allocated.
    pub(super) fn is_given_block(
        &self,
        worker: &mut Worker,
        state: &Table,
        sides: [Side; 2],
    ) -> bool {
        let orderly = |side: &Side| {
            let symbol = self.image.symbols.at(side.instruction());
            let name = symbol.map_or("", |(symbol, _)| symbol.name.trim_start_matches('_'));
            side.locked || ORDERLY.iter().any(|begin| name.starts_with(begin))
        };
        let [one, _] = sides;
        let space = self.living(state, one.thread).state.space;
        if sides.iter().any(orderly) {
            return false;
        }
        worker.attach(state, space);
        let block = worker.machine.system.heap.covering(one.access.address);
        block.is_some_and(|block| self.accessor(block.site.wrapping_sub(1)).is_users)
    }

    /// Whether two conflict on memory of the heap that belongs to no block yet, and one runs as a whole: it is
    /// the library's until an allocation hands it out, and both may be about to be given the same bytes. Who
    /// uses a block that was freed is in error by that alone.
    pub(super) fn is_unclaimed(
        &self,
        worker: &mut Worker,
        state: &Table,
        [one, other]: [Side; 2],
    ) -> bool {
        let common = one.access.address.max(other.access.address);
        let whole = one.whole || other.whole;
        if !whole || !(HEAP_START..HEAP_END).contains(&common) {
            return false;
        }
        let space = self.living(state, one.thread).state.space;
        worker.attach(state, space);
        worker.machine.system.heap.covering(common).is_none()
    }

    /// Whether an address lies in the buffer of a stream, which the library's own lock protects; the program may
    /// have given it by `setvbuf`.
    pub(super) fn is_buffer(&self, worker: &mut Worker, state: &Table, side: Side) -> bool {
        let space = self.living(state, side.thread).state.space;
        // A library without such a list has no streams, or has them elsewhere: then the race is reported.
        let Some(list) = self.image.symbols.find(STREAMS).next() else { return false };
        let mut word = |at: u32| {
            let mut bytes = [0; 4];
            let read = self.read_memory(worker, state, space, at, &mut bytes);
            read.then_some(u32::from_le_bytes(bytes)).filter(|&found| found != 0)
        };
        let mut next = word(list.address);
        for _ in 0..MOST_STREAMS {
            // The list ends here, or at a bad address: no buffer was found, and the race is reported.
            let Some(stream) = next else { break };
            let buffer = word(stream.wrapping_add(BUFFER));
            let end = word(stream.wrapping_add(BUFFER_END)).unwrap_or(0);
            if buffer.is_some_and(|buffer| (buffer..end).contains(&side.access.address)) {
                return true;
            }
            next = word(stream.wrapping_add(NEXT));
        }
        false
    }
}
