//! Library models: functions of libc that are intercepted at their symbol and done by us.
//!
//! Two families. The *heap* functions live on the heap pool, so that every byte of a block is
//! checked and addresses depend on the allocating thread alone. The *string* functions are there
//! because libc reads whole words past the end of a block on purpose: the models touch exactly the
//! bytes that C says, and each is one operation. All else runs as guest code.
//!
//! [`install`] walks the symbol table once and asks the CPU to stop at each modelled function;
//! [`Models::call`] then does the function's work and returns to its caller.

mod arguments;
mod call;
mod compare;
mod copy;
mod find;
mod frames;
mod heap;
mod heap_figures;
mod intact;
mod names;
mod operators;
mod origin;
mod search;
mod synchronisation;
mod table;
mod used;
mod variable;
mod wide;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use steam_image::Image;
use steam_report::Failure;
use steam_sync::{Done, Operation};
use steam_vm::Cpu;

pub use arguments::{Argument, Size};
pub use call::{Answer, LibraryCall, Stop};
pub use operators::Operators;
pub use search::is_one_step;
pub use synchronisation::{NewMutex, Synchronisation};
pub use table::{About, Row, Work};
pub use used::Stream;

use origin::{Library, Origin};
use table::Family;
use variable::ThreadVariable;

/// The modelled functions of one program.
#[derive(Debug)]
pub struct Models {
    /// The rows that intercepts name by their position.
    rows: Vec<&'static Row>,
    /// What their functions touch through their arguments.
    arguments: Vec<&'static [Argument]>,
    notes: Vec<String>,
    library: Library,
    variables: Variables,
    /// The program's C++ operators for the heap.
    pub operators: Operators,
    /// Code of the library that only keeps its own books about threads: where each such function
    /// begins and ends, ascending.
    bookkeeping: Vec<(u32, u32)>,
    /// The positions of rows, by the address of their function.
    by_address: BTreeMap<u32, u16>,
}

/// The library's variables that models use.
#[derive(Clone, Copy, Debug, Default)]
struct Variables {
    errno: Option<ThreadVariable>,
    /// A pointer to the table of lower-case letters in the thread's locale.
    lower_case: Option<ThreadVariable>,
    /// From where to where a function goes that frees what others may still read.
    frees_early: Option<(u32, u32)>,
}

/// Finds the functions to be modelled and asks the CPU to stop at them; in a search, at those that
/// synchronise too. How functions are unwound is looked up by us in both: the guest's own code takes millions
/// of instructions for that.
pub fn install(image: &Image, cpu: &mut Cpu, in_search: bool) -> Models {
    let origin = Origin::new(image);
    let mut chosen = origin.modelled();
    chosen.retain(|_, row| {
        in_search
            || matches!(row.work, Work::Frame)
            || !matches!(row.family, Family::Search | Family::Program)
    });
    let mut rows: Vec<&'static Row> = Vec::new();
    let mut by_address = BTreeMap::new();
    for (address, row) in chosen {
        let position = rows.iter().position(|&known| std::ptr::eq(known, row));
        let position = position.unwrap_or_else(|| {
            rows.push(row);
            rows.len() - 1
        });
        cpu.intercept(address, position as u16);
        by_address.insert(address, position as u16);
    }
    Models {
        arguments: rows.iter().map(|row| arguments::arguments(row.name)).collect(),
        rows,
        notes: origin.notes(),
        library: origin.library(),
        variables: origin.variables(),
        operators: origin.operators(),
        bookkeeping: search::bookkeeping(image),
        by_address,
    }
}

impl Models {
    /// What the user should know about the choice of models, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Does the work of the intercepted function `id` and returns to its caller. After a failure
    /// registers are unchanged; memory may hold the bytes that were written before it.
    pub fn call(&self, id: u16, call: &mut LibraryCall<'_>) -> Result<(), Failure> {
        let Some(row) = self.row(id) else { return Ok(()) };
        let Work::Model(work) = row.work else { return Ok(()) };
        self.prepare(call);
        let result = work(call).and_then(|value| call.finish(value));
        result.map_err(|stop| Failure { function: row.name, problem: call.problem(stop) })
    }

