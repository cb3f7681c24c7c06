//! A suite: which models are checked by which methods, as a TOML file says it.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use steam_trail::quantity::{parse_duration, parse_size};

use crate::expectation::Expectation;
use crate::method::Method;
use crate::published::{Published, Row};
use crate::scales::{Maximum, Scales};

/// What is compared. Methods are the product of algorithms, heuristics and compactions.
#[derive(Clone, Debug, PartialEq)]
pub struct Suite {
    /// Its title.
    pub title: String,
    /// What the reader should know, if anything.
    pub note: String,
    /// The rows.
    pub methods: Vec<Method>,
    /// The columns.
    pub models: Vec<Model>,
    /// When to give up.
    pub limits: Limits,
    /// Figures from elsewhere, to be put beside ours.
    pub published: Vec<Published>,
    /// What is expected of the results.
    pub expectations: Vec<Expectation>,
}

/// A program that can be made larger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// Its name in tables.
    pub name: String,
    /// A program or its sources, relative to the suite's file.
    pub inputs: Vec<String>,
    /// More flags for the compiler.
    pub flags: String,
    /// How it is told its scale.
    pub scaled_by: ScaledBy,
    /// The scales.
    pub scales: Scales,
    /// The kind of its error; any where there is none.
    pub error: Option<String>,
}

/// How a model is told its scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScaledBy {
    /// By its first argument.
    #[default]
    Argument,
    /// By the macro `N`.
    Define,
}

/// When to give up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// A check.
    pub time: Duration,
    /// All checks of a method on a model.
    pub cell: Option<Duration>,
    /// Bytes of a check.
    pub memory: u64,
}

