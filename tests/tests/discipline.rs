//! The mutex locking discipline: what it finds in the programs of `discipline/` is what they name
//! (`// lacks: NAME`, or `// lacks nothing`; `// plain lacks ...` where the plain discipline finds something
//! else), whatever the order of search; and with the discipline in
//! use, a search finds the same errors and the same exit statuses as without it, in these programs, in
//! those of `races/` and in the samples.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use steam_heuristics::by_name;
use steam_image::Image;
use steam_model::Property;
use steam_program::{Accesses, Config, Deadlock, Options, Program, Races};
use steam_search::{End, Limits, Statistics};
use steam_session::{Algorithm, Options as Session, PilotRuns, Por};
use steam_tests::compile::{Compiler, Variant, compile, compilers};
use steam_tests::corpus::{self, Guest};
use steam_tests::report::{Verdict, judge_all};
use steam_tests::search;
use steam_visibility::Discipline;

/// Programs with more states are not compared.
const MOST_STATES: u64 = 3_000;
/// Enough for what these programs do between two visible operations.
const DIVERGENCE: u64 = 20_000_000;
/// Random schedules that meet every access of such small programs.
const RUNS: u64 = 40;

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
    let filters = corpus::filters();
    let own = corpus::read(&corpus::folder("discipline"), &filters)?;
    let mut right = judge_all(&own, |guest| &guest.name, |guest| judge(guest, &gcc, orders));
    let mut others = own;
    others.extend(corpus::read(&corpus::folder("races"), &filters)?);
    for family in SAMPLES {
        others.extend(corpus::read(&corpus::folder("../samples").join(family), &filters)?);
    }
    right &= judge_all(&others, |guest| &guest.name, |guest| judge(guest, &gcc, agreement));
    Ok(right)
}

/// The families of samples in which threads have locks.
const SAMPLES: [&str; 16] = [
    "bank",
    "barrier",
    "bounded_buffer",
    "c11_threads",
    "futures",
    "leader",
    "lost_update",
    "mutex_kinds",
    "once",
    "philosophers",
    "readers_writers",
    "requests",
    "rwlock",
    "semaphores",
    "thread_pool",
    "timeouts",
];

fn judge(
    guest: &Guest,
    gcc: &Compiler,
    check: impl Fn(&Guest, &Path) -> Result<(), String>,
) -> Verdict {
    let headers = corpus::folder("../toolchain/include");
    let flags = vec!["-O1".to_owned(), format!("-I{}", headers.display())];
    let variant = Variant { compiler: gcc.clone(), flags };
    let result = compile(guest, &variant).and_then(|file| check(guest, &file));
    Verdict { compared: 1, failures: result.err().into_iter().collect(), ..Verdict::default() }
}

