//! The plan of `steam bench`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use steam_bench::{Limits, Maximum, Method, Model, ScaledBy, Scales, Suite, bundled, product};
use steam_check::Choice;
use steam_compile::{InputKind, Scratch};

use crate::args::bench::{BenchArguments, ExportForm};
use crate::args::{Arguments, Command};
use crate::input_file::{is_regular, read_text};

/// Larger files are no suites.
const LARGEST_SUITE: u64 = 16 << 20;
/// The limits of `--short`.
const SHORT_CHECK: Duration = Duration::from_secs(10);
const SHORT_CELL: Duration = Duration::from_secs(60);
/// The limits for a program, as in the StEAM paper.
const TIME: Duration = Duration::from_secs(20 * 60);
const MEMORY: u64 = 900 << 20;

/// What `steam bench` is to do.
#[derive(Debug)]
pub struct BenchPlan {
    /// The suites, one after the other.
    pub suites: Vec<NamedSuite>,
    /// Checks side by side.
    pub jobs: usize,
    /// What is written beside the printed tables.
    pub exports: Vec<ExportForm>,
    /// Where that is written.
    pub directory: PathBuf,
    /// Where the suites that are built in were unpacked.
    _unpacked: Scratch,
}

/// A suite, and where it comes from.
#[derive(Debug)]
pub struct NamedSuite {
    /// Its name, for files.
    pub name: String,
    /// What its models' paths are relative to.
    pub base: PathBuf,
    /// The suite.
    pub suite: Suite,
}

/// Makes the plan of `steam bench`.
pub fn bench(typed: BenchArguments) -> anyhow::Result<BenchPlan> {
    let unpacked = Scratch::new()?;
    let suites = if typed.inputs.iter().any(|input| is_suite(input)) {
        if typed.scale.is_some() {
            bail!("a suite names its own scales; --scale is for a program");
        }
        let read = |input: &PathBuf| read(input, &unpacked.file("samples"));
        typed.inputs.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?
    } else {
        vec![of_program(&typed)?]
    };
    let adjusted = suites.into_iter().map(|named| adjusted(named, &typed));
    let suites = adjusted.collect::<anyhow::Result<Vec<_>>>()?;
    std::fs::create_dir_all(&typed.dir)
        .with_context(|| format!("--dir {}", typed.dir.display()))?;
    Ok(BenchPlan {
        suites,
        jobs: typed.jobs.max(1),
        exports: typed.export,
        directory: typed.dir,
        _unpacked: unpacked,
    })
}

fn is_suite(input: &Path) -> bool {
    input.extension().is_some_and(|ending| ending == "toml") || bundled_name(input).is_some()
}

/// A suite that is built in, unless a file has its name.
fn bundled_name(input: &Path) -> Option<&'static str> {
    bundled::names().find(|name| Path::new(name) == input && !input.exists())
}

fn read(input: &Path, unpacked: &Path) -> anyhow::Result<NamedSuite> {
    let path = match bundled_name(input) {
        Some(name) => bundled::unpack(unpacked, name).map_err(|error| anyhow!(error))?,
        None if is_suite(input) => input.to_owned(),
        None => bail!(
            "{} is no suite: its name should end in .toml, or be one of {}",
            input.display(),
            bundled::names().collect::<Vec<_>>().join(", ")
        ),
    };
    let text = read_text(&path, LARGEST_SUITE)?;
    let suite = Suite::parse(&text).map_err(|error| anyhow!("{}: {error}", input.display()))?;
    let base = path.parent().unwrap_or(Path::new("")).to_owned();
    Ok(NamedSuite { name: stem(&path), base, suite })
}

/// The suite that the options describe.
fn of_program(typed: &BenchArguments) -> anyhow::Result<NamedSuite> {
    let Some(scale) = &typed.scale else {
        bail!("a program needs scales, for example --scale 2..8 or --scale max:100");
    };
    if typed.algo.is_empty() {
        bail!("a program needs orders to compare, for example --algo bfs,astar --heur mb,pl2");
    }
    if let [one, _, ..] = typed.inputs.as_slice()
        && typed.inputs.iter().any(|input| InputKind::of(input) == InputKind::Other)
    {
        bail!(
            "{} and others: only one program can be measured, or the sources of one",
            one.display()
        );
    }
    for input in &typed.inputs {
        is_regular(input)?;
    }
    let algorithms: Vec<String> = names(&typed.algo);
    let compactions: Vec<String> = names(&typed.atomic);
    let methods = product(&algorithms, &typed.heur, &compactions)
        .map_err(|error| anyhow!("--heur: {error}"))?;
    let name = stem(&typed.inputs[0]);
    let path = |input: &PathBuf| input.to_string_lossy().into_owned();
    let model = Model {
        name: name.clone(),
        inputs: typed.inputs.iter().map(path).collect(),
        flags: String::new(),
        scaled_by: ScaledBy::Argument,
        scales: scales(scale)?,
        error: None,
    };
    let suite = Suite {
        title: format!("{name}: search methods compared"),
        note: String::new(),
        methods,
        models: vec![model],
        limits: Limits { time: TIME, cell: None, memory: MEMORY },
        published: Vec::new(),
        expectations: Vec::new(),
    };
    Ok(NamedSuite { name, base: PathBuf::new(), suite })
}

/// Reads `2..8`, `2,4,8` or `max:1000`.
fn scales(text: &str) -> anyhow::Result<Scales> {
    let wrong = || anyhow!("--scale {text}: write 2..8, or 2,4,8 ascending, or max:1000");
    let number = |word: &str| word.trim().parse::<u32>().map_err(|_| wrong());
    if let Some(to) = text.strip_prefix("max:") {
        let to = number(to)?;
        return Ok(Scales::Maximum(Maximum { from: to.min(2), to }));
    }
    let list = match text.split_once("..") {
        Some((from, to)) => (number(from)?..=number(to.trim_start_matches('='))?).collect(),
        None => text.split(',').map(number).collect::<anyhow::Result<Vec<u32>>>()?,
    };
    if list.is_empty() || !list.is_sorted_by(|a, b| a < b) {
        return Err(wrong());
    }
    Ok(Scales::List(list))
}

