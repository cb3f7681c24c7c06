//! At which scales a model is checked: some that are named, or the largest that can be checked.

use serde::Deserialize;

/// The scales of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scales {
    /// These, ascending; those after the first failure are left out.
    List(Vec<u32>),
    /// The largest one.
    Maximum(Maximum),
}

/// Where to look for the largest scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Maximum {
    /// The smallest scale.
    pub from: u32,
    /// The largest scale that the model allows.
    pub to: u32,
}

/// What part of a scale may stay between the largest success and the smallest failure.
const PRECISION: u32 = 16;

/// Which scale is tried next: doubling up to a failure, then bisection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hunt {
    range: Maximum,
    /// The largest scale that succeeded.
    good: Option<u32>,
    /// The smallest scale that failed.
    bad: Option<u32>,
}

impl Hunt {
    pub(crate) fn new(range: Maximum) -> Self {
        Self { range, good: None, bad: None }
    }

    /// The next scale to try, until it is known well enough.
    pub(crate) fn next(&self) -> Option<u32> {
        let next = match (self.good, self.bad) {
            (None, None) => self.range.from,
            (None, Some(_)) => return None,
            (Some(good), None) => good.saturating_mul(2).min(self.range.to),
            (Some(good), Some(bad)) if bad - good <= 1.max(good / PRECISION) => return None,
            (Some(good), Some(bad)) => good + (bad - good) / 2,
        };
        (self.good != Some(next)).then_some(next)
    }

    /// Takes note of a try.
    pub(crate) fn note(&mut self, scale: u32, success: bool) {
        if success { self.good = Some(scale) } else { self.bad = Some(scale) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scales that are tried where all up to a largest one succeed.
    fn tried(from: u32, to: u32, largest: u32) -> Vec<u32> {
        let mut hunt = Hunt::new(Maximum { from, to });
        let mut tried = Vec::new();
        while let Some(scale) = hunt.next() {
            tried.push(scale);
            hunt.note(scale, scale <= largest);
        }
        tried
    }

    #[test]
    fn doubling_then_bisection() {
        assert_eq!(tried(2, 1000, 11), [2, 4, 8, 16, 12, 10, 11]);
        assert_eq!(tried(3, 1000, 100), [3, 6, 12, 24, 48, 96, 192, 144, 120, 108, 102]);
    }

    #[test]
    fn the_ends_of_the_range() {
        assert_eq!(tried(2, 10, 1), [2]);
        assert_eq!(tried(2, 10, 10), [2, 4, 8, 10]);
        assert_eq!(tried(2, 10, 9), [2, 4, 8, 10, 9]);
        assert_eq!(tried(1, 1, 1), [1]);
        assert_eq!(tried(u32::MAX - 1, u32::MAX, u32::MAX), [u32::MAX - 1, u32::MAX]);
    }

    #[test]
    fn the_answer_is_near_the_largest() {
        for largest in 2..3000 {
            let tried = tried(2, 3000, largest);
            let good = tried.iter().copied().filter(|scale| *scale <= largest).max().unwrap();
            assert!(largest - good < 1.max(good / PRECISION), "{largest}: {good}");
        }
    }
}
