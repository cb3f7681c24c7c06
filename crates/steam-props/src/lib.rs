//! What holds in a state of a program: the atoms of formulas and invariants, given a meaning.
//!
//! ```text
//! texts --understand--> Propositions --valuation (a state)--> a bit for each
//! ```
//!
//! An atom is an expression of C over the program's variables, which holds where it is not zero, or says
//! something about a thread (`thread`). Everything is looked up when a check begins. Each word that is
//! read for an atom is told to the program, so that no write to it is hidden within a step.
//!
//! An atom that has no value in a state, such as `p->x` where `p` points nowhere, is taken as false there,
//! and that is kept as a [`Failure`]: whoever decides something by valuations has to ask for failures
//! before it says so.

mod claims;
mod error;
mod functions;
mod known;
mod lines;
mod monitor;
mod thread;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use steam_expr::{Expression, Memory, ProgramNames, Value};
use steam_image::TypeKind;
use steam_model::{Change, Model as _, Propositions};
use steam_program::{Program, StateMemory, Worker};
use steam_state::{Space, Table};

use known::{Known, Trace};

pub use claims::{Claim, ClaimKind, Claims};
pub use error::PropsError;
pub use lines::line_starts;
pub use monitor::ClaimMonitor;
pub use thread::{ThreadAtom, mentions_threads};

/// What an atom says.
#[derive(Debug)]
enum Meaning {
    /// That an expression is not zero; kept as one that is 1 where it is.
    Expression(Expression),
    /// Something about a thread.
    Thread(ThreadAtom),
}

