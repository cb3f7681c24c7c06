//! What atoms come to, by the contents of the pages that they read.
//!
//! A search looks at millions of states, most of which differ in something else. What expressions come to
//! depends on the pages that they read alone, as long as these belong to the program's own variables, which
//! are always there; so it is kept for each combination of contents that was met.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use steam_model::Change;
use steam_program::{Program, Worker};
use steam_state::Table;

/// So many combinations are kept.
const MOST: usize = 1 << 16;

/// What was read for atoms in one state.
#[derive(Default)]
pub(crate) struct Trace {
    /// The pages.
    pub(crate) pages: Vec<u32>,
    /// Whether something was read that may go away.
    pub(crate) elsewhere: bool,
}

/// What atoms came to.
#[derive(Default)]
pub(crate) struct Known(RwLock<Values>);

#[derive(Default)]
struct Values {
    /// All pages that were read in any state.
    pages: Vec<u32>,
    bits: HashMap<Vec<u32>, u64>,
}

impl Known {
    /// What atoms come to in the state that differs from one in some slots, if that is known; nothing if
    /// the program has ended there.
    pub(crate) fn find(
        &self,
        program: &Program,
        worker: &mut Worker,
        state: &Table,
        changes: &[Change],
    ) -> Option<u64> {
        let values = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if values.bits.is_empty() {
            return None;
        }
        let contents = program.contents(worker, state, changes, &values.pages)?;
        values.bits.get(contents).copied()
    }

    /// Keeps what they come to.
    pub(crate) fn keep(
        &self,
        program: &Program,
        worker: &mut Worker,
        state: &Table,
        trace: &Trace,
        bits: u64,
    ) {
        if trace.elsewhere {
            return;
        }
        let mut values = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for page in &trace.pages {
            if !values.pages.contains(page) {
                values.pages.push(*page);
                values.bits.clear();
            }
        }
        if values.bits.len() >= MOST {
            values.bits.clear();
        }
        if let Some(contents) = program.contents(worker, state, &[], &values.pages) {
            values.bits.insert(contents.to_vec(), bits);
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Values::default();
    }
}
