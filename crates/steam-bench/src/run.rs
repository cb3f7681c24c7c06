//! A run of a suite: what was measured, and all that a reader must know of how.

use serde::{Deserialize, Serialize};

use crate::cell::Cell;
use crate::expectation::Expectation;
use crate::published::Published;
use crate::scales::Scales;
use crate::suite::{Limits, Suite};

/// The form of the file.
const SCHEMA: &str = "steam-bench/1";

/// What a suite gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    schema: String,
    /// The suite's name, for names of files.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What the reader should know, if anything.
    pub note: String,
    /// The version of the tool.
    pub version: String,
    /// The machine.
    pub machine: String,
    /// Cells that were measured side by side.
    pub jobs: usize,
    /// When checks gave up.
    pub limits: Limits,
    /// The models whose scales are a list, so that their figures make a curve.
    pub series: Vec<String>,
    /// What was measured, method by method.
    pub cells: Vec<Cell>,
    /// Figures from elsewhere.
    pub published: Vec<Published>,
    /// What was expected.
    #[serde(rename = "claims")]
    pub expectations: Vec<Expectation>,
}

impl Run {
    /// What was measured of a suite.
    pub fn new(name: &str, version: &str, suite: &Suite, jobs: usize, cells: Vec<Cell>) -> Self {
        let listed = suite.models.iter().filter(|model| matches!(model.scales, Scales::List(_)));
        Self {
            schema: SCHEMA.to_owned(),
            name: name.to_owned(),
            title: suite.title.clone(),
            note: suite.note.clone(),
            version: version.to_owned(),
            machine: format!("{}, {} usable cores", steam_host::processor(), steam_host::cores()),
            jobs,
            limits: suite.limits,
            series: listed.map(|model| model.name.clone()).collect(),
            cells,
            published: suite.published.clone(),
            expectations: suite.expectations.clone(),
        }
    }

    /// The names of the models, in the order of the suite.
    pub fn models(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for cell in &self.cells {
            if !names.contains(&cell.model.as_str()) {
                names.push(&cell.model);
            }
        }
        names
    }

    /// Whether the scales of a model are a list.
    pub(crate) fn is_series(&self, model: &str) -> bool {
        self.series.iter().any(|name| name == model)
    }

    /// The run as a file.
    pub fn json(&self) -> String {
        // Only maps with keys that are no strings and failing writers fail, and here are neither.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

/// Reads a run that [`Run::json`] wrote.
pub fn read_run(text: &str) -> Result<Run, String> {
    let run: Run = serde_json::from_str(text)
        .map_err(|error| format!("this is no run of `steam bench --export json`: {error}"))?;
    if run.schema == SCHEMA {
        Ok(run)
    } else {
        Err(format!("its form is {}, not {SCHEMA}: measure again", run.schema))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A run of these cells.
    pub(crate) fn run(cells: Vec<Cell>) -> Run {
        let suite = Suite::parse(
            "title = 'A suite'\nalgorithms = ['bfs']\nmodels = []\n\
             [limits]\ntime = '20m'\nmemory = '900M'\n",
        );
        Run::new("suite", "0.1.0", &suite.unwrap(), 1, cells)
    }

    #[test]
    fn a_run_is_read_as_it_was_written() {
        let cells = vec![crate::cell::tests::cell(
            ("bf", "pl2", "lgc"),
            "philo",
            &[(2, Ok(0.25)), (3, Err(crate::outcome::Ending::NotFound("complete".into())))],
        )];
        let run = run(cells);
        assert_eq!(read_run(&run.json()).unwrap(), run);
        assert!(read_run(&run.json().replace("bench/1", "bench/9")).unwrap_err().contains("again"));
        assert!(read_run("{}").unwrap_err().contains("this is no run"));
    }
}