/// What a search came to.
#[derive(PartialEq, Eq, Debug)]
struct Found {
    exits: BTreeSet<i32>,
    errors: BTreeSet<(&'static str, Vec<(u32, u32)>)>,
    breaches: BTreeSet<String>,
}

fn explore(
    guest: &Guest,
    image: &Arc<Image>,
    (discipline, composed): (Discipline, bool),
    session: &Session,
) -> Result<Option<(Found, Statistics)>, String> {
    let races = true;
    let divergence = DIVERGENCE;
    let options = Options { divergence, races, discipline, composed, ..Options::default() };
    let arguments = guest.directive.arguments.iter().map(|it| it.clone().into_bytes());
    let arguments = std::iter::once(b"guest".to_vec()).chain(arguments).collect();
    let config = Config { arguments, ..Config::default() };
    let program =
        Program::new(Arc::clone(image), config, options).map_err(|why| format!("{why:?}"))?;
    let properties: Vec<Box<dyn Property<Program>>> =
        vec![Box::new(Deadlock), Box::new(Races), Box::new(Accesses)];
    let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
    let session = Session { all: true, limits, ..*session };
    let checked = search::check(&program, &properties, &session);
    let outcome = checked.map_err(|why| format!("{why:?}"))?.outcome;
    let sampled = session.algorithm.is_sampling();
    if outcome.end != End::Exhausted && !sampled || !outcome.unknowns.is_empty() {
        return Ok(None);
    }
    let error = |what: &steam_program::Violation| {
        let places = what.places.iter().map(|(thread, eip)| (thread.0, *eip)).collect();
        (what.kind.name(), places)
    };
    let name = |breach: steam_program::Breach| {
        breach.name.unwrap_or_else(|| format!("{:x}", breach.place))
    };
    let found = Found {
        exits: program.exits().into_iter().collect(),
        errors: outcome.violations.iter().map(|finding| error(&finding.what)).collect(),
        breaches: program.breaches().into_iter().map(name).collect(),
    };
    Ok(Some((found, outcome.statistics)))
}

fn image(executable: &Path) -> Result<Arc<Image>, String> {
    Ok(Arc::new(Image::read_file(executable).map_err(|why| why.to_string())?))
}

/// Every order of search finds what the program names.
fn orders(guest: &Guest, executable: &Path) -> Result<(), String> {
    let strict = lacks(&guest.source, "// lacks")?.ok_or("it does not say what it lacks")?;
    let in_some_execution =
        lacks(&guest.source, "// plain lacks")?.unwrap_or_else(|| strict.clone());
    if !in_some_execution.is_subset(&strict) {
        return Err("what violates the plain discipline violates the stricter one".to_owned());
    }
    let image = image(executable)?;
    let plain = Session::default();
    let by = |algorithm| Session { algorithm, ..plain };
    let stateless = |por| by(Algorithm::Stateless { por, livelock: None });
    let mut orders = vec![
        by(Algorithm::DepthFirst),
        Session { jobs: 2, ..by(Algorithm::BreadthFirst) },
        Session { heuristic: by_name("mb"), ..by(Algorithm::BestFirst) },
        Session { heuristic: by_name("pl2"), ..by(Algorithm::AStar { weight: 100 }) },
        Session { pilot_runs: PilotRuns { runs: 0, ..plain.pilot_runs }, ..plain },
        stateless(Por::Source),
        stateless(Por::Persistent),
        stateless(Por::Sleep),
    ];
    for seed in 1..=2 {
        orders.push(Session { seed, ..plain });
        orders.push(Session { seed, ..by(Algorithm::Random { runs: RUNS }) });
    }
    for (discipline, expected) in
        [(Discipline::Checked, strict), (Discipline::Plain, in_some_execution)]
    {
        for order in &orders {
            let label = format!("{discipline:?}, {:?}, seed {}", order.algorithm, order.seed);
            let (found, _) = explore(guest, &image, (discipline, false), order)?
                .ok_or_else(|| format!("{label}: it did not come to an end"))?;
            // Some executions need not be those that violate the plain discipline.
            let some = order.algorithm.is_sampling() && discipline == Discipline::Plain;
            let right = match some {
                true => found.breaches.is_subset(&expected),
                false => found.breaches == expected,
            };
            if !right {
                return Err(format!("{label}: {:?} instead of {expected:?}", found.breaches));
            }
        }
    }
    Ok(())
}

/// What a program says that no lock protects, if it says something of it.
fn lacks(source: &str, prefix: &str) -> Result<Option<BTreeSet<String>>, String> {
    let said = source.lines().filter_map(|line| line.strip_prefix(prefix));
    let named: BTreeSet<String> =
        said.clone().filter_map(|rest| rest.strip_prefix(": ")).map(str::to_owned).collect();
    let nothing = said.clone().any(|rest| rest == " nothing");
    if nothing && !named.is_empty() {
        return Err(format!("it says both `{prefix}: NAME` and `{prefix} nothing`"));
    }
    Ok(said.clone().next().map(|_| named))
}

/// How many executions a program says that a search without a store goes along when the discipline is in
/// use, and how many when steps are composed too.
fn executions(source: &str, composed: bool) -> Option<u64> {
    let prefix = if composed { "// composed: " } else { "// executions: " };
    source.lines().find_map(|line| line.strip_prefix(prefix))?.parse().ok()
}

/// With the discipline in use, a search finds the same as it does without, also with composed steps.
fn agreement(guest: &Guest, executable: &Path) -> Result<(), String> {
    let image = image(executable)?;
    let dfs = Session::default();
    let stateless =
        |por| Session { algorithm: Algorithm::Stateless { por, livelock: None }, ..dfs };
    let searches = [
        ("dfs", dfs),
        ("state-less", stateless(Por::Source)),
        ("state-less, persistent sets", stateless(Por::Persistent)),
    ];
    for (name, session) in searches {
        let expected = explore(guest, &image, (Discipline::Ignored, false), &session)?;
        let Some((expected, most)) = expected else { continue };
        // A thread that stands before a call has more registers that differ than one that stands before
        // an access; that may cost some states.
        let most = 2 * most.states;
        for composed in [false, true] {
            let label = if composed { format!("{name}, composed") } else { name.to_owned() };
            let (found, counts) = explore(guest, &image, (Discipline::Used, composed), &session)?
                .ok_or_else(|| format!("{label}: it did not come to an end"))?;
            if found.exits != expected.exits || found.errors != expected.errors {
                return Err(format!("{label}: {found:?} instead of {expected:?}"));
            }
            if counts.states > most {
                return Err(format!("{label}: {} states instead of {most}", counts.states));
            }
            let expected = executions(&guest.source, composed).filter(|_| name != "dfs");
            if expected.is_some_and(|expected| expected != counts.runs) {
                return Err(format!("{label}: {} executions", counts.runs));
            }
        }
    }
    Ok(())
}