/// Orders that use a heuristic; the others appear once for all heuristics.
const INFORMED: &[&str] = &["bf", "astar", "beam", "ida"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    title: String,
    #[serde(default)]
    note: String,
    algorithms: Vec<String>,
    #[serde(default)]
    heuristics: Vec<String>,
    #[serde(default)]
    compaction: Vec<String>,
    limits: WrittenLimits,
    models: Vec<WrittenModel>,
    #[serde(default)]
    published: Vec<Row>,
    #[serde(default, rename = "claims")]
    expectations: Vec<Expectation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLimits {
    time: String,
    cell: Option<String>,
    memory: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenModel {
    name: String,
    sources: Vec<String>,
    #[serde(default)]
    flags: String,
    #[serde(default)]
    scale: ScaledBy,
    scales: Option<Vec<u32>>,
    maximum: Option<Maximum>,
    error: Option<String>,
}

impl Suite {
    /// Reads a suite; the message says where it is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let written: Written = toml::from_str(text).map_err(|error| error.to_string())?;
        let models: Result<Vec<Model>, String> = written.models.into_iter().map(model).collect();
        let suite = Self {
            title: written.title,
            note: written.note,
            methods: product(&written.algorithms, &written.heuristics, &written.compaction)?,
            models: models?,
            limits: limits(&written.limits)?,
            published: written.published.into_iter().map(Published::from).collect(),
            expectations: written.expectations,
        };
        suite.check_names()?;
        Ok(suite)
    }

    /// Names that stand for one thing each, and are used for things that are there.
    fn check_names(&self) -> Result<(), String> {
        for (index, model) in self.models.iter().enumerate() {
            let fits = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
            if model.name.is_empty() || !model.name.chars().all(fits) {
                return Err(format!(
                    "`{}` is no name for a model, which names files: letters, digits, - _ . and +",
                    model.name
                ));
            }
            if self.models[..index].iter().any(|other| other.name == model.name) {
                return Err(format!("two models have the name `{}`", model.name));
            }
        }
        let known = |name: &str| self.models.iter().any(|model| model.name == name);
        let named = self.published.iter().map(|published| &published.model);
        let named =
            named.chain(self.expectations.iter().flat_map(|expectation| &expectation.models));
        match named.into_iter().find(|name| !known(name)) {
            Some(name) => Err(format!("`{name}` is none of the suite's models")),
            None => Ok(()),
        }
    }
}

/// The product of algorithms, heuristics and compactions; the heuristics of uninformed orders are
/// left out.
pub fn product(
    algorithms: &[String],
    heuristics: &[String],
    compactions: &[String],
) -> Result<Vec<Method>, String> {
    let usual = ["lgc".to_owned()];
    let compactions = if compactions.is_empty() { &usual[..] } else { compactions };
    let mut methods = Vec::new();
    for compaction in compactions {
        for algorithm in algorithms {
            let compaction = compaction.clone();
            let method = Method { algorithm: algorithm.clone(), heuristic: None, compaction };
            if !INFORMED.contains(&algorithm.as_str()) {
                methods.push(method);
                continue;
            }
            if heuristics.is_empty() {
                return Err(format!("`{algorithm}` needs heuristics, for example [\"pl2\"]"));
            }
            let directed =
                |name: &String| Method { heuristic: Some(name.clone()), ..method.clone() };
            methods.extend(heuristics.iter().map(directed));
        }
    }
    Ok(methods)
}

fn limits(written: &WrittenLimits) -> Result<Limits, String> {
    Ok(Limits {
        time: parse_duration(&written.time)?,
        cell: written.cell.as_deref().map(parse_duration).transpose()?,
        memory: parse_size(&written.memory)?,
    })
}

fn model(written: WrittenModel) -> Result<Model, String> {
    let name = &written.name;
    let scales = match (written.scales, written.maximum) {
        (Some(list), None) if list.is_sorted_by(|a, b| a < b) && !list.is_empty() => {
            Scales::List(list)
        }
        (Some(_), None) => return Err(format!("the scales of `{name}` have to ascend")),
        (None, Some(range)) if (1..=range.to).contains(&range.from) => Scales::Maximum(range),
        (None, Some(_)) => return Err(format!("the maximum of `{name}` has an empty range")),
        _ => {
            return Err(format!(
                "`{name}` needs either `scales = [2, 3]` or `maximum = {{ from = 2, to = 100 }}`"
            ));
        }
    };
    Ok(Model {
        name: written.name,
        inputs: written.sources,
        flags: written.flags,
        scaled_by: written.scale,
        scales,
        error: written.error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUITE: &str = r#"
        title = "A test"
        algorithms = ["bfs", "bf"]
        heuristics = ["mb", "pl2"]
        compaction = ["lgc", "line"]
        published = [["bf", "mb", "line", "philo", 60, 1425, 10.2, 548.0]]
        [limits]
        time = "20m"
        memory = "900M"
        [[models]]
        name = "philo"
        sources = ["../philo/philo.cc"]
        maximum = { from = 2, to = 100 }
        error = "deadlock"
        [[models]]
        name = "ring"
        sources = ["ring.c"]
        scale = "define"
        scales = [2, 4]
    "#;

    #[test]
    fn a_suite_is_a_product() {
        let suite = Suite::parse(SUITE).unwrap();
        let names: Vec<String> = suite
            .methods
            .iter()
            .map(|method| format!("{} {}", method.name(), method.compaction))
            .collect();
        let expected =
            ["bfs lgc", "bf/mb lgc", "bf/pl2 lgc", "bfs line", "bf/mb line", "bf/pl2 line"];
        assert_eq!(names, expected);
        assert_eq!(suite.limits.memory, 900 << 20);
        assert_eq!(suite.models[0].scales, Scales::Maximum(Maximum { from: 2, to: 100 }));
        assert_eq!(suite.models[1].scaled_by, ScaledBy::Define);
        assert_eq!(suite.published[0].length, 1425);
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (from, to, part) in [
            ("[2, 4]", "[4, 2]", "the scales of `ring` have to ascend"),
            ("scales = [2, 4]", "", "`ring` needs either"),
            ("from = 2", "from = 0", "empty range"),
            ("\"ring\"", "\"philo\"", "two models"),
            ("\"ring\"", "\"a/b\"", "`a/b` is no name"),
            ("\"philo\", 60", "\"phil\", 60", "`phil` is none"),
            ("20m", "20", "20s, 20m or 20h"),
            ("title", "titel", "titel"),
            ("[\"mb\", \"pl2\"]", "[]", "`bf` needs heuristics"),
        ] {
            let message = Suite::parse(&SUITE.replacen(from, to, 1)).unwrap_err();
            assert!(message.contains(part), "{from} -> {to}: {message}");
        }
    }
}
