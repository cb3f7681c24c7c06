//! What a suite expects of its results: some methods beat others, by the largest scale and among
//! equals by the geometric mean.

use serde::{Deserialize, Serialize};

use crate::cell::Cell;
use crate::method::Method;
use crate::outcome::Check;

/// Some methods are better than others on some models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// The expectation in words.
    pub text: String,
    /// The models that it is about.
    pub models: Vec<String>,
    /// The methods that are better.
    pub better: Selection,
    /// The methods that are worse: those that are not better, where nothing is said.
    #[serde(default)]
    pub worse: Selection,
    /// How many times larger the largest scale must be; 1 means at least as large, and then a
    /// smaller mean decides.
    #[serde(default = "one")]
    pub factor: f64,
    /// Why it does not hold here, where it does not.
    #[serde(default)]
    pub otherwise: String,
}

fn one() -> f64 {
    1.0
}

/// Which methods are meant; an empty list stands for all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// Orders.
    #[serde(default)]
    pub algorithms: Vec<String>,
    /// Heuristics.
    #[serde(default)]
    pub heuristics: Vec<String>,
    /// Compactions.
    #[serde(default)]
    pub compaction: Vec<String>,
}

impl Selection {
    fn contains(&self, method: &Method) -> bool {
        let named =
            |list: &[String], name: &str| list.is_empty() || list.iter().any(|it| it == name);
        named(&self.algorithms, &method.algorithm)
            && named(&self.compaction, &method.compaction)
            && named(&self.heuristics, method.heuristic.as_deref().unwrap_or_default())
    }
}

/// A claim on one model, with the figures that decide it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged<'a> {
    /// The claim.
    pub expectation: &'a Expectation,
    /// The model.
    pub model: &'a str,
    /// The best of the better ones.
    pub better: Option<(&'a Method, &'a Check)>,
    /// The best of the worse ones.
    pub worse: Option<(&'a Method, &'a Check)>,
    /// Whether it holds.
    pub holds: bool,
}

/// Judges a claim on each of its models that one of its better methods was tried on.
pub fn judge<'a>(expectation: &'a Expectation, cells: &'a [Cell]) -> Vec<Judged<'a>> {
    let tried = |model: &&String| {
        cells.iter().any(|cell| cell.model == **model && expectation.better.contains(&cell.method))
    };
    let judged = |model: &'a String| {
        let of_model = |cell: &&Cell| cell.model == *model;
        let better = best(
            cells.iter().filter(of_model).filter(|it| expectation.better.contains(&it.method)),
        );
        let worse = best(cells.iter().filter(of_model).filter(|cell| {
            expectation.worse.contains(&cell.method) && !expectation.better.contains(&cell.method)
        }));
        let holds = match (better, worse) {
            (Some((_, better)), Some((_, worse))) => beats(better, worse, expectation.factor),
            (better, _) => better.is_some(),
        };
        Judged { expectation, model, better, worse, holds }
    };
    expectation.models.iter().filter(tried).map(judged).collect()
}

/// The method that reaches the largest scale, among equals that with the smallest mean.
pub(crate) fn best<'a>(cells: impl Iterator<Item = &'a Cell>) -> Option<(&'a Method, &'a Check)> {
    let found = cells.filter_map(|cell| Some((&cell.method, cell.best()?)));
    found.reduce(|best, next| if precedes(next.1, best.1) { next } else { best })
}

fn precedes(a: &Check, b: &Check) -> bool {
    a.scale > b.scale || (a.scale == b.scale && a.mean() < b.mean())
}

fn beats(better: &Check, worse: &Check, factor: f64) -> bool {
    if factor > 1.0 {
        f64::from(better.scale) >= factor * f64::from(worse.scale)
    } else {
        !precedes(worse, better)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::tests::cell;
    use crate::outcome::Ending;

    fn cells() -> Vec<Cell> {
        vec![
            cell(("bf", "pl2", "lgc"), "philo", &[(2, Ok(0.1)), (40, Ok(3.0))]),
            cell(("bf", "pl2", "line"), "philo", &[(2, Ok(0.1)), (20, Ok(3.0))]),
            cell(("bf", "mb", "lgc"), "philo", &[(40, Ok(5.0)), (50, Err(Ending::Time))]),
            cell(("bf", "rw", "lgc"), "leader", &[(2, Err(Ending::Memory))]),
        ]
    }

    fn expectation(better: &[&str], compaction: &[&str], factor: f64, model: &str) -> Expectation {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let better = Selection {
            heuristics: owned(better),
            compaction: owned(compaction),
            ..Selection::default()
        };
        Expectation {
            text: "a claim".into(),
            models: vec![model.into()],
            better,
            worse: Selection::default(),
            factor,
            otherwise: String::new(),
        }
    }

    fn holds(expectation: &Expectation) -> bool {
        judge(expectation, &cells())[0].holds
    }

    #[test]
    fn the_largest_scale_decides_then_the_mean() {
        assert!(holds(&expectation(&["pl2"], &[], 1.0, "philo")));
        assert!(!holds(&expectation(&["mb"], &[], 1.0, "philo")));
    }

    #[test]
    fn a_factor_counts_scales() {
        assert!(holds(&expectation(&[], &["lgc"], 2.0, "philo")));
        assert!(!holds(&expectation(&[], &["lgc"], 2.1, "philo")));
    }

    #[test]
    fn what_was_not_tried_is_not_judged() {
        assert!(judge(&expectation(&["rw"], &[], 1.0, "philo"), &cells()).is_empty());
    }

    #[test]
    fn who_finds_nothing_is_not_better() {
        assert!(!holds(&expectation(&["rw"], &[], 1.0, "leader")));
    }
}
