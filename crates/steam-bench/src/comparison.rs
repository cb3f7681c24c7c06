//! Two runs of a suite held against each other.

use std::fmt;

use crate::cell::Cell;
use crate::outcome::Check;
use crate::run::Run;

/// Differences of time and memory below these are noise, whatever part they are.
const NOISE_SECONDS: f64 = 0.05;
const NOISE_MEBIBYTES: f64 = 2.0;

/// How one figure changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Method, compaction and model.
    pub cell: String,
    /// Which figure.
    pub measure: &'static str,
    /// Its old value, in words.
    pub old: String,
    /// Its new value, in words.
    pub new: String,
    /// How many times more there is of it now, where that can be said.
    pub factor: Option<f64>,
    /// Whether that is worse.
    pub worse: bool,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cell, measure, old, new, .. } = self;
        let word = if self.worse { "worse " } else { "better" };
        write!(f, "{word}  {cell}: {measure} {old} -> {new}")?;
        self.factor.map_or(Ok(()), |factor| write!(f, " ({:+.0} %)", (factor - 1.0) * 100.0))
    }
}

/// What changed between two runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Changes beyond the threshold, in the order of the old run.
    pub changes: Vec<Change>,
    /// Cells that both runs have.
    pub compared: usize,
    /// Cells that only one of them has.
    pub missing: usize,
}

impl Comparison {
    /// Whether something became worse.
    pub fn regressed(&self) -> bool {
        self.changes.iter().any(|change| change.worse)
    }
}

/// Compares two runs; changes by at most this part are left out.
pub fn compare(old: &Run, new: &Run, threshold: f64) -> Comparison {
    let mut comparison = Comparison::default();
    for before in &old.cells {
        let same = |cell: &&Cell| cell.model == before.model && cell.method == before.method;
        match new.cells.iter().find(same) {
            Some(after) => {
                comparison.compared += 1;
                compare_cells(before, after, threshold, &mut comparison.changes);
            }
            None => comparison.missing += 1,
        }
    }
    comparison.missing += new.cells.len() - comparison.compared;
    comparison
}

fn compare_cells(old: &Cell, new: &Cell, threshold: f64, changes: &mut Vec<Change>) {
    let name = format!("{} {} {}", old.method.name(), old.method.compaction, old.model);
    let mut note = |measure, old: String, new: String, factor: Option<f64>, worse| {
        changes.push(Change { cell: name.clone(), measure, old, new, factor, worse });
    };
    let scale = |cell: &Cell| cell.best().map(|check| check.scale);
    let told = |cell: &Cell| match cell.best() {
        Some(check) => check.scale.to_string(),
        None => cell.failure().to_owned(),
    };
    match (scale(old), scale(new)) {
        (Some(before), Some(after)) => {
            let factor = f64::from(after) / f64::from(before);
            if !(1.0 / (1.0 + threshold)..=1.0 + threshold).contains(&factor) {
                note("scale", told(old), told(new), Some(factor), factor < 1.0);
            }
        }
        (None, None) => {}
        (before, _) => note("scale", told(old), told(new), None, before.is_some()),
    }
    // The largest scale at which both found the error tells most.
    let common = |check: &&Check| check.found() && new.at(check.scale).is_some_and(Check::found);
    let Some(before) = old.checks.iter().rfind(common) else { return };
    let Some(after) = new.at(before.scale) else { return };
    for (measure, noise, before, after) in [
        ("length", 0.0, before.length.map(f64::from), after.length.map(f64::from)),
        ("states", 0.0, Some(before.states as f64), Some(after.states as f64)),
        ("seconds", NOISE_SECONDS, Some(before.seconds), Some(after.seconds)),
        ("MiB", NOISE_MEBIBYTES, Some(before.mebibytes()), Some(after.mebibytes())),
    ] {
        let (Some(before), Some(after)) = (before, after) else { continue };
        let larger = before.max(after);
        if larger - before.min(after) <= noise || larger <= before.min(after) * (1.0 + threshold) {
            continue;
        }
        let factor = (before > 0.0).then(|| after / before);
        note(measure, number(before), number(after), factor, after > before);
    }
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::tests::cell;
    use crate::outcome::Ending;
    use crate::run::tests::run;

    fn one(checks: &[(u32, Result<f64, Ending>)]) -> Run {
        run(vec![cell(("bf", "pl2", "lgc"), "philo", checks)])
    }

    #[test]
    fn equal_runs_do_not_differ() {
        let run = one(&[(2, Ok(1.0)), (4, Err(Ending::Time))]);
        let comparison = compare(&run, &run, 0.05);
        assert_eq!(comparison, Comparison { compared: 1, ..Comparison::default() });
    }

    #[test]
    fn slower_is_worse_and_faster_is_better() {
        let (fast, slow) = (one(&[(2, Ok(1.0))]), one(&[(2, Ok(1.5))]));
        let slower = compare(&fast, &slow, 0.05);
        assert!(slower.regressed());
        let text = slower.changes[0].to_string();
        assert_eq!(text, "worse   bf/pl2 lgc philo: seconds 1 -> 1.50 (+50 %)");
        assert!(!compare(&slow, &fast, 0.05).regressed());
        assert_eq!(compare(&slow, &fast, 0.05).changes.len(), 1);
        assert!(compare(&fast, &slow, 0.6).changes.is_empty(), "within the threshold");
        let (a, b) = (one(&[(2, Ok(0.01))]), one(&[(2, Ok(0.04))]));
        assert!(compare(&a, &b, 0.05).changes.is_empty(), "noise");
    }

    #[test]
    fn a_smaller_scale_is_worse() {
        let (large, small) = (one(&[(2, Ok(1.0)), (40, Ok(2.0))]), one(&[(2, Ok(1.0))]));
        assert!(compare(&large, &small, 0.05).regressed());
        assert!(!compare(&small, &large, 0.05).regressed());
        let lost = one(&[(2, Err(Ending::Memory))]);
        let text = compare(&large, &lost, 0.05).changes[0].to_string();
        assert_eq!(text, "worse   bf/pl2 lgc philo: scale 40 -> MEM");
    }

    #[test]
    fn what_only_one_run_has_is_counted() {
        let other = run(vec![cell(("bfs", "", "lgc"), "philo", &[(2, Ok(1.0))])]);
        assert_eq!(compare(&one(&[(2, Ok(1.0))]), &other, 0.05).missing, 2);
    }
}
