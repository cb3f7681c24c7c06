//! The program of the paper's Figure 10 (b), location by location, and the run of its Table 2.

use std::fmt::Write as _;

use steam_ltl::{AtomId, Valuation};

/// The shared variables, and where both threads are.
#[derive(Clone, Copy)]
pub struct State {
    /// The location that each thread does next, from 1.
    location: [usize; 2],
    x: usize,
    b: [bool; 2],
    crit: [bool; 2],
}

/// The schedule of Table 2: who does the step into each state from `s1` on.
pub const SCHEDULE: [usize; 10] = [2, 2, 1, 1, 1, 1, 1, 2, 2, 2];

impl State {
    const FIRST: Self = Self { location: [1; 2], x: 1, b: [false; 2], crit: [false; 2] };

    /// What a thread, 1 or 2, does up to the end of its location. It must not have to wait.
    fn after(mut self, thread: usize) -> Self {
        let (own, other) = (thread - 1, 2 - thread);
        match self.location[own] {
            1 => self.crit[own] = false,
            2 => self.x = 3 - thread,
            3 => self.b[own] = true,
            4 => assert!(self.x == thread || !self.b[other], "thread {thread} has to wait"),
            5 => self.crit[own] = true,
            _ => (self.b[own], self.crit[own]) = (false, false),
        }
        // After the last location comes the loop.
        self.location[own] = self.location[own] % 6 + 1;
        self
    }

    /// What holds: `crit1` and `crit2`.
    pub fn valuation(&self) -> Valuation {
        let both = (0..2).map(|at| (AtomId(at as u8), self.crit[at]));
        both.fold(Valuation::default(), |state, (atom, holds)| state.with(atom, holds))
    }
}

/// The states of a schedule, the first one included.
pub fn states(schedule: &[usize]) -> Vec<State> {
    let mut states = vec![State::FIRST];
    for thread in schedule {
        states.push(states[states.len() - 1].after(*thread));
    }
    states
}

/// The upper part of Table 2: who was scheduled, where both threads are, and the variables.
pub fn upper_part(schedule: &[usize]) -> String {
    let states = states(schedule);
    let letter = |holds: bool| if holds { "T" } else { "F" }.to_owned();
    let mut text = String::new();
    let mut row = |name: &str, cell: &dyn Fn(usize) -> String| {
        let cells: Vec<String> = (0..states.len()).map(cell).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:10}{}", cells.join(" "));
    };
    row("scheduled", &|at| at.checked_sub(1).map_or("-".to_owned(), |at| schedule[at].to_string()));
    row("T1 at", &|at| states[at].location[0].to_string());
    row("T2 at", &|at| states[at].location[1].to_string());
    row("x", &|at| states[at].x.to_string());
    row("b1", &|at| letter(states[at].b[0]));
    row("b2", &|at| letter(states[at].b[1]));
    row("crit1", &|at| letter(states[at].crit[0]));
    row("crit2", &|at| letter(states[at].crit[1]));
    text
}