/// The suite within the limits that were typed, of what was asked for alone.
fn adjusted(mut named: NamedSuite, typed: &BenchArguments) -> anyhow::Result<NamedSuite> {
    let NamedSuite { name, suite, .. } = &mut named;
    let keeps = |list: &[String], name: &str| list.is_empty() || list.iter().any(|it| it == name);
    let algorithms: Vec<String> = names(&typed.algo);
    let compactions: Vec<String> = names(&typed.atomic);
    suite.methods.retain(|method| {
        let heuristic = method.heuristic.as_deref();
        keeps(&algorithms, &method.algorithm)
            && keeps(&compactions, &method.compaction)
            && heuristic.is_none_or(|heuristic| keeps(&typed.heur, heuristic))
    });
    suite.models.retain(|model| keeps(&typed.model, &model.name));
    let asked = |model: &str| keeps(&typed.model, model);
    suite.published.retain(|published| asked(&published.model));
    for expectation in &mut suite.expectations {
        expectation.models.retain(|model| asked(model));
    }
    if suite.methods.is_empty() || suite.models.is_empty() {
        bail!("nothing of {name} is left by --algo, --heur, --atomic and --model");
    }
    let limits = &mut suite.limits;
    if typed.short {
        *limits = Limits { time: SHORT_CHECK, cell: Some(SHORT_CELL), ..*limits };
    }
    limits.time = typed.timeout.unwrap_or(limits.time);
    limits.cell = typed.cell.or(limits.cell);
    limits.memory = typed.memory.unwrap_or(limits.memory);
    for method in &suite.methods {
        check_method(method).with_context(|| format!("{name}: {}", method.name()))?;
    }
    Ok(named)
}

/// Whether `steam check` understands a method: better now than after an hour.
fn check_method(method: &Method) -> anyhow::Result<()> {
    let words = ["steam".to_owned(), "check".to_owned(), "program".to_owned()];
    let words = words.into_iter().chain(method.options());
    match <Arguments as clap::Parser>::try_parse_from(words)?.command {
        Command::Check(typed) => super::check::check(*typed).map(|_| ()),
        _ => bail!("it is no check"),
    }
}

/// The names of choices.
fn names<C: Choice>(choices: &[C]) -> Vec<String> {
    choices.iter().map(|choice| choice.name().to_owned()).collect()
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "suite".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn plan(words: &[&str]) -> anyhow::Result<BenchPlan> {
        let words = ["steam", "bench"].iter().chain(words);
        match Arguments::try_parse_from(words)?.command {
            Command::Bench(typed) => bench(*typed),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_suite_may_be_cut_down() {
        let words =
            ["table4", "--heur", "pl2,mb", "--atomic", "lgc", "--model", "philo", "--short"];
        let plan = plan(&words).unwrap();
        let NamedSuite { name, suite, base } = &plan.suites[0];
        assert_eq!(name, "table4");
        assert!(base.join("../philo/philo.cc").exists());
        let names: Vec<String> = suite.methods.iter().map(Method::name).collect();
        assert_eq!(names, ["bf/pl2", "bf/mb"]);
        assert_eq!(suite.models.len(), 1);
        assert!(suite.published.iter().all(|published| published.model == "philo"));
        assert_eq!((suite.limits.time, suite.limits.cell), (SHORT_CHECK, Some(SHORT_CELL)));
        assert_eq!(suite.limits.memory, 900 << 20);
    }

    #[test]
    fn a_program_is_a_suite_of_its_own() {
        let scratch = Scratch::new().unwrap();
        let source = scratch.file("ring.c");
        std::fs::write(&source, "int main(void) { return 0; }").unwrap();
        let source = source.to_str().unwrap();
        let words = [source, "--algo", "bfs,astar", "--heur", "mb,pl2", "--scale", "2..4"];
        let plan = plan(&words).unwrap();
        let suite = &plan.suites[0].suite;
        assert_eq!(suite.methods.len(), 3);
        assert_eq!(suite.models[0].scales, Scales::List(vec![2, 3, 4]));
        assert_eq!(suite.limits, Limits { time: TIME, cell: None, memory: MEMORY });
    }

    #[test]
    fn scales_are_read() {
        assert_eq!(scales("2,4").unwrap(), Scales::List(vec![2, 4]));
        assert_eq!(scales("3..=4").unwrap(), Scales::List(vec![3, 4]));
        assert_eq!(scales("max:9").unwrap(), Scales::Maximum(Maximum { from: 2, to: 9 }));
        for wrong in ["4,2", "x", "5..2", "", "max:", "-1"] {
            assert!(scales(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (words, part) in [
            (&["table4", "--scale", "2..3"][..], "--scale is for a program"),
            (&["table4", "Cargo.lock"], "is no suite"),
            (&["table4", "--model", "none"], "nothing of table4 is left"),
            (&["none.toml"], "none.toml"),
            (&["none.c", "--algo", "bfs"], "needs scales"),
            (&["none.c", "--scale", "2..3"], "needs orders"),
            (&["none.c", "--scale", "2..3", "--algo", "bfs"], "none.c"),
            (&["table4", "--short", "--timeout", "3s"], "cannot be used with"),
        ] {
            let message = format!("{:#}", plan(words).map(|plan| panic!("{plan:?}")).unwrap_err());
            assert!(message.contains(part), "{words:?}: {message}");
        }
    }
}
