//! What one check gave, as its report tells it.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// How a check ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It found an error of the kind that is looked for.
    Found,
    /// It ran out of time.
    Time,
    /// It ran out of memory.
    Memory,
    /// It found no error, or another one; why.
    NotFound(String),
}

/// One check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// The scale of the model.
    pub scale: u32,
    /// How it ended.
    pub ending: Ending,
    /// Steps of the trail, where an error was found.
    pub length: Option<u32>,
    /// Distinct states.
    pub states: u64,
    /// Seconds of all iterations.
    pub seconds: f64,
    /// The greatest number of bytes in use.
    pub bytes: u64,
}

/// Times below this many seconds are counted as this much: they are noise.
const LEAST_SECONDS: f64 = 0.001;

impl Check {
    /// A check that gave no figures.
    pub fn without_figures(scale: u32, ending: Ending) -> Self {
        Self { scale, ending, length: None, states: 0, seconds: 0.0, bytes: 0 }
    }

    /// Whether the error was found.
    pub fn found(&self) -> bool {
        self.ending == Ending::Found
    }

    /// Mebibytes.
    pub fn mebibytes(&self) -> f64 {
        self.bytes as f64 / 1_048_576.0
    }

    /// The fourth root of the product of trail length, states, seconds and mebibytes, as in the
    /// paper's Figure 4; for checks that found the error.
    pub fn mean(&self) -> Option<f64> {
        let length = f64::from(self.length.filter(|_| self.found())?.max(1));
        let product =
            length * self.states.max(1) as f64 * self.seconds.max(LEAST_SECONDS) * self.mebibytes();
        Some(product.powf(0.25))
    }
}

#[derive(Deserialize)]
struct Report {
    verdict: Verdict,
    violations: Vec<Violation>,
    trail: Option<Trail>,
    stats: Statistics,
}

#[derive(Deserialize)]
struct Verdict {
    result: String,
    reason: Option<String>,
}

#[derive(Deserialize)]
struct Violation {
    kind: String,
    family: String,
}

impl Violation {
    fn is(&self, kind: &str) -> bool {
        self.kind == kind || self.family == kind
    }
}

#[derive(Deserialize)]
struct Trail {
    steps: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
struct Statistics {
    states: u64,
    time_ms: Option<u64>,
    peak_bytes: Option<u64>,
}

/// Reads the JSON report of a check that looked for an error of this kind, or of any.
pub fn read_report(scale: u32, error: Option<&str>, text: &str) -> Result<Check, String> {
    let report: Report =
        serde_json::from_str(text).map_err(|error| format!("this is no report: {error}"))?;
    let reason = report.verdict.reason.unwrap_or_default();
    let ending = match report.violations.first() {
        Some(violation) if error.is_none_or(|kind| violation.is(kind)) => Ending::Found,
        Some(violation) => Ending::NotFound(format!("another error: {}", violation.kind)),
        None if reason.starts_with("time limit") => Ending::Time,
        None if reason.starts_with("memory limit") => Ending::Memory,
        None if reason.is_empty() => Ending::NotFound(report.verdict.result),
        None => Ending::NotFound(reason),
    };
    Ok(Check {
        scale,
        length: report.trail.map(|trail| trail.steps.len() as u32),
        states: report.stats.states,
        seconds: report.stats.time_ms.unwrap_or_default() as f64 / 1000.0,
        bytes: report.stats.peak_bytes.unwrap_or_default(),
        ending,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(result: &str, reason: &str, violations: &str) -> String {
        format!(
            r#"{{"verdict":{{"result":"{result}","reason":{reason}}},"violations":[{violations}],
            "trail":{{"steps":[{{"n":1}},{{"n":2}}]}},
            "stats":{{"states":16,"time_ms":500,"peak_bytes":2097152}}}}"#
        )
    }

    #[test]
    fn a_report_is_read() {
        let text = report("violation", "null", r#"{"kind":"deadlock","family":"safety"}"#);
        let check = read_report(7, Some("deadlock"), &text).unwrap();
        assert_eq!((check.scale, check.length, check.states), (7, Some(2), 16));
        assert!(check.found() && check.seconds == 0.5 && check.mebibytes() == 2.0);
        // The fourth root of 2 * 16 * 0.5 * 2.
        assert_eq!(check.mean(), Some(32f64.powf(0.25)));
        let other = read_report(7, Some("assert"), &text).unwrap();
        assert_eq!(other.ending, Ending::NotFound("another error: deadlock".into()));
        assert_eq!(other.mean(), None);
    }

    #[test]
    fn limits_are_told_apart() {
        let ending = |reason| read_report(1, None, &report("unknown", reason, "")).unwrap().ending;
        assert_eq!(ending("\"time limit of 10 s\""), Ending::Time);
        assert_eq!(ending("\"memory limit of 900 MiB\""), Ending::Memory);
        assert_eq!(ending("\"x is not modelled\""), Ending::NotFound("x is not modelled".into()));
        assert_eq!(ending("null"), Ending::NotFound("unknown".into()));
        assert!(read_report(1, None, "steam: no such file").is_err());
    }
}
