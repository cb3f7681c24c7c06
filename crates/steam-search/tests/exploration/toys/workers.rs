//! Random programs of a few processes over shared variables: what commutes is known, and who waits.

use steam_model::{Delta, Dependence, Livelocks, Positions, Standing};
use steam_search::walk::Numbers;

use super::{Act, Action, Hand, Play, Toy};

/// One statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Nothing,
    Yield,
    Set(usize, u32),
    /// Adds one, modulo [`VALUES`].
    Add(usize),
    /// Can be done only if the variable has the value.
    Await(usize, u32),
    /// Goes there if the variable has the value.
    Branch(usize, u32, usize),
    Goto(usize),
    /// Chooses between going on and going there.
    Toss(usize),
    /// Ends all processes; in no random program.
    Exit,
    /// An error, and nothing follows; in no random program.
    Fail,
}

impl Op {
    /// The variable that it touches, and whether it writes.
    fn touches(self) -> Option<(usize, bool)> {
        match self {
            Op::Nothing | Op::Yield | Op::Goto(_) | Op::Toss(_) | Op::Exit | Op::Fail => None,
            Op::Set(variable, _) | Op::Add(variable) => Some((variable, true)),
            Op::Await(variable, _) | Op::Branch(variable, ..) => Some((variable, false)),
        }
    }
}

/// Variables have one of so many values.
pub const VALUES: u32 = 3;
const VARIABLES: usize = 2;

/// Some processes, each with its statements. A state has the place of each process, then the variables.
#[derive(Clone, Debug)]
pub struct Workers(pub Vec<Vec<Op>>);

impl Workers {
    /// Programs that may go back and so need not end.
    pub fn looping(seed: u64) -> Self {
        Self::random(seed, |numbers, _, length| numbers.below(length + 1))
    }

    /// Programs that only go forward.
    pub fn ending(seed: u64) -> Self {
        Self::random(seed, |numbers, at, length| at + 1 + numbers.below(length - at))
    }

    fn random(seed: u64, target: impl Fn(&mut Numbers, usize, usize) -> usize) -> Self {
        let mut numbers = Numbers::new(seed);
        let count = 2 + numbers.below(2);
        let processes = (0..count).map(|_| {
            let length = 1 + numbers.below(4);
            let ops = (0..length).map(|at| {
                let variable = numbers.below(VARIABLES);
                let value = numbers.below(VALUES as usize) as u32;
                let to = target(&mut numbers, at, length);
                match numbers.below(9) {
                    0 => Op::Nothing,
                    1 => Op::Yield,
                    2 | 3 => Op::Set(variable, value),
                    4 => Op::Add(variable),
                    5 => Op::Await(variable, value),
                    6 => Op::Branch(variable, value, to),
                    7 => Op::Goto(to),
                    _ => Op::Toss(to),
                }
            });
            ops.collect()
        });
        Self(processes.collect())
    }

    /// The statement that a process does next; none if it has ended.
    pub fn next(&self, state: &[u32], process: usize) -> Option<Op> {
        self.0[process].get(state[process] as usize).copied()
    }

    /// The value of a variable.
    pub fn value(&self, state: &[u32], variable: usize) -> u32 {
        state[self.0.len() + variable]
    }
}

impl Toy for Workers {
    fn initial(&self) -> Vec<u32> {
        vec![0; self.0.len() + VARIABLES]
    }

    fn actions(&self, state: &[u32]) -> Vec<Action> {
        let mut actions = Vec::new();
        for process in 0..self.0.len() {
            let choices = match self.next(state, process) {
                None => 0,
                Some(Op::Await(variable, value)) => u32::from(self.value(state, variable) == value),
                Some(Op::Toss(_)) => 2,
                Some(_) => 1,
            };
            actions.extend((0..choices).map(|choice| (process as u32, choice)));
        }
        actions
    }

    fn act(&self, state: &mut Vec<u32>, (process, choice): Action) -> Act {
        let (process, first) = (process as usize, self.0.len());
        let mut place = state[process] + 1;
        match self.next(state, process) {
            None => return Act::Infeasible,
            Some(Op::Nothing | Op::Yield | Op::Await(..)) => {}
            Some(Op::Set(variable, value)) => state[first + variable] = value,
            Some(Op::Add(variable)) => {
                state[first + variable] = (state[first + variable] + 1) % VALUES;
            }
            Some(Op::Branch(variable, value, to)) => {
                if state[first + variable] == value {
                    place = to as u32;
                }
            }
            Some(Op::Goto(to)) => place = to as u32,
            Some(Op::Exit) => {
                for (other, place) in self.0.iter().zip(state.iter_mut()) {
                    *place = other.len() as u32;
                }
                return Act::Done;
            }
            Some(Op::Fail) => return Act::Wrong(FAILED + process as u32),
            Some(Op::Toss(to)) => {
                if choice == 1 {
                    place = to as u32;
                }
            }
        }
        state[process] = place;
        Act::Done
    }
}

impl Dependence for Play<Workers> {
    type Operation = Op;

    fn pending(&self, _: &mut Hand, state: &Vec<u32>, visit: &mut dyn FnMut(u32, Op)) {
        for process in 0..self.0.0.len() {
            if let Some(op) = self.0.next(state, process) {
                visit(process as u32, op);
            }
        }
    }

    fn performed(
        &self,
        pending: &Op,
        _: &Vec<u32>,
        _: Action,
        _: &Delta,
        operations: &mut Vec<Op>,
    ) {
        operations.push(*pending);
    }

    fn dependent(&self, one: &Op, other: &Op) -> bool {
        match (one.touches(), other.touches()) {
            (Some((one, writes)), Some((other, also))) => one == other && (writes || also),
            _ => false,
        }
    }

    fn may_meet(&self, _: &Op, _: &Op) -> bool {
        true
    }
}

/// What a process that fails is called.
pub const FAILED: u32 = 3000;

/// A process stands at a statement.
impl Positions for Play<Workers> {
    fn standing(
        &self,
        hand: &mut Hand,
        state: &Vec<u32>,
        _: &[Action],
        standing: &mut Vec<Standing<Op>>,
    ) -> bool {
        self.pending(hand, state, &mut |process, operation| {
            let position = state[process as usize].into();
            standing.push(Standing { process, position, operation });
        });
        true
    }

    fn moved(&self, _: &Vec<u32>, delta: &Delta, visit: &mut dyn FnMut(u32, Option<u64>)) {
        for change in delta.changes() {
            if let Some(process) = self.0.0.get(change.slot as usize) {
                let lives = (change.new as usize) < process.len();
                visit(change.slot, lives.then_some(change.new.into()));
            }
        }
    }

    fn awaited(&self, _: &Vec<u32>, _: &Standing<Op>) -> Option<u32> {
        None
    }

    fn enables(&self, operation: &Op, waiting: &Op, _: bool) -> bool {
        matches!(operation, Op::Set(..) | Op::Add(_)) && self.dependent(operation, waiting)
    }
}

/// What a process that waits for too long is called.
pub const LIVELOCK: u32 = 2000;

impl Livelocks for Play<Workers> {
    fn livelock(&self, _: &Vec<u32>, process: u32, _: u32) -> u32 {
        LIVELOCK + process
    }

    fn progressed(&self, _: &super::Hand) -> bool {
        false
    }

    fn yields(&self, before: &Vec<u32>, (process, _): Action) -> bool {
        self.0.next(before, process as usize) == Some(Op::Yield)
    }

    fn non_progress(&self, _: &[(Vec<u32>, Action)]) -> u32 {
        LIVELOCK
    }
}
