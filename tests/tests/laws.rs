//! The laws of searching, on every sample without and with optimisation.
//!
//! What a search finds is what the sample says, at the line that it marks. All complete orders and
//! stores, one worker or two, with steps kept in mind or not, find the same states and the same
//! errors; no order finds an error in fewer steps than breadth-first search; a beam that dropped
//! states finds no others and does not call itself complete; a search by single accesses, where it is
//! small enough, finds the same errors, and so do one without a store and one in which what a lock protects is no step. Steps that are called
//! independent commute. The model keeps its promises. The binary `steam` says the
//! same twice, byte for byte, and replays its own trail.
//!
//! `expected/states.txt` holds how many states there are; `STEAM_BLESS=1` writes it anew. The
//! counts belong to the compiler that is named in it and are not compared with another one.
//! `STEAM_SAMPLES=futures` looks at the samples alone whose name contains that.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use steam_image::Image;
use steam_program::{Config, Deadlock, Granularity, Options, Program};
use steam_search::{End, LimitKind, Limits};
use steam_session::{Algorithm, Options as Session, Por, StoreKind};
use steam_tests::compile::{Compiler, Variant, compile, compilers};
use steam_tests::corpus::{self, Guest};
use steam_tests::machine::Machine;
use steam_tests::process::run;
use steam_tests::report::{Verdict, judge_all};
use steam_tests::search;
use steam_visibility::Discipline;

const LEVELS: [&str; 2] = ["-O0", "-O1"];
/// The level whose states are counted in the file.
const COUNTED: &str = "-O1";
/// A search by single accesses that has more states is given up.
const MOST_ACCESS_STATES: u64 = 200_000;
/// Iterative deepening repeats everything: it is left out where there are more states.
const MOST_DEEPENED_STATES: u64 = 100;
/// Nor is there a point in beginning one where there are more states than this by shared access.
const MOST_SHARED_STATES: u64 = 1000;
/// A search without a store repeats states, and does not end where programs go round.
const MOST_STATELESS_STATES: u64 = 5000;
const MOST_STATELESS_DEPTH: u32 = 200;
const AUDIT_STEPS: usize = 300;
/// Far more than any of these checks takes.
const LIMIT: Duration = Duration::from_secs(60);
const SLOWEST: usize = 5;

/// The kind, the threads and their instructions.
type Error = (&'static str, Vec<(u32, u32)>);

/// How a program is explored.
struct Setup {
    name: &'static str,
    granularity: Granularity,
    memo: bool,
    discipline: Discipline,
    session: Session,
}

/// What a search of one setup found.
struct Explored {
    end: End,
    states: u64,
    exits: BTreeSet<i32>,
    /// The errors, each with its depth if the last iteration found it, by whose steps alone depths
    /// can be compared.
    errors: BTreeMap<Error, Option<u32>>,
    unknown: Option<String>,
}

/// A compiled sample.
struct Subject<'a> {
    name: &'a str,
    guest: &'a Guest,
    level: &'static str,
    executable: PathBuf,
    image: Arc<Image>,
}

/// What all samples share.
struct Laws {
    gcc: Compiler,
    steam: PathBuf,
    times: Mutex<Vec<(Duration, String)>>,
    too_large_by_access: Mutex<usize>,
    independent: Mutex<usize>,
    /// Programs whose search without a store came to an end.
    without_store: Mutex<usize>,
    /// States by stubborn sets, and all of them.
    stubborn: Mutex<(u64, u64)>,
    /// How many states there are of each sample, at the level that is counted.
    states: Mutex<BTreeMap<String, u64>>,
}