/// Why an atom had no value in a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The number of the atom.
    pub number: u32,
    /// The atom.
    pub atom: String,
    /// What is wrong with it.
    pub why: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` has no value in some state: {}", self.atom, self.why)
    }
}

/// Atoms with their meaning.
pub struct ProgramPropositions {
    atoms: Vec<(String, Meaning)>,
    failures: Mutex<BTreeMap<usize, String>>,
    /// The atoms about a thread that was there in some state, by number.
    met: AtomicU64,
    /// The state that was looked at last: it is asked for once for each step from it.
    last: Mutex<Option<(Table, u64)>>,
    /// What the atoms came to, if they are all expressions.
    known: Option<Known>,
}

impl ProgramPropositions {
    /// Understands atoms, at most 64 of them; the message says what is wrong with one.
    pub fn new(program: &Program, texts: &[String]) -> Result<ProgramPropositions, PropsError> {
        let mut names = ProgramNames::new(program.image()).map_err(PropsError::no_names)?;
        let mut atoms = Vec::new();
        for text in texts {
            let meaning = match ThreadAtom::parse(program, &mut names, text)? {
                Some(atom) => Meaning::Thread(atom),
                None => Meaning::Expression(condition(&mut names, text)?),
            };
            atoms.push((text.clone(), meaning));
        }
        let plain = |(_, meaning): &(String, Meaning)| matches!(meaning, Meaning::Expression(_));
        let known = atoms.iter().all(plain).then(Known::default);
        let (failures, last) = Default::default();
        Ok(ProgramPropositions { atoms, failures, met: AtomicU64::new(0), last, known })
    }

    /// The texts of the atoms, by number.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.atoms.iter().map(|(text, _)| text.as_str())
    }

    /// Whether atoms say something about threads.
    pub fn concern_threads(&self) -> bool {
        let concerns = |meaning: &Meaning| match meaning {
            Meaning::Expression(_) | Meaning::Thread(ThreadAtom::Ended) => false,
            Meaning::Thread(_) => true,
        };
        self.atoms.iter().any(|(_, meaning)| concerns(meaning))
    }

    /// The first atom that says where a thread stands, if there is one.
    pub fn position(&self) -> Option<&str> {
        let is_position = |meaning: &Meaning| {
            matches!(meaning, Meaning::Thread(ThreadAtom::At { .. } | ThreadAtom::In { .. }))
        };
        self.atoms.iter().find(|(_, meaning)| is_position(meaning)).map(|(text, _)| text.as_str())
    }

    /// The atoms about locks where no lock was in any state that was looked at: another address is meant.
    pub fn without_locks(&self) -> impl Iterator<Item = &str> {
        let without = |meaning: &Meaning| match meaning {
            Meaning::Thread(ThreadAtom::Holds { met, .. }) => !met.load(Ordering::Relaxed),
            _ => false,
        };
        self.atoms.iter().filter(move |(_, it)| without(it)).map(|(text, _)| text.as_str())
    }

    /// The atoms about threads that were in no state that was looked at.
    pub fn without_threads(&self) -> impl Iterator<Item = &str> {
        let met = self.met.load(Ordering::Relaxed);
        let without = move |(number, (_, meaning)): &(usize, &(String, Meaning))| match meaning {
            Meaning::Thread(atom) => atom.thread().is_some() && met >> number & 1 == 0,
            Meaning::Expression(_) => false,
        };
        let atoms = self.atoms.iter().enumerate();
        atoms.filter(without).map(|(_, (text, _))| text.as_str())
    }

    /// Remembers that the thread is there which an atom is about.
    fn meet(&self, number: usize, atom: &ThreadAtom, program: &Program, state: &Table) {
        let own = 1 << number;
        if self.met.load(Ordering::Relaxed) & own == 0
            && atom.thread().is_some_and(|thread| program.view_of(state, thread).is_some())
        {
            self.met.fetch_or(own, Ordering::Relaxed);
        }
    }

    /// The atoms that had no value in some state, with the first reason that was met.
    pub fn failures(&self) -> Vec<Failure> {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let told = |(atom, why): (&usize, &String)| Failure {
            number: *atom as u32,
            atom: self.atoms[*atom].0.clone(),
            why: why.clone(),
        };
        failures.iter().map(told).collect()
    }

    /// Forgets which atoms had no value.
    pub fn forget_failures(&self) {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).clear();
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.known.iter().for_each(Known::clear);
    }

    /// Which atoms hold in a state, from looking at all of them. Of a program that has ended only what is
    /// said of threads is known.
    pub fn look(&self, program: &Program, worker: &mut Worker, state: &Table) -> u64 {
        let mut bits = 0;
        let mut trace = Trace::default();
        for (number, (_, meaning)) in self.atoms.iter().enumerate() {
            let holds = match meaning {
                Meaning::Expression(expression) => {
                    value(program, worker, state, expression, &mut trace).map(|zero| zero == 0)
                }
                Meaning::Thread(atom) => {
                    self.meet(number, atom, program, state);
                    atom.holds(program, worker, state)
                }
            };
            match holds {
                Ok(holds) => bits |= u64::from(holds) << number,
                Err(why) => {
                    trace.elsewhere = true;
                    let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
                    failures.entry(number).or_insert(why);
                }
            }
        }
        self.known.iter().for_each(|known| known.keep(program, worker, state, &trace, bits));
        bits
    }
}

impl Propositions<Program> for ProgramPropositions {
    fn count(&self) -> u32 {
        self.atoms.len() as u32
    }

    fn valuation(&self, program: &Program, worker: &mut Worker, state: &Table) -> u64 {
        if let Some(bits) = program.held_at_end(state) {
            return bits;
        }
        if let Some(known) = &self.known {
            let bits = known.find(program, worker, state, &[]);
            return bits.unwrap_or_else(|| self.look(program, worker, state));
        }
        if let Ok(last) = self.last.try_lock()
            && let Some((known, bits)) = &*last
            && known.same(state)
        {
            return *bits;
        }
        let bits = self.look(program, worker, state);
        if let Ok(mut last) = self.last.try_lock() {
            *last = Some((state.clone(), bits));
        }
        bits
    }

    fn valuation_after(
        &self,
        program: &Program,
        worker: &mut Worker,
        before: &Table,
        changes: &[Change],
    ) -> u64 {
        let known = self.known.as_ref();
        let known = known.and_then(|known| known.find(program, worker, before, changes));
        known.unwrap_or_else(|| {
            let state = program.patch(worker, before, changes);
            self.valuation(program, worker, &state)
        })
    }
}

/// An expression as one that is 1 where it is zero; the error says what is wrong.
fn condition(names: &mut ProgramNames<'_>, text: &str) -> Result<Expression, PropsError> {
    let plain = names.compile(text, None);
    let plain = plain.map_err(|error| PropsError::new(text, &error.explain(text)))?;
    if plain.needs_thread() {
        let why = "it is thread-local: each thread has one of its own, and none of them is meant";
        return Err(PropsError::new(text, &format!("{text}\n^\n{why}")));
    }
    if let TypeKind::Array(..) = names.types().kind(plain.type_id()) {
        let why = "it is an array, which stands for its address: that is never 0, so it would always hold";
        return Err(PropsError::new(text, &format!("{text}\n^\n{why}; an element is meant")));
    }
    // What has no truth, such as a struct, cannot be negated.
    names
        .compile(&format!("!({text})"), None)
        .map_err(|error| PropsError::new(text, &format!("{text}\n^\nit is no condition: {error}")))
}

/// The value of an expression in the first process of a state; the error says why it has none.
pub(crate) fn value(
    program: &Program,
    worker: &mut Worker,
    state: &Table,
    expression: &Expression,
    trace: &mut Trace,
) -> Result<i128, String> {
    let memory = program.memory_of(worker, state, Space::FIRST);
    if !program.is_run_by(&memory) {
        return Err("the first process runs another program there".to_owned());
    }
    match expression.evaluate(&mut Looking { program, memory, trace }) {
        Value::Integer { value, .. } => Ok(value),
        Value::Pointer { address, .. } => Ok(address.into()),
        Value::Unreadable(address) => {
            Err(format!("the program cannot read what it needs at {address:#010x}"))
        }
        Value::Undefined(why) => Err(why.to_owned()),
        Value::Float { .. } | Value::Aggregate { .. } => Err("it is no number".to_owned()),
    }
}

/// Memory that is looked at in every state.
struct Looking<'a> {
    program: &'a Program,
    memory: StateMemory<'a>,
    trace: &'a mut Trace,
}

impl Memory for Looking<'_> {
    fn read(&mut self, address: u32, bytes: &mut [u8]) -> bool {
        let (place, size) = (self.memory.place(address), bytes.len() as u32);
        self.program.tell(place, size);
        let last = address.saturating_add(size.max(1) - 1);
        for at in [address, last] {
            self.trace.elsewhere |= !self.memory.is_static(at) || place.space() != Space::FIRST;
            if !self.trace.pages.contains(&(at >> 12)) {
                self.trace.pages.push(at >> 12);
            }
        }
        self.memory.read(address, bytes)
    }

    fn register(&self, _: u8) -> Option<u32> {
        None
    }
}
