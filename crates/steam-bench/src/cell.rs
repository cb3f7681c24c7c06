//! A cell of a table: all checks of a method on a model.

use serde::{Deserialize, Serialize};

use crate::method::Method;
use crate::outcome::{Check, Ending};

/// A method on a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The model's name.
    pub model: String,
    /// The method.
    pub method: Method,
    /// The checks, by ascending scale.
    pub checks: Vec<Check>,
}

impl Cell {
    /// The check at the largest scale at which the error was found.
    pub fn best(&self) -> Option<&Check> {
        self.checks.iter().rfind(|check| check.found())
    }

    /// The check at this scale.
    pub fn at(&self, scale: u32) -> Option<&Check> {
        self.checks.iter().find(|check| check.scale == scale)
    }

    /// What stands where no check found the error: why the first one did not.
    pub fn failure(&self) -> &'static str {
        self.checks.first().map_or("-", |check| word(&check.ending))
    }
}

/// The word for a check that did not find the error.
pub(crate) fn word(ending: &Ending) -> &'static str {
    match ending {
        Ending::Time => "TIME",
        Ending::Memory => "MEM",
        Ending::Found | Ending::NotFound(_) => "-",
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A cell with a check for each scale: found in so many seconds, or the way it failed.
    pub(crate) fn cell(
        method: (&str, &str, &str),
        model: &str,
        checks: &[(u32, Result<f64, Ending>)],
    ) -> Cell {
        let (algorithm, heuristic, compaction) = method;
        let heuristic = Some(heuristic.to_owned()).filter(|name| !name.is_empty());
        let check = |(scale, outcome): &(u32, Result<f64, Ending>)| match outcome {
            Ok(seconds) => Check {
                scale: *scale,
                ending: Ending::Found,
                length: Some(scale * 2),
                states: u64::from(*scale) * 10,
                seconds: *seconds,
                bytes: u64::from(*scale) << 20,
            },
            Err(ending) => Check::without_figures(*scale, ending.clone()),
        };
        Cell {
            model: model.to_owned(),
            method: Method {
                algorithm: algorithm.into(),
                heuristic,
                compaction: compaction.into(),
            },
            checks: checks.iter().map(check).collect(),
        }
    }

    #[test]
    fn the_largest_success_counts() {
        let tried = [(2, Ok(0.1)), (3, Ok(0.2)), (4, Err(Ending::Time))];
        let cell = cell(("bf", "pl2", "lgc"), "philo", &tried);
        assert_eq!(cell.best().map(|check| check.scale), Some(3));
        assert_eq!(cell.at(4).map(Check::found), Some(false));
        assert_eq!(cell.at(9), None);
    }

    #[test]
    fn failures_have_words() {
        let failed = |ending| cell(("dfs", "", "lgc"), "x", &[(2, Err(ending))]).failure();
        assert_eq!(failed(Ending::Time), "TIME");
        assert_eq!(failed(Ending::Memory), "MEM");
        assert_eq!(failed(Ending::NotFound("complete".into())), "-");
        assert_eq!(cell(("dfs", "", "lgc"), "x", &[]).failure(), "-");
    }
}