#[test]
fn laws_hold_on_all_samples_and_states_are_as_many_as_expected() {
    let steam = match Machine::locate() {
        Ok(Machine::Steam(binary)) => binary,
        other => panic!("the binary `steam` is needed: {other:?}"),
    };
    let laws = Laws {
        gcc: gcc(),
        steam,
        times: Mutex::default(),
        too_large_by_access: Mutex::default(),
        independent: Mutex::default(),
        without_store: Mutex::default(),
        stubborn: Mutex::default(),
        states: Mutex::default(),
    };
    let samples = samples().expect("all samples can be read");
    let hold = judge_all(&samples, |(name, _)| name, |(name, guest)| laws.judge(name, guest));
    laws.print_costs();
    let counted = compare_states(&laws.states.lock().expect("nobody failed"));
    assert!(hold, "a law is broken");
    assert_eq!(counted, Ok(()));
    // A few samples may have nothing of the kind.
    if filter().is_empty() {
        assert!(*laws.without_store.lock().expect("nobody failed") > 0, "nothing came to an end");
        assert!(*laws.independent.lock().expect("nobody failed") > 0, "nothing was independent");
    }
}

fn gcc() -> Compiler {
    let gcc = compilers().into_iter().find(|compiler| compiler.name == "gcc");
    gcc.expect("gcc links static 32-bit programs: install gcc-multilib")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What the names of samples contain that are looked at.
fn filter() -> String {
    std::env::var("STEAM_SAMPLES").unwrap_or_default()
}

/// The samples that say what a search finds, by `family/name`.
fn samples() -> Result<Vec<(String, Guest)>, String> {
    let filter = filter();
    let folders = std::fs::read_dir(root().join("samples")).map_err(|why| why.to_string())?;
    let mut samples = Vec::new();
    for folder in folders.flatten().filter(|folder| folder.path().is_dir()) {
        for guest in corpus::read(&folder.path(), &[])? {
            let name = format!("{}/{}", folder.file_name().to_string_lossy(), guest.name);
            if guest.directive.expect.is_some() && name.contains(&filter) {
                samples.push((name, guest));
            }
        }
    }
    samples.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(samples)
}

impl Laws {
    fn judge(&self, name: &str, guest: &Guest) -> Verdict {
        let start = Instant::now();
        let mut verdict = Verdict::default();
        for level in LEVELS {
            verdict.compared += 1;
            let subject = Subject::compiled(name, guest, &self.gcc, level);
            let result = subject.and_then(|subject| self.check(&subject));
            verdict.failures.extend(result.err().map(|why| format!("{level}: {why}")));
        }
        let mut times = self.times.lock().expect("nobody failed");
        times.push((start.elapsed(), name.to_owned()));
        verdict
    }

    fn check(&self, subject: &Subject<'_>) -> Result<(), String> {
        let reference = subject.explore(&reference())?;
        if subject.level == COUNTED {
            let mut states = self.states.lock().expect("nobody failed");
            states.insert(subject.name.to_owned(), reference.states);
        }
        subject.check_verdict(&reference)?;
        let breadth = subject.explore(&breadth_first())?;
        let stores = if subject.level == COUNTED { stores() } else { Vec::new() };
        for setup in orders().into_iter().chain(stores) {
            let deepens = setup.session.algorithm == Algorithm::IterativeDeepening;
            if !deepens || reference.states <= MOST_DEEPENED_STATES {
                let found = subject.explore(&setup)?;
                compare(setup.name, &found, &reference, &breadth, !deepens)?;
            }
        }
        let narrow = narrow_beam();
        compare_narrow(narrow.name, &subject.explore(&narrow)?, &reference, &breadth)?;
        compare("dfs", &reference, &reference, &breadth, true)?;
        disciplined().iter().try_for_each(|setup| subject.check_discipline(setup, &reference))?;
        // It takes long, and once is enough: random programs have other levels.
        if subject.level == COUNTED {
            self.check_by_access(subject, &reference)?;
        }
        search::audit(&subject.program(&Options::default())?, AUDIT_STEPS, 1)?;
        self.check_independence(subject)?;
        self.check_stubborn(subject, &reference)?;
        self.check_stateless(subject, &reference)?;
        check_command(&self.steam, subject)
    }

    /// Each access to memory as a step of its own leads to the same errors and exits.
    fn check_by_access(&self, subject: &Subject<'_>, reference: &Explored) -> Result<(), String> {
        let small = reference.states <= MOST_SHARED_STATES;
        let found = small.then(|| subject.explore(&by_access())).transpose()?;
        let Some(found) = found.filter(|found| found.end == End::Exhausted) else {
            *self.too_large_by_access.lock().expect("nobody failed") += 1;
            return Ok(());
        };
        let same = without_parts(&found.errors) == without_parts(&reference.errors);
        if same && found.exits == reference.exits {
            return Ok(());
        }
        Err(format!(
            "by access: {:x?} and exits {:?}; dfs: {:x?} and {:?}",
            found.errors, found.exits, reference.errors, reference.exits
        ))
    }

    /// A search without a store finds the same errors and exits, where it comes to an end, and no
    /// others where it does not.
    fn check_stateless(&self, subject: &Subject<'_>, reference: &Explored) -> Result<(), String> {
        for por in [Por::Source, Por::Persistent] {
            let found = subject.explore(&stateless(por))?;
            let ended = found.end == End::Exhausted;
            *self.without_store.lock().expect("nobody failed") += usize::from(ended);
            let known = |error: &Error| reference.errors.contains_key(error);
            let same =
                found.errors.len() == reference.errors.len() && found.exits == reference.exits;
            if !found.errors.keys().all(known) || (ended && !same) {
                return Err(format!(
                    "state-less, {por:?}: {:x?} and exits {:?}; dfs: {:x?} and {:?}",
                    found.errors, found.exits, reference.errors, reference.exits
                ));
            }
        }
        Ok(())
    }

    /// Stubborn sets leave out no error and no exit. How many states they are may depend on the order of the search: what was
    /// learned in iterations that were done again counts in the last one, too.
    fn check_stubborn(&self, subject: &Subject<'_>, reference: &Explored) -> Result<(), String> {
        let mut states = None;
        for setup in stubborn() {
            let found = subject.explore(&setup)?;
            let same = without_parts(&found.errors) == without_parts(&reference.errors);
            if found.end != End::Exhausted || !same || found.exits != reference.exits {
                return Err(format!(
                    "{}: {:?}, {:x?} and exits {:?}; dfs: {:x?} and {:?}",
                    setup.name,
                    found.end,
                    found.errors,
                    found.exits,
                    reference.errors,
                    reference.exits
                ));
            }
            states.get_or_insert(found.states);
        }
        let mut stubborn = self.stubborn.lock().expect("nobody failed");
        stubborn.0 += states.expect("there is a first one");
        stubborn.1 += reference.states;
        Ok(())
    }

    /// What is called independent commutes, once the program knows what is shared.
    fn check_independence(&self, subject: &Subject<'_>) -> Result<(), String> {
        let program = subject.program(&Options::default())?;
        search::check(&program, &Deadlock, &plain()).map_err(|why| why.to_string())?;
        let pairs = search::audit_independence(&program, AUDIT_STEPS, 2)?;
        *self.independent.lock().expect("nobody failed") += pairs;
        Ok(())
    }

    fn print_costs(&self) {
        let too_large = self.too_large_by_access.lock().expect("nobody failed");
        println!("{too_large} programs are too large for a search by access");
        let independent = self.independent.lock().expect("nobody failed");
        let without_store = self.without_store.lock().expect("nobody failed");
        println!("{without_store} searches without a store came to their end");
        let (few, all) = *self.stubborn.lock().expect("nobody failed");
        println!("{few} states by stubborn sets, of {all}");
        println!("{independent} pairs of independent steps were done in both orders");
        let mut times = self.times.lock().expect("nobody failed").clone();
        times.sort_by(|one, other| other.cmp(one));
        for (time, name) in times.iter().take(SLOWEST) {
            println!("{:6.1} s  {name}", time.as_secs_f64());
        }
    }
}

impl<'a> Subject<'a> {
    fn compiled(
        name: &'a str,
        guest: &'a Guest,
        gcc: &Compiler,
        level: &'static str,
    ) -> Result<Self, String> {
        let include = format!("-I{}", root().join("toolchain/include").display());
        let flags = vec![level.to_owned(), include];
        let executable = compile(guest, &Variant { compiler: gcc.clone(), flags })?;
        let image = Image::read_file(&executable).map_err(|why| why.to_string())?;
        Ok(Self { name, guest, level, executable, image: Arc::new(image) })
    }

    fn program(&self, options: &Options) -> Result<Program, String> {
        let directive = &self.guest.directive;
        let given = directive.arguments.iter().map(|argument| argument.clone().into_bytes());
        let arguments = std::iter::once(b"sample".to_vec()).chain(given).collect();
        let config = Config { arguments, ..Config::default() };
        let divergence = directive.divergence.unwrap_or(options.divergence);
        let options = Options { divergence, ..options.clone() };
        Program::new(Arc::clone(&self.image), config, options).map_err(|why| why.to_string())
    }

    fn explore(&self, setup: &Setup) -> Result<Explored, String> {
        let Setup { granularity, memo, discipline, session, .. } = *setup;
        let discipline_on_trial = discipline == Discipline::Used && session.jobs <= 1;
        let privacy = !session.stubborn;
        let known = Options { discipline, discipline_on_trial, privacy, ..Options::default() };
        let program = self.program(&Options { granularity, memo, ..known })?;
        let checked =
            search::check(&program, &Deadlock, &session).map_err(|why| why.to_string())?;
        let mut errors = BTreeMap::new();
        for (finding, &iteration) in
            checked.outcome.violations.iter().zip(&checked.violation_iterations)
        {
            let places = finding.what.places.iter().map(|(thread, eip)| (thread.0, *eip));
            let depth = (iteration == checked.iterations).then_some(finding.depth);
            errors.insert((finding.what.kind.name(), places.collect()), depth);
        }
        let unknown = checked.outcome.unknowns.first();
        Ok(Explored {
            end: checked.outcome.end,
            states: checked.outcome.statistics.states,
            exits: program.exits().into_iter().collect(),
            errors,
            unknown: unknown.map(|finding| finding.what.report.to_string()),
        })
    }

    /// Where accesses under locks are no steps, the same is found in fewer states. A thread that stands before a call
    /// has more registers that differ than one that stands before an access; that may cost some.
    fn check_discipline(&self, setup: &Setup, reference: &Explored) -> Result<(), String> {
        let found = self.explore(setup)?;
        let same = without_parts(&found.errors) == without_parts(&reference.errors);
        let fewer = found.states <= 2 * reference.states;
        if found.end == End::Exhausted && same && found.exits == reference.exits && fewer {
            return Ok(());
        }
        Err(format!(
            "{}: {:?}, {:x?} and exits {:?} in {} states; dfs: {:x?} and {:?} in {}",
            setup.name,
            found.end,
            found.errors,
            found.exits,
            found.states,
            reference.errors,
            reference.exits,
            reference.states
        ))
    }

    /// What a search finds in the sample as it was compiled.
    fn expected(&self) -> &str {
        let directive = &self.guest.directive;
        let optimised = directive.optimised.as_deref().filter(|_| self.level != "-O0");
        optimised.or(directive.expect.as_deref()).unwrap_or_default()
    }

    /// There is an error or none, as expected. Its kind is reported by the replayed trail alone: a
    /// search does not know the past of heap blocks.
    fn check_verdict(&self, found: &Explored) -> Result<(), String> {
        if let Some(unknown) = &found.unknown {
            return Err(format!("dfs: {unknown}"));
        }
        if found.end != End::Exhausted {
            return Err(format!("dfs ended with {:?}", found.end));
        }
        match (self.expected(), found.errors.is_empty()) {
            ("none", true) => Ok(()),
            ("none", false) => Err(format!("dfs finds {:x?}", found.errors)),
            (_, false) => Ok(()),
            (kind, true) => Err(format!("dfs finds no {kind}")),
        }
    }
}

fn setup(name: &'static str, session: Session) -> Setup {
    let discipline = Discipline::Ignored;
    Setup { name, granularity: Granularity::Shared, memo: true, discipline, session }
}

fn plain() -> Session {
    Session { all: true, ..Session::default() }
}

fn reference() -> Setup {
    setup("dfs", plain())
}

fn breadth_first() -> Setup {
    setup("bfs", Session { algorithm: Algorithm::BreadthFirst, ..plain() })
}

fn stateless(por: Por) -> Setup {
    let states = Some(MOST_STATELESS_STATES);
    let limits = Limits { states, depth: Some(MOST_STATELESS_DEPTH), ..Limits::default() };
    let algorithm = Algorithm::Stateless { por, livelock: None };
    setup("state-less", Session { algorithm, limits, ..plain() })
}

fn by_access() -> Setup {
    let limits = Limits { states: Some(MOST_ACCESS_STATES), ..Limits::default() };
    let session = Session { limits, ..plain() };
    Setup { granularity: Granularity::Access, ..setup("by access", session) }
}

/// The orders that must agree with depth-first and breadth-first search.
fn orders() -> Vec<Setup> {
    let plain = plain();
    let heuristic = |name| Some(steam_heuristics::by_name(name).expect("a known heuristic"));
    let astar = Algorithm::AStar { weight: 100 };
    vec![
        Setup { memo: false, ..setup("dfs without memory", plain) },
        setup("bfs, two jobs", Session { jobs: 2, ..breadth_first().session }),
        setup("astar pl2", Session { algorithm: astar, heuristic: heuristic("pl2"), ..plain }),
        setup(
            "best-first mb",
            Session { algorithm: Algorithm::BestFirst, heuristic: heuristic("mb"), ..plain },
        ),
        setup("deepening", Session { algorithm: Algorithm::IterativeDeepening, ..plain }),
    ]
}

/// The orders that explore stubborn sets alone.
fn stubborn() -> [Setup; 2] {
    let stubborn = Session { stubborn: true, ..plain() };
    let breadth = Session { algorithm: Algorithm::BreadthFirst, jobs: 2, ..stubborn };
    [setup("dfs, stubborn sets", stubborn), setup("bfs, two jobs, stubborn sets", breadth)]
}

/// Searches in which what a lock protects is no step.
fn disciplined() -> Vec<Setup> {
    let used = |setup| Setup { discipline: Discipline::Used, ..setup };
    vec![
        used(setup("dfs, discipline used", plain())),
        used(setup(
            "bfs, two jobs, discipline used",
            Session { jobs: 2, ..breadth_first().session },
        )),
    ]
}

/// A beam that drops states of most samples.
fn narrow_beam() -> Setup {
    let heuristic = Some(steam_heuristics::by_name("pl2").expect("a known heuristic"));
    setup("narrow beam", Session { algorithm: Algorithm::Beam { width: 3 }, heuristic, ..plain() })
}

/// What does not depend on the code of the sample, and is tried at one level only to save time.
fn stores() -> Vec<Setup> {
    let plain = plain();
    let astar = Algorithm::AStar { weight: 100 };
    let by = |algorithm, name| Session {
        algorithm,
        heuristic: Some(steam_heuristics::by_name(name).expect("a known heuristic")),
        ..plain
    };
    vec![
        setup("astar dl", by(astar, "dl")),
        setup("astar rw", by(astar, "rw")),
        setup("best-first int", by(Algorithm::BestFirst, "int")),
        setup("best-first aa", by(Algorithm::BestFirst, "aa")),
        setup(
            "beam mb, two jobs",
            Session { jobs: 2, ..by(Algorithm::Beam { width: u32::MAX }, "mb") },
        ),
        setup("dfs, two jobs", Session { jobs: 2, ..plain }),
        setup("dfs, full", Session { store: StoreKind::Full, ..plain }),
        setup("dfs, hash128", Session { store: StoreKind::Hash128, ..plain }),
        setup("astar", Session { algorithm: Algorithm::AStar { weight: 100 }, ..plain }),
    ]
}

/// The setups whose trails are as short as those of breadth-first search.
const SHORTEST: [&str; 5] =
    ["bfs, two jobs", "astar", "astar dl", "beam mb, two jobs", "deepening"];

/// Whether a setup found what depth-first search did, and nothing sooner than breadth-first search.
fn compare(
    setup: &str,
    found: &Explored,
    reference: &Explored,
    breadth: &Explored,
    counts: bool,
) -> Result<(), String> {
    if found.end != End::Exhausted || found.unknown.is_some() {
        return Err(format!("{setup} ended with {:?}, unknown: {:?}", found.end, found.unknown));
    }
    if counts && found.states != reference.states {
        return Err(format!("{setup} finds {} states, dfs {}", found.states, reference.states));
    }
    if found.exits != reference.exits || !found.errors.keys().eq(reference.errors.keys()) {
        return Err(format!("{setup} finds {:x?}, dfs {:x?}", found.errors, reference.errors));
    }
    for (error, depth) in &found.errors {
        let (Some(depth), Some(&Some(least))) = (depth, breadth.errors.get(error)) else {
            continue;
        };
        if *depth < least || SHORTEST.contains(&setup) && *depth > least {
            return Err(format!("{setup} needs {depth} steps to {error:x?}, bfs {least}"));
        }
    }
    Ok(())
}

/// Whether a setup that may drop states agrees with depth-first search; where it did drop some, it must
/// say so and find nothing else.
fn compare_narrow(
    setup: &str,
    found: &Explored,
    reference: &Explored,
    breadth: &Explored,
) -> Result<(), String> {
    if found.end != End::Limit(LimitKind::Width) {
        return compare(setup, found, reference, breadth, true);
    }
    let known = |error| reference.errors.contains_key(error);
    if found.unknown.is_none()
        && found.exits.is_subset(&reference.exits)
        && found.errors.keys().all(known)
    {
        return Ok(());
    }
    Err(format!(
        "{setup}: {:x?}, exits {:?}, unknown: {:?}; dfs: {:x?} and {:?}",
        found.errors, found.exits, found.unknown, reference.errors, reference.exits
    ))
}

/// Leaves out the cycles of waits that are part of a deadlock of more threads: whether there is a
/// state in which others can still go on depends on what a step is.
fn without_parts(errors: &BTreeMap<Error, Option<u32>>) -> BTreeSet<&Error> {
    let is_part = |(kind, places): &Error| {
        errors.keys().any(|(other, all)| {
            kind == other && all.len() > places.len() && places.iter().all(|it| all.contains(it))
        })
    };
    errors.keys().filter(|error| !is_part(error)).collect()
}

/// The binary says the same twice, names the marked line, and replays its trail.
fn check_command(steam: &Path, subject: &Subject<'_>) -> Result<(), String> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("laws");
    std::fs::create_dir_all(&folder).map_err(|why| why.to_string())?;
    let name = subject.name.replace('/', "-");
    let trail = folder.join(format!("{name}{}.trail", subject.level));
    let check = || {
        let mut command = Command::new(steam);
        command.args(["check", "--format", "json", "--no-times", "--trail"]).arg(&trail);
        if let Some(divergence) = subject.guest.directive.divergence {
            command.args(["--divergence", &divergence.to_string()]);
        }
        command.arg(&subject.executable).arg("--").args(&subject.guest.directive.arguments);
        run(&mut command, &[], LIMIT)
    };
    let (first, second) = (check()?, check()?);
    if first != second {
        return Err("the same check prints other bytes the second time".to_owned());
    }
    let wrong = subject.expected() != "none";
    let racy = subject.guest.directive.racy;
    if !first.exited_with(i32::from(wrong || racy)) {
        let errors = String::from_utf8_lossy(&first.errors);
        return Err(format!("steam check: {} {errors}", first.ending));
    }
    let report = String::from_utf8_lossy(&first.output);
    if !wrong {
        return match report.contains("\"kind\":\"race\"") {
            told if told == racy => Ok(()),
            _ => Err(format!("whether there is a race is wrong: {report}")),
        };
    }
    check_error(subject, &report)?;
    let replayed = run(Command::new(steam).args(["replay", "-q"]).arg(&trail), &[], LIMIT)?;
    // It is of no further use, and nobody minds if it stays.
    let _ = std::fs::remove_file(&trail);
    if replayed.exited_with(0) {
        return Ok(());
    }
    let said = [replayed.output, replayed.errors].concat();
    Err(format!("steam replay: {} {}", replayed.ending, String::from_utf8_lossy(&said)))
}

/// The error is of the expected kind and at the marked line; of a deadlock, one of the threads waits
/// there.
fn check_error(subject: &Subject<'_>, report: &str) -> Result<(), String> {
    if !report.contains(&format!("\"kind\":\"{}\"", subject.expected())) {
        return Err(format!("no {} is told of: {report}", subject.expected()));
    }
    let key = if subject.expected() == "deadlock" { "place" } else { "location" };
    let marked = subject.guest.marked_place("/* ERROR */");
    let (file, line) = marked.ok_or("no line is marked")?;
    let found = lines(report, key, &file);
    if found.contains(&line) {
        return Ok(());
    }
    Err(format!("the lines of {file} are {found:?}, marked is {line}"))
}

/// The lines of a source file at all places that a report gives under a key.
fn lines(report: &str, key: &str, file: &str) -> BTreeSet<usize> {
    let start = format!("\"{key}\":{{\"file\":\"");
    let line = |place: &str| {
        let (path, rest) = place.split_once("\",\"line\":")?;
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        path.ends_with(file).then(|| digits.parse().ok())?
    };
    report.split(&start).skip(1).filter_map(line).collect()
}

/// Compares the counts with those of the file, or writes the file.
fn compare_states(states: &BTreeMap<String, u64>) -> Result<(), String> {
    let file = corpus::folder("expected/states.txt");
    let text = states_text(states);
    if std::env::var_os("STEAM_BLESS").is_some() {
        return std::fs::write(&file, text).map_err(|why| format!("{}: {why}", file.display()));
    }
    let expected = std::fs::read_to_string(&file).map_err(|why| why.to_string())?;
    if expected.lines().next() != text.lines().next() {
        println!("states were counted with another compiler and are not compared");
        return Ok(());
    }
    let expected: BTreeSet<&str> = expected.lines().collect();
    // With a filter, not all samples are counted.
    let other: Vec<&str> = text.lines().filter(|line| !expected.contains(line)).collect();
    if other.is_empty() { Ok(()) } else { Err(format!("other counts of states: {other:#?}")) }
}

/// The compiler, then a line for each sample.
fn states_text(states: &BTreeMap<String, u64>) -> String {
    let version = Command::new("gcc").arg("--version").output();
    let version = version.map(|output| output.stdout).unwrap_or_default();
    let version = String::from_utf8_lossy(&version);
    let mut text = format!("{} {COUNTED}\n", version.lines().next().unwrap_or_default());
    for (name, count) in states {
        text.push_str(&format!("{count:>7}  {name}\n"));
    }
    text
}
