//! What the user wants to see on the way: C expressions over the program's variables, as they are in
//! the recorded states. The schedule does not know of them.

use std::collections::BTreeMap;
use std::fmt;

use steam_expr::{Expression, Limits, Memory, Printer, ProgramNames};
use steam_model::Model;
use steam_program::{Program, Worker};
use steam_state::{Space, Table};
use steam_trail::{Change, Step};

use crate::Retraced;

/// Why expressions cannot be shown; its `Display` says what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintError(String);

impl fmt::Display for PrintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PrintError {}

/// Expressions, and where their variables lie.
pub struct Prints<'a> {
    names: ProgramNames<'a>,
    list: Vec<(String, Expression)>,
}

impl<'a> Prints<'a> {
    /// Understands expressions; the message says what is wrong with one.
    pub fn new(program: &'a Program, texts: &[String]) -> Result<Self, PrintError> {
        let mut names = match ProgramNames::new(program.image()) {
            Ok(names) => names,
            Err(why) => {
                let text = format!("--print needs debug information: {why}");
                return Err(PrintError(text));
            }
        };
        let mut list = Vec::new();
        for text in texts {
            match names.compile(text, None) {
                Ok(expression) => list.push((text.clone(), expression)),
                Err(error) => {
                    let text = format!("--print is not understood\n{}", error.explain(text));
                    return Err(PrintError(text));
                }
            }
        }
        Ok(Self { names, list })
    }

    /// Adds to each step which of the expressions it changed, and shows the values at the start.
    pub fn add_to(
        &self,
        program: &Program,
        retraced: &Retraced,
        steps: &mut [Step],
    ) -> Vec<String> {
        let mut looker = program.worker();
        let values = self.values(program, &mut looker, &retraced.initial, Space::FIRST);
        let start = self.list.iter().zip(&values);
        let start = start.map(|((text, _), value)| format!("{text} = {value} at the start"));
        let start = start.collect();
        // Each process has variables of its own.
        let mut known = BTreeMap::from([(Space::FIRST, values)]);
        let mut before = &retraced.initial;
        for (step, traced) in steps.iter_mut().zip(&retraced.steps) {
            let Some(state) = &traced.after else { continue };
            let space = program.space_of(before, traced.action.thread).unwrap_or_default();
            before = state;
            let next = self.values(program, &mut looker, state, space);
            let values = known.entry(space).or_insert_with(|| next.clone());
            for (((text, _), from), to) in self.list.iter().zip(&*values).zip(&next) {
                if from != to {
                    step.changes.retain(|change| change.expression != *text);
                    let (from, to) = (from.clone(), to.clone());
                    step.changes.push(Change { expression: text.clone(), from, to });
                }
            }
            *values = next;
        }
        start
    }

    fn values(
        &self,
        program: &Program,
        worker: &mut Worker,
        state: &Table,
        space: Space,
    ) -> Vec<String> {
        let printer = Printer::new(&self.names, Limits::default());
        let mut memory = StateMemory { program, worker, state, space };
        let print = |(_, expression): &(String, Expression)| {
            let value = expression.evaluate(&mut memory);
            printer.print(&value, &mut memory)
        };
        self.list.iter().map(print).collect()
    }
}

/// The memory of a process in a state; there are no registers.
struct StateMemory<'a> {
    program: &'a Program,
    worker: &'a mut Worker,
    state: &'a Table,
    space: Space,
}

impl Memory for StateMemory<'_> {
    fn read(&mut self, address: u32, bytes: &mut [u8]) -> bool {
        self.program.read_memory(self.worker, self.state, self.space, address, bytes)
    }

    fn register(&self, _: u8) -> Option<u32> {
        None
    }
}
