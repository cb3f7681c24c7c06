//! Errors that were found and that the user does not want to hear of: which they are, by the names that reports
//! print, and which entries of the user's list were met.
//!
//! A race or a deadlock that is left out changes nothing of what is explored. An error of a step ends the program:
//! what would come after it is not explored, which must be said ([`Suppressed::cuts`]).

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use steam_explain::{race_names, users_place};
use steam_model::Model;
use steam_program::{Program, Race, Violation, Worker};
use steam_report::{Kind, Location};
use steam_state::Table;
use steam_trail::quantity::counted;
use steam_trail::{BY_RETURN, Suppression, ViolationInfo};

use crate::choice::Choice;
use crate::class::ErrorClass;

/// The user's entries, and what they have met.
#[derive(Default)]
pub struct Suppressed {
    entries: Vec<Suppression>,
    met: Mutex<Met>,
}

#[derive(Default)]
struct Met {
    /// Which entry is meant by a race, if one is: by the two instructions and the memory. Other errors are asked
    /// for each time: two that are equal may have come along different lines.
    races: HashMap<(u32, u32, u32), Option<usize>>,
    /// The errors of each entry.
    found: HashMap<usize, HashSet<Violation>>,
    /// Errors that ended the program.
    cuts: BTreeSet<String>,
    /// Who looks at states: a worker that makes steps is not to be disturbed.
    looker: Option<Worker>,
}

/// What an error may be called once its trail was run again: a search does not know the past of heap blocks.
fn told_as(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::HeapOutOfBounds => Some(Kind::UseAfterFree.name()),
        Kind::InvalidFree => Some(Kind::DoubleFree.name()),
        _ => None,
    }
}

/// The names by which an entry may mean a kind of error: its own, and that of its class.
fn names_of_kind(kind: Kind) -> Vec<&'static str> {
    let class = ErrorClass::of(kind).map(ErrorClass::name);
    [kind.name()].into_iter().chain(class).collect()
}

