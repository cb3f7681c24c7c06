//! C++ operators that make and free heap blocks: a block is freed by the one that belongs to what made it.
//!
//! They are guest code around `malloc` and `free`. Which one made a block is known by the return address that
//! the block keeps: it lies in the outermost operator.

use steam_report::{FailureProblem, Form};

use super::call::{LibraryCall, Stop};

/// The operators of a program, none where it brings one of its own.
#[derive(Debug, Default)]
pub struct Operators {
    /// From where to where each goes, ascending.
    ranges: Vec<(u32, u32, Form)>,
}

impl Operators {
    /// Operators by where they begin, their size and name.
    pub(super) fn new(functions: impl Iterator<Item = (u32, u32, Form)>) -> Self {
        let mut ranges: Vec<_> = functions
            .map(|(start, size, form)| (start, start.saturating_add(size), form))
            .collect();
        ranges.sort_unstable_by_key(|range| range.0);
        ranges.dedup_by_key(|range| range.0);
        Self { ranges }
    }

    /// What an operator of that name makes or frees.
    pub(super) fn form(name: &str) -> Option<Form> {
        match name.get(..4)? {
            "_Znw" | "_Zdl" => Some(Form::Single),
            "_Zna" | "_Zda" => Some(Form::Array),
            _ => None,
        }
    }

    /// The operator in which an address lies.
    fn at(&self, address: u32) -> Option<Form> {
        let behind = self.ranges.partition_point(|range| range.0 <= address);
        let (_, end, form) = *self.ranges.get(behind.checked_sub(1)?)?;
        (address < end).then_some(form)
    }
}

/// An operator calls another one, which calls the heap function; some catch what that throws.
const MOST_CALLERS: usize = 4;

/// The return address by which a block of the function that is called remembers what made it.
pub(super) fn maker(call: &mut LibraryCall<'_>) -> Result<u32, Stop> {
    let site = call.site()?;
    let Some(operators) = call.operators.filter(|it| it.at(site).is_some()) else {
        return Ok(site);
    };
    let callers = call.history.callers(call.cpu, MOST_CALLERS);
    let within = callers.iter().copied().take_while(|&caller| operators.at(caller).is_some());
    Ok(within.last().unwrap_or(site))
}

/// Refuses to free a block otherwise than it was made.
pub(super) fn check(call: &mut LibraryCall<'_>, address: u32) -> Result<(), Stop> {
    let Some(operators) = call.operators else { return Ok(()) };
    let Some(block) = call.heap.get(address) else { return Ok(()) };
    let freed_by = maker(call)?;
    let form = |site| operators.at(site).unwrap_or(Form::Plain);
    let (made, freed) = (form(block.site), form(freed_by));
    match made == freed {
        true => Ok(()),
        false => Err(Stop::Problem(FailureProblem::Mismatch { block, made, freed })),
    }
}
