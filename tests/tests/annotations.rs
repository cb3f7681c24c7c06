//! What programs say of themselves by `steam.h`: what a search finds in each program of `annotations/`
//! is what the program says (`// steam: expect=annotation` for a lie, at the line marked `ERROR`), in
//! every order of search, with a store and without one, by shared accesses and by single ones. Where a
//! claim is true, what is found is what is found when nobody listens to it (`Options::annotations`); a
//! program with `// fewer states` has fewer of them for it, and one with `// settles a race` has a race
//! without it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use steam_image::Image;
use steam_model::Property;
use steam_program::{Config, Deadlock, Granularity, Options, Program, Races};
use steam_search::{End, Limits};
use steam_session::{Algorithm, Options as Session, Por};
use steam_tests::compile::{Compiler, Variant, compile, compilers};
use steam_tests::corpus::{self, Guest};
use steam_tests::report::{Verdict, judge_all};
use steam_tests::search;

/// By single accesses, what the library does is too much in some programs.
const MOST_STATES: u64 = 40_000;
/// Enough for what these programs do between two visible operations.
const DIVERGENCE: u64 = 20_000_000;
/// What differs most in where variables are kept.
const LEVELS: [&str; 2] = ["-O0", "-O2"];
/// The mark of the line at which a lie is reported.
const MARK: &str = "/* ERROR */";

fn main() -> ExitCode {
    match check_all() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn check_all() -> Result<bool, String> {
    let gcc = compilers().into_iter().find(|compiler| compiler.name == "gcc");
    let gcc = gcc.ok_or("gcc does not link static 32-bit programs: install gcc-multilib")?;
    let guests = corpus::read(&corpus::folder("annotations"), &corpus::filters())?;
    let mut cases: Vec<(String, &Guest, &str)> = Vec::new();
    for guest in &guests {
        cases.extend(LEVELS.map(|level| (format!("{} {level}", guest.name), guest, level)));
    }
    Ok(judge_all(&cases, |(name, ..)| name, |(_, guest, level)| judge(guest, &gcc, level)))
}

fn judge(guest: &Guest, gcc: &Compiler, level: &str) -> Verdict {
    let headers = corpus::folder("../toolchain/include");
    let flags = vec![level.to_owned(), format!("-I{}", headers.display())];
    let variant = Variant { compiler: gcc.clone(), flags };
    let result = compile(guest, &variant).and_then(|file| agrees(guest, &file));
    Verdict { compared: 1, failures: result.err().into_iter().collect(), ..Verdict::default() }
}

/// How a program is explored.
#[derive(Clone, Copy, Debug)]
struct Setup {
    algorithm: Algorithm,
    granularity: Granularity,
    jobs: usize,
    annotations: bool,
}

/// What a search came to.
#[derive(PartialEq, Eq, Debug)]
struct Found {
    kinds: BTreeSet<String>,
    exits: BTreeSet<i32>,
    /// The lines at which something that the program says was found not to be true.
    lines: BTreeSet<u32>,
}

fn explore(image: &Arc<Image>, setup: Setup) -> Result<Option<(Found, u64)>, String> {
    let Setup { algorithm, granularity, jobs, annotations } = setup;
    let options = Options {
        granularity,
        annotations,
        divergence: DIVERGENCE,
        races: true,
        ..Options::default()
    };
    let config = Config { arguments: vec![b"guest".to_vec()], ..Config::default() };
    let program =
        Program::new(Arc::clone(image), config, options).map_err(|why| format!("{why:?}"))?;
    let properties: Vec<Box<dyn Property<Program>>> = vec![Box::new(Deadlock), Box::new(Races)];
    let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
    let session = Session { all: true, limits, algorithm, jobs, ..Session::default() };
    let checked = search::check(&program, &properties, &session);
    let outcome = checked.map_err(|why| format!("{why:?}"))?.outcome;
    if let Some(unknown) = outcome.unknowns.first() {
        return Err(format!("{setup:?}: {:?}", unknown.what.report));
    }
    if outcome.end != End::Exhausted {
        return Ok(None);
    }
    let lies = outcome.violations.iter().filter(|it| it.what.kind.name() == "annotation");
    let line = |report: &steam_report::Report| report.location().and_then(|it| it.line);
    let found = Found {
        kinds: outcome.violations.iter().map(|it| it.what.kind.name().to_owned()).collect(),
        exits: program.exits().into_iter().collect(),
        lines: lies.filter_map(|it| line(&it.what.report)).collect(),
    };
    Ok(Some((found, outcome.statistics.states)))
}

fn agrees(guest: &Guest, executable: &Path) -> Result<(), String> {
    let image = Image::read_file(executable).map_err(|why| why.to_string())?;
    let image = Arc::new(image);
    let mut expected = guest.directive.kinds_in_search();
    expected.extend(guest.directive.racy.then(|| "race".to_owned()));
    let mark = guest.marked_line(MARK).map(|line| line as u32);
    if guest.directive.expect.is_none() || expected.contains("annotation") != mark.is_some() {
        return Err("it says what is expected, and marks the line of a lie".to_owned());
    }
    let plain = Setup {
        algorithm: Algorithm::DepthFirst,
        granularity: Granularity::Shared,
        jobs: 1,
        annotations: true,
    };
    let stateless = |por| Algorithm::Stateless { por, livelock: None };
    let setups = [
        plain,
        Setup { algorithm: Algorithm::BreadthFirst, jobs: 2, ..plain },
        Setup { algorithm: stateless(Por::Source), ..plain },
        Setup { algorithm: stateless(Por::Persistent), ..plain },
        Setup { granularity: Granularity::Access, ..plain },
    ];
    for setup in setups {
        let Some((found, _)) = explore(&image, setup)? else {
            if setup.granularity == Granularity::Access {
                continue;
            }
            return Err(format!("{setup:?} did not come to an end"));
        };
        if found.kinds != expected || found.lines != mark.into_iter().collect() {
            return Err(format!("{setup:?}: {found:?} instead of {expected:?}, line {mark:?}"));
        }
    }
    if expected.contains("annotation") {
        return Ok(());
    }
    let says = |what: &str| guest.source.lines().any(|line| line == what);
    let (fewer, settles) = (says("// fewer states"), says("// settles a race"));
    for algorithm in [Algorithm::DepthFirst, stateless(Por::Source)] {
        let heard = explore(&image, Setup { algorithm, ..plain })?;
        let unheard = explore(&image, Setup { algorithm, annotations: false, ..plain })?;
        let (Some((heard, few)), Some((mut unheard, many))) = (heard, unheard) else {
            return Err(format!("{algorithm:?} did not come to an end"));
        };
        if settles && !unheard.kinds.remove("race") {
            return Err(format!("{algorithm:?}: there is no race without the claim"));
        }
        if heard != unheard {
            return Err(format!("{algorithm:?}: {heard:?}, and {unheard:?} without the claim"));
        }
        if fewer && algorithm == Algorithm::DepthFirst && few >= many {
            return Err(format!("{few} states, and {many} without the claim"));
        }
    }
    Ok(())
}
