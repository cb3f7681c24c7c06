//! Whole checks of toy programs that learn which of their cells are shared.

mod bounded_cycles;
mod bounds;
mod iterations;
mod limits;
mod livelocks;
mod naive;
mod toy;
mod verdicts;
