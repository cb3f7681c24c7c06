//! What the user calls atomic or intended: names that the program has, and names that only reports have.

use steam_access::{Atomics, Unmatched};
use steam_report::Kind;
use steam_trail::Suppression;

use crate::error::{Error, unfit};
use crate::executable::Executable;

/// Names that the user gave, sorted by who has them.
#[derive(Default)]
pub(crate) struct Named {
    /// Names of the program.
    pub of_program: Vec<String>,
    /// Names that only reports have.
    of_reports: Vec<String>,
}

impl Named {
    /// Names that are nowhere in the program, and cannot be a report's, are mistakes.
    pub fn new(executable: &Executable, option: &str, names: &[String]) -> Result<Self, Error> {
        let (_, unmatched) = Atomics::with_list(&executable.image, names);
        let is_wrong = |it: &&Unmatched| !it.of_threads && !is_of_report(&names[it.entry]);
        if let Some(first) = unmatched.iter().find(is_wrong) {
            unfit!("{option}: {first}");
        }
        let mut sorted = Self::default();
        for (entry, name) in names.iter().enumerate() {
            let unmatched = unmatched.iter().any(|it| it.entry == entry);
            if !unmatched {
                sorted.of_program.push(name.clone());
            }
            // Other threads come to a local variable by pointers: there only reports know its name.
            if unmatched || is_local(executable, name) {
                sorted.of_reports.push(name.clone());
            }
        }
        Ok(sorted)
    }

    /// The races that are left out by names of reports.
    pub fn races(&self) -> impl Iterator<Item = Suppression> {
        self.of_reports.iter().map(|name| Suppression::new(Kind::Race.name(), name))
    }
}

/// Whether a name is that of a variable of a function, and not of a static one.
fn is_local(executable: &Executable, name: &str) -> bool {
    let Some((function, variable)) = name.rsplit_once("::") else { return false };
    let Ok(declared) = executable.image.declarations.get() else { return false };
    let is_static =
        || declared.all_variables().any(|it| *it.name == *variable && it.function.is_some());
    declared.functions(function).next().is_some() && !is_static()
}

/// Whether a name is one that only reports have, so that it is known at the end whether it is met: one with a
/// wildcard, a block of the heap, a line, a part of a local variable, an element of an array.
fn is_of_report(name: &str) -> bool {
    let line = |(_, line): (&str, &str)| line.chars().all(|it| it.is_ascii_digit());
    name.contains('*')
        || name.starts_with("heap block of ")
        || name.contains('[')
        || name.rsplit_once(':').is_some_and(line)
        || name.contains("::") && name.contains('.')
}
