//! Library models: functions of libc that are intercepted at their symbol and done by us.
//!
//! Two families. The *heap* functions live on the heap pool, so that every byte of a block is
//! checked and addresses depend on the allocating thread alone. The *string* functions are there
//! because libc reads whole words past the end of a block on purpose: the models touch exactly the
//! bytes that C says, and each is one operation. All else runs as guest code.
//!
//! [`install`] walks the symbol table once and asks the CPU to stop at each modelled function;
//! [`Models::call`] then does the function's work and returns to its caller.

mod call;
mod compare;
mod copy;
mod find;
mod heap;
mod names;
mod origin;
mod table;
mod variable;
mod wide;

#[cfg(test)]
pub(crate) mod tests;

use steam_image::Image;
use steam_state::{AccessError, Block};
use steam_vm::Cpu;

pub use call::Call;

use origin::{Library, Origin};
use table::Row;
use variable::ThreadVariable;

/// The modelled functions of one program.
#[derive(Debug)]
pub struct Models {
    /// The rows that intercepts name by their position.
    rows: Vec<&'static Row>,
    notes: Vec<String>,
    library: Library,
    variables: Variables,
}

/// The library's variables that models use.
#[derive(Clone, Copy, Debug, Default)]
struct Variables {
    errno: Option<ThreadVariable>,
    /// A pointer to the table of lower-case letters in the thread's locale.
    lower_case: Option<ThreadVariable>,
}

/// Why a modelled function could not do its work. The CPU is as it was at the call: `eip` at the
/// function's first byte, the return address on top of the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The function's plain name.
    pub function: &'static str,
    /// What went wrong.
    pub problem: FailureProblem,
}

/// What can go wrong in a modelled function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureProblem {
    /// It touched a byte that the program may not touch.
    Access(AccessError),
    /// The pointer to be freed is no start of a live block.
    Free {
        /// The pointer.
        address: u32,
        /// The live block that it points into, if any.
        inside: Option<Block>,
    },
}

/// Finds the functions to be modelled and asks the CPU to stop at them.
pub fn install(image: &Image, cpu: &mut Cpu) -> Models {
    let origin = Origin::new(image);
    let chosen = origin.modelled();
    let mut rows: Vec<&'static Row> = Vec::new();
    for (address, row) in chosen {
        let position = rows.iter().position(|&known| std::ptr::eq(known, row));
        let position = position.unwrap_or_else(|| {
            rows.push(row);
            rows.len() - 1
        });
        cpu.intercept(address, position as u16);
    }
    Models { rows, notes: origin.notes(), library: origin.library(), variables: origin.variables() }
}

impl Models {
    /// What the user should know about the choice of models, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Does the work of the intercepted function `id` and returns to its caller. After a failure
    /// registers are unchanged; memory may hold the bytes that were written before it.
    pub fn call(&self, id: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let Some(row) = self.rows.get(usize::from(id)) else { return Ok(()) };
        (call.library, call.variables) = (self.library, self.variables);
        let result = (row.work)(call).and_then(|value| call.finish(value));
        result.map_err(|stop| Failure { function: row.name, problem: call.problem(stop) })
    }
}