/// The kinds of errors that an entry may name: those of reports, and classes.
pub fn kinds_of_entries() -> Vec<&'static str> {
    let classes = ErrorClass::ALL.iter().copied().map(ErrorClass::name);
    let mut kinds: Vec<&str> = classes.chain(Kind::names_of_errors()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// The names by which reports call the functions and lines of a call stack.
fn names_of(stack: &[Location], names: &mut Vec<String>) {
    for location in stack {
        names.extend(location.function.clone());
        names.push(location.function_name());
        let Some(file) = &location.file else { continue };
        let last = file.rsplit('/').next().unwrap_or(file);
        for file in [file, last] {
            names.push(file.to_owned());
            names.extend(location.line.map(|line| format!("{file}:{line}")));
        }
        names.push(location.line_position());
    }
    names.push(users_place(stack).line_position());
}

/// What a headline calls the block of the heap.
fn block_of(headline: &str) -> Option<String> {
    const BLOCK: &str = "heap block of ";
    let (_, behind) = headline.split_once(BLOCK)?;
    let line = behind.split([' ', ')']).next()?;
    Some(format!("{BLOCK}{line}"))
}

impl Suppressed {
    /// What a list of entries leaves out.
    pub fn new(entries: Vec<Suppression>) -> Self {
        Self { entries, met: Mutex::default() }
    }

    /// Whether nothing is left out.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn met(&self) -> MutexGuard<'_, Met> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entry(&self, kind: Kind, names: &[String]) -> Option<usize> {
        let mut kinds = names_of_kind(kind);
        kinds.extend(told_as(kind));
        self.entries.iter().position(|entry| entry.covers(&kinds, names))
    }

    /// Whether an error of a step is left out.
    pub(crate) fn has_step(&self, error: &Violation) -> bool {
        if self.is_empty() {
            return false;
        }
        let mut met = self.met();
        let report = &error.report;
        let mut names = vec![report.message.clone()];
        names_of(&report.stack, &mut names);
        names.extend(
            report
                .location()
                .map(|location| users_place(std::slice::from_ref(location)).line_position()),
        );
        names.extend(error.about.iter().cloned());
        if error.kind == Kind::ExitStatus && !report.stack.iter().any(Location::is_users) {
            names.push(BY_RETURN.to_owned());
        }
        let entry = self.entry(error.kind, &names);
        met.note(error, entry);
        if let Some(entry) = entry {
            let place = report
                .location()
                .map_or(String::new(), |location| format!(" at {}", location.line_position()));
            let plain = names_of_kind(error.kind);
            let other = told_as(error.kind).filter(|_| !self.entries[entry].is_of(&plain));
            met.cuts.insert(format!("{}{place}", other.unwrap_or(error.kind.name())));
        }
        entry.is_some()
    }

    /// Whether an error of a state, other than a race, is left out.
    pub(crate) fn has_state(&self, program: &Program, state: &Table, error: &Violation) -> bool {
        if self.is_empty() {
            return false;
        }
        let mut met = self.met();
        let mut names = vec![error.report.message.clone()];
        names_of(&error.report.stack, &mut names);
        names.extend(error.about.iter().cloned());
        let looker = met.looker.get_or_insert_with(|| program.worker());
        for view in program.view(state) {
            names_of(&program.stack_of(looker, state, view.thread), &mut names);
        }
        let entry = self.entry(error.kind, &names);
        met.note(error, entry);
        entry.is_some()
    }

    /// Whether a race is left out.
    pub(crate) fn has_race(
        &self,
        program: &Program,
        state: &Table,
        race: &Race,
        error: &Violation,
    ) -> bool {
        let mut met = self.met();
        let [one, other] = race.sides;
        let key = (one.eip, other.eip, one.access.address);
        if let Some(known) = met.races.get(&key) {
            return known.is_some();
        }
        let looker = met.looker.get_or_insert_with(|| program.worker());
        let mut names = race_names(program, looker, state, *race);
        for side in race.sides {
            names_of(&program.stack_of(looker, state, side.thread), &mut names);
        }
        let entry = self.entry(error.kind, &names);
        met.races.insert(key, entry);
        met.note(error, entry);
        entry.is_some()
    }

    /// Whether an error with which a search has ended is left out, as reports name it. What the search would
    /// have found after it is not known.
    pub fn has_reported(&self, error: &Violation, reported: &ViolationInfo) -> bool {
        let place = &reported.location;
        let mut names =
            vec![reported.message.clone(), reported.headline.clone(), place.line_position()];
        names.extend(place.file.clone());
        names.extend(place.function.clone());
        names.extend(error.about.iter().cloned());
        // Only a replay knows the line that has called a library which allocates. Races of other blocks may have been
        // taken for the same one: the verdict is not complete.
        names.extend(reported.accesses.first().map(|access| access.variable.clone()));
        names.extend(block_of(&reported.headline));
        let entry = self.entry(error.kind, &names);
        let mut met = self.met();
        met.note(error, entry);
        if entry.is_some() {
            met.cuts.insert(format!("{} at {}", reported.kind, place.line_position()));
        }
        entry.is_some()
    }

    /// How many errors were left out.
    pub fn errors(&self) -> u64 {
        self.met().found.values().map(|errors| errors.len() as u64).sum()
    }

    /// Errors that were left out and ended the program, so that nothing was explored after them.
    pub fn cuts(&self) -> Vec<String> {
        self.met().cuts.iter().cloned().collect()
    }

    /// The names of races that were left out, as entries have them.
    pub fn names_of_races(&self) -> Vec<&str> {
        let met = self.met();
        let races =
            self.entries.iter().enumerate().filter(|(_, it)| it.kind() == Kind::Race.name());
        races.filter(|(entry, _)| met.found.contains_key(entry)).map(|(_, it)| it.name()).collect()
    }

    /// Says which entries were met, and which were not, but for races on what the program itself knows by its name: of
    /// those it is reported elsewhere.
    pub fn notes(&self, known: &[String]) -> Vec<String> {
        let is_known = |it: &Suppression| {
            it.kind() == Kind::Race.name() && known.iter().any(|name| name == it.name())
        };
        let errors = counted(self.errors(), "error", "errors");
        let cuts = self.cuts();
        let met = self.met();
        let list = |wanted: bool| {
            let chosen = (0..self.entries.len()).filter(|it| met.found.contains_key(it) == wanted);
            let chosen = chosen.filter(|it| wanted || !is_known(&self.entries[*it]));
            let texts = chosen.map(|it| format!("`{}`", self.entries[it].text()));
            texts.collect::<Vec<String>>().join(", ")
        };
        let (met, rest) = (list(true), list(false));
        let met = (!met.is_empty()).then(|| format!("{errors} suppressed by {met}"));
        let cuts = (!cuts.is_empty()).then(|| format!("not explored after {}", cuts.join(", ")));
        let rest = (!rest.is_empty()).then(|| format!("no error was met for {rest}"));
        met.into_iter().chain(cuts).chain(rest).collect()
    }
}

impl Met {
    fn note(&mut self, error: &Violation, entry: Option<usize>) {
        if let Some(entry) = entry {
            self.found.entry(entry).or_default().insert(error.clone());
        }
    }
}
