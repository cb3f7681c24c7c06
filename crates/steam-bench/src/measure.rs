//! Runs the cross product of a suite, cell by cell, some cells side by side.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::cell::Cell;
use crate::method::Method;
use crate::outcome::Check;
use crate::scales::{Hunt, Scales};
use crate::suite::{Limits, Model, Suite};

/// Who can check a model.
pub trait Checker: Sync {
    /// Checks a model at a scale, within limits.
    fn check(
        &self,
        model: &Model,
        method: &Method,
        scale: u32,
        limits: &Limits,
    ) -> Result<Check, String>;

    /// Whether nothing more is to be checked.
    fn stopped(&self) -> bool;
}

/// What happens while a suite is measured.
#[derive(Debug)]
pub enum Event<'a> {
    /// A check begins.
    Begins {
        /// The model.
        model: &'a Model,
        /// The method.
        method: &'a Method,
        /// The scale.
        scale: u32,
    },
    /// A cell is done.
    Done {
        /// The cell.
        cell: &'a Cell,
        /// How many are done now.
        done: usize,
        /// How many there are.
        all: usize,
    },
}

/// Measures all cells of a suite, `jobs` at a time. The first trouble ends it; what was measured
/// until the user stopped it is given all the same.
pub fn measure(
    suite: &Suite,
    checker: &dyn Checker,
    jobs: usize,
    tell: &(dyn Fn(&Event<'_>) + Sync),
) -> Result<Vec<Cell>, String> {
    let pairs: Vec<(&Method, &Model)> = suite
        .methods
        .iter()
        .flat_map(|method| suite.models.iter().map(move |model| (method, model)))
        .collect();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results: Mutex<Vec<(usize, Result<Cell, String>)>> = Mutex::default();
    let work = || {
        while !checker.stopped() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some((method, model)) = pairs.get(index) else { return };
            let result = measure_cell(model, method, &suite.limits, checker, tell);
            if let Ok(cell) = &result {
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                tell(&Event::Done { cell, done, all: pairs.len() });
            } else {
                next.store(pairs.len(), Ordering::Relaxed);
            }
            results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs.max(1) {
            scope.spawn(work);
        }
        work();
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn measure_cell(
    model: &Model,
    method: &Method,
    limits: &Limits,
    checker: &dyn Checker,
    tell: &(dyn Fn(&Event<'_>) + Sync),
) -> Result<Cell, String> {
    let start = Instant::now();
    let mut checks = Vec::new();
    let mut scales = Order::of(&model.scales);
    while let Some(scale) = scales.next() {
        let Some(time) = time_left(limits, start.elapsed()) else { break };
        tell(&Event::Begins { model, method, scale });
        let check = checker.check(model, method, scale, &Limits { time, ..*limits })?;
        if checker.stopped() {
            break;
        }
        scales.note(scale, check.found());
        checks.push(check);
    }
    checks.sort_by_key(|check| check.scale);
    Ok(Cell { model: model.name.clone(), method: method.clone(), checks })
}

/// What a check may take of what is left to its cell; nothing where too little is left for a
/// check to mean something.
fn time_left(limits: &Limits, spent: Duration) -> Option<Duration> {
    let Some(cell) = limits.cell else { return Some(limits.time) };
    let left = cell.saturating_sub(spent);
    (left >= limits.time.min(cell) / 2).then(|| left.min(limits.time))
}

/// Which scale is next.
enum Order<'a> {
    List(std::slice::Iter<'a, u32>),
    Hunt(Hunt),
}

impl<'a> Order<'a> {
    fn of(scales: &'a Scales) -> Self {
        match scales {
            Scales::List(list) => Self::List(list.iter()),
            Scales::Maximum(range) => Self::Hunt(Hunt::new(*range)),
        }
    }

    fn next(&mut self) -> Option<u32> {
        match self {
            Self::List(rest) => rest.next().copied(),
            Self::Hunt(hunt) => hunt.next(),
        }
    }

    /// Takes note of a check; after a failure a list ends.
    fn note(&mut self, scale: u32, success: bool) {
        match self {
            Self::List(rest) if !success => *rest = [].iter(),
            Self::List(_) => {}
            Self::Hunt(hunt) => hunt.note(scale, success),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Ending;

    /// Finds the error up to a scale that depends on the method.
    struct Fake;

    impl Checker for Fake {
        fn check(
            &self,
            model: &Model,
            method: &Method,
            scale: u32,
            _limits: &Limits,
        ) -> Result<Check, String> {
            if model.name == "broken" {
                return Err("it does not compile".into());
            }
            let largest = if method.algorithm == "bfs" { 5 } else { 50 };
            let ending = if scale <= largest { Ending::Found } else { Ending::Memory };
            Ok(Check::without_figures(scale, ending))
        }

        fn stopped(&self) -> bool {
            false
        }
    }

    fn suite(model: &str) -> Suite {
        Suite::parse(&format!(
            "title = 'x'\nalgorithms = ['bfs', 'dfs']\n[limits]\ntime = '1s'\nmemory = '1M'\n\
             [[models]]\nname = '{model}'\nsources = ['x.c']\nmaximum = {{ from = 2, to = 100 }}\n\
             [[models]]\nname = 'list'\nsources = ['x.c']\nscales = [3, 4, 8, 60, 70]\n"
        ))
        .unwrap()
    }

    #[test]
    fn cells_are_the_same_with_several_workers() {
        let measured = measure(&suite("philo"), &Fake, 1, &|_| ()).unwrap();
        let best: Vec<_> = measured.iter().map(|cell| cell.best().map(|it| it.scale)).collect();
        assert_eq!(best, [Some(5), Some(4), Some(50), Some(8)]);
        let tried: Vec<u32> = measured[1].checks.iter().map(|check| check.scale).collect();
        assert_eq!(tried, [3, 4, 8], "nothing is checked behind a failure");
        assert_eq!(measure(&suite("philo"), &Fake, 3, &|_| ()).unwrap(), measured);
    }

    #[test]
    fn trouble_ends_it() {
        assert_eq!(
            measure(&suite("broken"), &Fake, 2, &|_| ()).unwrap_err(),
            "it does not compile"
        );
    }

    #[test]
    fn events_count() {
        let most = AtomicUsize::new(0);
        let tell = |event: &Event<'_>| {
            if let Event::Done { done, all, .. } = event {
                assert!(done <= all);
                most.fetch_max(*done, Ordering::Relaxed);
            }
        };
        measure(&suite("philo"), &Fake, 2, &tell).unwrap();
        assert_eq!(most.into_inner(), 4);
    }

    #[test]
    fn the_time_of_a_cell_is_shared_by_its_checks() {
        let second = Duration::from_secs(1);
        let limits = Limits { time: second * 10, cell: Some(second * 60), memory: 1 };
        assert_eq!(time_left(&limits, second * 10), Some(second * 10));
        assert_eq!(time_left(&limits, second * 53), Some(second * 7));
        assert_eq!(time_left(&limits, second * 58), None);
        let alone = Limits { cell: None, ..limits };
        assert_eq!(time_left(&alone, second * 9999), Some(second * 10));
        let tight = Limits { cell: Some(second), ..limits };
        assert_eq!(time_left(&tight, Duration::ZERO), Some(second));
    }
}
