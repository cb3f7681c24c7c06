//! A method of search: what a row of a table stands for.

use serde::{Deserialize, Serialize};

/// How a model is checked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Method {
    /// The order, such as `bf`.
    pub algorithm: String,
    /// The heuristic, for orders that use one.
    pub heuristic: Option<String>,
    /// What one step is: `lgc`, `line` or `instr`.
    pub compaction: String,
}

impl Method {
    /// Its name without the compaction: `bfs`, `astar/pl2`.
    pub fn name(&self) -> String {
        match &self.heuristic {
            Some(heuristic) => format!("{}/{heuristic}", self.algorithm),
            None => self.algorithm.clone(),
        }
    }

    /// The options of `steam check` that ask for it.
    pub fn options(&self) -> Vec<String> {
        let mut words = vec!["--algo".to_owned(), self.algorithm.clone()];
        if let Some(heuristic) = &self.heuristic {
            words.extend(["--heur".to_owned(), heuristic.clone()]);
        }
        words.extend(["--atomic".to_owned(), self.compaction.clone()]);
        // Published figures are of searches in which each access to what threads share is a step.
        words.extend(["--mld".to_owned(), "off".to_owned()]);
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_have_names_and_options() {
        let compaction = "lgc".to_owned();
        let bfs = Method { algorithm: "bfs".into(), heuristic: None, compaction };
        assert_eq!(bfs.name(), "bfs");
        assert_eq!(bfs.options(), ["--algo", "bfs", "--atomic", "lgc", "--mld", "off"]);
        let directed = Method { algorithm: "bf".into(), heuristic: Some("mb".into()), ..bfs };
        assert_eq!(directed.name(), "bf/mb");
        assert_eq!(directed.options()[2..4], ["--heur", "mb"]);
    }
}
