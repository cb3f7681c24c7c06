//! Whole checks of toy programs that learn which of their cells are shared.

mod bounded_cycles;
mod bounds;
mod limits;
mod livelocks;
mod naive;
mod rounds;
mod toy;
mod verdicts;