    /// Does the work of `_Unwind_Find_FDE` and returns to its caller, if the image can tell; whether it can.
    pub fn find_frame(&self, image: &Image, call: &mut LibraryCall<'_>) -> bool {
        self.prepare(call);
        let found = frames::find_entry(image, call);
        if found.is_err() {
            // The guest's own code comes to the same refusal.
            call.cpu.memory.take_error();
        }
        found.unwrap_or(false)
    }

    /// The intercepted function `id`.
    pub fn row(&self, id: u16) -> Option<&'static Row> {
        self.rows.get(usize::from(id)).copied()
    }

    /// The position of the row of the function at an address.
    pub fn id_at(&self, address: u32) -> Option<u16> {
        self.by_address.get(&address).copied()
    }

    /// Whether the program's library is glibc.
    pub fn is_glibc(&self) -> bool {
        self.library == Library::Glibc
    }

    /// Which argument of the intercepted function `id` points to the time at which its wait ends, and whether
    /// the seconds of that have 64 bits.
    pub fn deadline(&self, id: u16) -> Option<(u32, bool)> {
        self.row(id).and_then(|row| arguments::deadline(row.name))
    }

    /// The memory of the program that the intercepted function `id` touches through its arguments,
    /// where nothing records how.
    pub fn arguments(&self, id: u16) -> &'static [Argument] {
        self.arguments.get(usize::from(id)).copied().unwrap_or_default()
    }

    /// The row of the function at an address.
    pub fn row_at(&self, address: u32) -> Option<&'static Row> {
        self.row(self.id_at(address)?)
    }

    /// Whether the accesses of a function that runs as a whole are the program's own affair. Those
    /// of functions that deal with threads are the library's, but for their results.
    pub fn is_noted(&self, id: u16) -> bool {
        self.row(id).is_none_or(|row| matches!(row.work, Work::AtomicBlock))
    }

    /// Whether a function is the program's own. Its compiler knows caller and callee, and need not
    /// keep to the rules for calls: arguments may be in registers, and scratch registers may be
    /// known to survive.
    pub fn is_of_program(&self, id: u16) -> bool {
        self.row(id).is_some_and(|row| row.family == Family::Program)
    }

    /// Whether a function makes or frees heap blocks, or asks about them.
    pub fn is_about_heap(&self, id: u16) -> bool {
        self.row(id).is_some_and(|row| row.family == Family::Heap)
    }

    /// Whether code only keeps the library's own books about threads.
    pub fn is_bookkeeping(&self, address: u32) -> bool {
        let behind = self.bookkeeping.partition_point(|&(start, _)| start <= address);
        behind > 0 && address < self.bookkeeping[behind - 1].1
    }

    /// What a call of a synchronising function does.
    pub fn decode(
        &self,
        row: &'static Row,
        synchronisation: &Synchronisation,
        call: &mut LibraryCall<'_>,
    ) -> Result<Operation, Failure> {
        self.prepare(call);
        let result = (synchronisation.decode)(call);
        result.map_err(|stop| Failure { function: row.name, problem: call.problem(stop) })
    }

    /// What is known of a call of `pthread_mutex_init` before it is done.
    pub fn new_mutex(&self, call: &mut LibraryCall<'_>) -> Option<NewMutex> {
        self.prepare(call);
        synchronisation::about_new_mutex(call).ok()
    }

    /// Makes the bytes of the lock that an operation has taken or given up those of one that is held, or free.
    pub fn settle(
        &self,
        row: &'static Row,
        operation: &Operation,
        call: &mut LibraryCall<'_>,
    ) -> Result<(), Failure> {
        self.prepare(call);
        let result = intact::settle(call, operation);
        result.map_err(|stop| Failure { function: row.name, problem: call.problem(stop) })
    }

    /// Lets a synchronising function return what became of its operation.
    pub fn complete(
        &self,
        row: &'static Row,
        synchronisation: &Synchronisation,
        call: &mut LibraryCall<'_>,
        done: Done,
    ) -> Result<(), Failure> {
        self.prepare(call);
        let result = synchronisation.complete(call, done).and_then(|value| call.finish(value));
        result.map_err(|stop| Failure { function: row.name, problem: call.problem(stop) })
    }

    fn prepare(&self, call: &mut LibraryCall<'_>) {
        (call.library, call.variables) = (self.library, self.variables);
    }
}
