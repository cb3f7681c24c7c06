//! What atoms come to, by the contents of the pages that they read.
//!
//! A search looks at millions of states, most of which differ in something else. What expressions come to
//! depends on the pages that they read alone, as long as these belong to the program's own variables, which
//! are always there; so it is kept for each combination of contents that was met.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use steam_model::Change;
use steam_program::Program;
use steam_state::Table;

/// So many combinations are kept.
const MOST: usize = 1 << 16;

thread_local! {
    /// Where contents are put together, so that nothing is allocated for each state.
    static CONTENTS: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

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
    pub(crate) fn find(&self, program: &Program, state: &Table, changes: &[Change]) -> Option<u64> {
        let values = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if values.bits.is_empty() {
            return None;
        }
        CONTENTS.with_borrow_mut(|contents| {
            let lives = program.contents(state, changes, &values.pages, contents);
            if lives { values.bits.get(&contents[..]).copied() } else { None }
        })
    }

    /// Keeps what they come to.
    pub(crate) fn keep(&self, program: &Program, state: &Table, trace: &Trace, bits: u64) {
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
        let mut contents = Vec::new();
        if program.contents(state, &[], &values.pages, &mut contents) {
            values.bits.insert(contents, bits);
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Values::default();
    }
}
