//! Random small programs: every configuration of the search against the plainest one.
//!
//! The reference explores each access to memory as a step of its own. All others must find the same
//! exit statuses, failed assertions, deadlocks, hangs and data races; among them one that keeps no steps in mind
//! and stores states as they are. Steps that are called independent commute. Of nine files of programs
//! two are threads; one each has processes, signal handlers, waits with limits of time, loops that wait, such that count, blocks
//! of all sizes, and blocks that are handed over. Whether loops that wait have no way out is also told by the whole graph of states (`dead_ends`). `STEAM_RANDOM=5000` says how many
//! programs, `STEAM_RANDOM_FIRST=1234` from which seed on, and `STEAM_RANDOM_FAMILY=processes` that they
//! are all of one family.
//!
//! Half of the time would go into programs that turn out to be too large. A usual run does not begin with those
//! of which that is known: `tests/expected/too_large.txt`, which a run with `STEAM_BLESS=1` writes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use steam_image::Image;
use steam_model::Property;
use steam_program::{Config, Deadlock, Granularity, Hangs, Options, Program, Races};
use steam_report::Kind;
use steam_search::{End, Limits};
use steam_session::{Algorithm, Options as Session, Por, StoreKind};
use steam_tests::dead_ends::has_dead_end;
use steam_tests::random_programs::{FLAGS, Family, source};
use steam_tests::search;
use steam_visibility::Discipline;

/// So many programs are compiled together.
const TOGETHER: u64 = 50;
/// Programs whose reference has more states than this are left out: in a long run, and in a usual one,
/// where the largest would take most of the time.
const MOST_STATES: (u64, u64) = (8_000, 4_000);
/// The seeds of programs that are too large for a usual run, a line for each family.
const TOO_LARGE: &str = include_str!("../expected/too_large.txt");
/// So many programs are a long run.
const MANY: u64 = 1_000;
/// After so many instructions without a step a thread is in a loop without an end.
const DIVERGENCE: u64 = 20_000;
/// So many random steps of a program are taken to see what commutes beside them.
const AUDIT_STEPS: usize = 60;

/// The variable that names the one family of which all programs are to be.
const ONE_FAMILY: &str = "STEAM_RANDOM_FAMILY";

/// What can be observed of a program.
#[derive(PartialEq, Eq, Debug)]
struct Observed {
    exits: BTreeSet<i32>,
    errors: BTreeSet<Error>,
}

/// The kind, the threads and their instructions.
type Error = (&'static str, Vec<(u32, u32)>);

/// How a program is explored.
struct Setup {
    name: &'static str,
    granularity: Granularity,
    memo: bool,
    /// Whether threads may have blocks for themselves.
    privacy: bool,
    /// Whether it is used that threads wait in loops.
    waits: bool,
    /// What the locking discipline is for, and whether steps are composed.
    discipline: Discipline,
    composed: bool,
    /// Whether the discipline is given up where it does not pay.
    on_trial: bool,
    session: Session,
    /// It is left out for programs that have more states by access.
    most_states: u64,
}

fn setups() -> Vec<Setup> {
    let plain = Session { all: true, ..Session::default() };
    let setup = |name, session| Setup {
        name,
        granularity: Granularity::Shared,
        memo: true,
        privacy: true,
        waits: true,
        discipline: Discipline::Ignored,
        composed: false,
        on_trial: false,
        session,
        most_states: u64::MAX,
    };
    let used = |setup| Setup { discipline: Discipline::Used, ..setup };
    let composed = |setup| used(Setup { composed: true, ..setup });
    let stateless =
        |por| Session { algorithm: Algorithm::Stateless { por, livelock: None }, ..plain };
    let heuristic = |name| Some(steam_heuristics::by_name(name).expect("a known heuristic"));
    let astar = Algorithm::AStar { weight: 100 };
    let stubborn = |session| Session { stubborn: true, ..session };
    vec![
        setup("dfs", plain),
        Setup { privacy: false, ..setup("dfs, nothing is private", plain) },
        Setup { waits: false, ..setup("dfs, counters are kept", plain) },
        Setup { memo: false, ..setup("dfs without memory", plain) },
        setup("bfs, two jobs", Session { algorithm: Algorithm::BreadthFirst, jobs: 2, ..plain }),
        setup("dfs, two jobs, full", Session { jobs: 2, store: StoreKind::Full, ..plain }),
        setup("dfs, hash128", Session { store: StoreKind::Hash128, ..plain }),
        setup(
            "best-first mb",
            Session { algorithm: Algorithm::BestFirst, heuristic: heuristic("mb"), ..plain },
        ),
        Setup { most_states: 2000, ..setup("state-less, source sets", stateless(Por::Source)) },
        Setup {
            most_states: 1000,
            ..setup("state-less, persistent sets", stateless(Por::Persistent))
        },
        Setup { most_states: 300, ..setup("state-less, sleep sets", stateless(Por::Sleep)) },
        Setup { discipline: Discipline::Checked, ..setup("dfs, discipline checked", plain) },
        used(setup("dfs, discipline used", plain)),
        used(Setup { on_trial: true, ..setup("dfs, discipline on trial", plain) }),
        used(setup(
            "bfs, two jobs, discipline used",
            Session { algorithm: Algorithm::BreadthFirst, jobs: 2, ..plain },
        )),
        used(Setup {
            most_states: 2000,
            ..setup("state-less, source sets, discipline used", stateless(Por::Source))
        }),
        // The search is the same; which steps commute is not.
        composed(setup("dfs, composed", plain)),
        composed(Setup {
            most_states: 2000,
            ..setup("state-less, source sets, composed", stateless(Por::Source))
        }),
        composed(Setup {
            most_states: 1000,
            ..setup("state-less, persistent sets, composed", stateless(Por::Persistent))
        }),
        used(Setup {
            most_states: 1000,
            ..setup("state-less, persistent sets, discipline used", stateless(Por::Persistent))
        }),
        setup("astar pl2", Session { algorithm: astar, heuristic: heuristic("pl2"), ..plain }),
        setup("dfs, stubborn sets", stubborn(plain)),
        setup(
            "bfs, two jobs, stubborn sets",
            stubborn(Session { algorithm: Algorithm::BreadthFirst, jobs: 2, ..plain }),
        ),
        setup(
            "astar pl2, stubborn sets",
            stubborn(Session { algorithm: astar, heuristic: heuristic("pl2"), ..plain }),
        ),
        used(setup(
            "dfs, two jobs, stubborn sets, discipline used",
            stubborn(Session { jobs: 2, ..plain }),
        )),
        Setup {
            granularity: Granularity::Access,
            memo: false,
            most_states: 3000,
            ..setup("by access, nothing kept in mind", Session { store: StoreKind::Full, ..plain })
        },
    ]
}

fn reference() -> Setup {
    let most_states = if many() { MOST_STATES.0 } else { MOST_STATES.1 };
    Setup {
        name: "reference",
        granularity: Granularity::Access,
        memo: true,
        privacy: true,
        waits: true,
        discipline: Discipline::Ignored,
        composed: false,
        on_trial: false,
        session: Session {
            all: true,
            limits: Limits { states: Some(most_states), ..Limits::default() },
            ..Session::default()
        },
        most_states: u64::MAX,
    }
}

/// Whether this is a long run.
fn many() -> bool {
    number("STEAM_RANDOM", 0) >= MANY
}

/// Whether the list of programs that are too large is to be written.
fn blesses() -> bool {
    std::env::var_os("STEAM_BLESS").is_some()
}

/// One of the programs of a file, to be explored by a setup.
fn program(image: &Arc<Image>, seed: u64, setup: &Setup) -> Program {
    let &Setup { granularity, memo, waits, discipline, composed, .. } = setup;
    // Where a step ends depends on who can reach what: which steps commute, too.
    let relies =
        setup.session.stubborn || matches!(setup.session.algorithm, Algorithm::Stateless { .. });
    let privacy = setup.privacy && !relies;
    let hangs = match setup.session.algorithm {
        Algorithm::Stateless { .. } => Hangs::WhereStopped,
        _ if setup.session.jobs > 1 || setup.session.stubborn => Hangs::AfterSteps,
        _ => Hangs::AfterFirstSteps,
    };
    let (races, divergence) = (true, DIVERGENCE);
    let known = Options { granularity, memo, privacy, discipline, composed, ..Options::default() };
    let discipline_on_trial = setup.on_trial;
    let options = Options { races, divergence, hangs, waits, discipline_on_trial, ..known };
    let arguments = vec![b"random".to_vec(), seed.to_string().into_bytes()];
    let config = Config { arguments, ..Config::default() };
    Program::new(Arc::clone(image), config, options).expect("it boots")
}

/// Where all cells of the programs with loops that wait lie.
fn spun(image: &Image) -> (u32, usize) {
    let symbol = image.symbols.find("spun").next().expect("the cells have a symbol");
    (symbol.address, symbol.size as usize)
}

/// Explores a program; `None` if a limit was reached.
fn observe(program: &Program, seed: u64, setup: &Setup) -> Option<(Observed, u64)> {
    let properties: Vec<Box<dyn Property<Program>>> = vec![Box::new(Deadlock), Box::new(Races)];
    let checked =
        search::check(program, &properties, &setup.session).expect("the options go together");
    let outcome = checked.outcome;
    assert!(outcome.unknowns.is_empty(), "seed {seed}: {:?}", outcome.unknowns[0].what.report);
    if outcome.end != End::Exhausted {
        return None;
    }
    let places = |places: &[(steam_state::ThreadId, u32)]| {
        places.iter().map(|(thread, eip)| (thread.0, *eip)).collect()
    };
    // A thread that waits for a word which no other thread touches diverges where that is no step. Where a hang
    // is met depends on what a step is, too.
    let error = |what: &steam_program::Violation| match what.kind {
        Kind::Hang | Kind::Divergence => (Kind::Hang.name(), Vec::new()),
        kind => (kind.name(), places(&what.places)),
    };
    let errors = outcome.violations.iter().map(|finding| error(&finding.what)).collect();
    let errors = without_parts(errors);
    let exits = program.exits().into_iter().collect();
    Some((Observed { exits, errors }, outcome.statistics.states))
}

/// Leaves out the cycles of waits that are part of a deadlock of more threads: whether there is a
/// state in which others can still go on depends on what a step is.
fn without_parts(errors: BTreeSet<Error>) -> BTreeSet<Error> {
    let is_part = |(kind, places): &Error| {
        errors.iter().any(|(other, all)| {
            kind == other && all.len() > places.len() && places.iter().all(|it| all.contains(it))
        })
    };
    errors.iter().filter(|error| !is_part(error)).cloned().collect()
}

/// Leaves out races on the heap: the search by single accesses reports none between an access and a `free`.
fn without_heap_races(mut observed: Observed) -> Observed {
    const HEAP: (u32, u32) = (0, 1);
    observed.errors.retain(|(kind, places)| *kind != "race" || places.last() != Some(&HEAP));
    observed
}

fn compile(directory: &Path, family: Family, first: u64, optimisation: &str) -> PathBuf {
    let file = directory.join(format!("{}-{first}{optimisation}.c", family.name()));
    let program = file.with_extension("elf");
    std::fs::write(&file, source(family, first..first + TOGETHER)).expect("the source is written");
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../toolchain/include");
    let status = Command::new("gcc")
        .args(FLAGS)
        .arg("-I")
        .arg(headers)
        .arg(optimisation)
        .arg("-o")
        .args([&program, &file])
        .status()
        .expect("gcc runs");
    assert!(status.success(), "{}", file.display());
    program
}

fn number(variable: &str, default: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{variable}={text}")))
}

/// The families in the order in which their files take turns: those that are asked for.
fn turns() -> Vec<Family> {
    use Family::{Allocating, Counting, Handing, Processes, Signals, Spinning, Threads, Timed};
    let mut turns =
        vec![Threads, Spinning, Processes, Allocating, Handing, Counting, Threads, Signals, Timed];
    if let Ok(name) = std::env::var(ONE_FAMILY) {
        turns.retain(|family| family.name() == name);
        assert!(!turns.is_empty(), "{ONE_FAMILY}={name}");
    }
    turns
}

/// The families and first seeds of files, without an end.
fn files(turns: &[Family], first: u64) -> impl Iterator<Item = (Family, u64)> {
    let mut next = BTreeMap::new();
    turns.iter().cycle().map(move |&family| {
        let start = next.entry(family.name()).or_insert(first);
        *start += TOGETHER;
        (family, *start - TOGETHER)
    })
}

/// The families and seeds of programs that are known to be too large.
fn known_too_large() -> BTreeSet<(&'static str, u64)> {
    let line = |line: &'static str| {
        let (family, seeds) = line.split_once(':').expect("a family before its seeds");
        let seed = |seed: &str| (family, seed.parse().expect("a seed is a number"));
        seeds.split_whitespace().map(seed).collect::<Vec<_>>()
    };
    TOO_LARGE.lines().flat_map(line).collect()
}

/// Writes which programs are too large.
fn write_too_large(found: &BTreeSet<(&'static str, u64)>) {
    let mut families: BTreeMap<&str, String> = BTreeMap::new();
    for (family, seed) in found {
        families.entry(family).or_default().push_str(&format!(" {seed}"));
    }
    let lines = families.iter().map(|(family, seeds)| format!("{family}:{seeds}\n"));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("expected/too_large.txt");
    std::fs::write(file, lines.collect::<String>()).expect("the list is written");
}

/// What came of some programs.
#[derive(Default, Debug)]
struct Tally {
    agree: u64,
    /// The programs that were left out.
    too_large: BTreeSet<(&'static str, u64)>,
    deadlocks: u64,
    failures: u64,
    races: u64,
    hangs: u64,
    /// States by access, and those that learning left of them.
    states: u64,
    learned: u64,
    /// Those that stubborn sets left, of how many.
    stubborn: u64,
    unreduced: u64,
    /// Those that the locking discipline left, of how many.
    disciplined: u64,
    undisciplined: u64,
    /// Pairs of independent steps that were done in both orders.
    pairs: usize,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.agree += other.agree;
        self.too_large.extend(&other.too_large);
        self.deadlocks += other.deadlocks;
        self.failures += other.failures;
        self.races += other.races;
        self.hangs += other.hangs;
        self.states += other.states;
        self.learned += other.learned;
        self.stubborn += other.stubborn;
        self.unreduced += other.unreduced;
        self.disciplined += other.disciplined;
        self.undisciplined += other.undisciplined;
        self.pairs += other.pairs;
    }
}

/// Compares the programs of one file.
fn compare(directory: &Path, family: Family, seeds: Range<u64>) -> Tally {
    let optimisation = if seeds.start / TOGETHER % 4 == 3 { "-O0" } else { "-O1" };
    let file = compile(directory, family, seeds.start, optimisation);
    let image = Arc::new(Image::read_file(&file).expect("a static executable"));
    let (reference, setups, known) = (reference(), setups(), known_too_large());
    let mut tally = Tally::default();
    for seed in seeds {
        let known = !many() && !blesses() && known.contains(&(family.name(), seed));
        let observed = || observe(&program(&image, seed, &reference), seed, &reference);
        let Some((expected, states)) = (!known).then(observed).flatten() else {
            tally.too_large.insert((family.name(), seed));
            continue;
        };
        tally.agree += 1;
        tally.states += states;
        tally.deadlocks += u64::from(expected.errors.iter().any(|it| it.0 == "deadlock"));
        tally.failures += u64::from(expected.errors.iter().any(|it| it.0 == "assert"));
        tally.races += u64::from(expected.errors.iter().any(|it| it.0 == "race"));
        let hangs = expected.errors.iter().any(|it| it.0 == Kind::Hang.name());
        tally.hangs += u64::from(hangs);
        if family == Family::Spinning {
            let mut program = program(&image, seed, &reference);
            program.look_for_hangs(Hangs::Ignored);
            let (address, size) = spun(&image);
            let dead_end = has_dead_end(&program, address, size, usize::MAX);
            assert_eq!(
                Some(hangs),
                dead_end,
                "seed {seed} {optimisation}: the graph of all states"
            );
        }
        let freeing = family.frees_while_others_look(seed);
        let seen =
            |observed: Observed| if freeing { without_heap_races(observed) } else { observed };
        let expected = seen(expected);
        let mut plain_states = 0;
        // The first setup goes with every program; of the others a usual run takes each half of the time.
        let turn =
            |number: usize| many() || number == 0 || (number as u64 + seed).is_multiple_of(2);
        let setups = setups.iter().enumerate().filter(|(number, _)| turn(*number));
        for (_, setup) in setups.filter(|(_, setup)| states <= setup.most_states) {
            let program = program(&image, seed, setup);
            let privacy = program.options().privacy;
            let (found, fewer) =
                observe(&program, seed, setup).expect("no more than the reference");
            let place = format!("{}, seed {seed} {optimisation}, {}", family.name(), setup.name);
            assert_eq!(seen(found), expected, "{place}");
            match setup.name {
                "dfs" => {
                    tally.learned += fewer;
                    plain_states = fewer;
                }
                "dfs, stubborn sets" => {
                    tally.stubborn += fewer;
                    tally.unreduced += plain_states;
                }
                "dfs, discipline used" => {
                    tally.disciplined += fewer;
                    tally.undisciplined += plain_states;
                }
                _ => {}
            }
            if setup.name.starts_with("dfs") && !privacy && setup.memo && setup.session.jobs == 1 {
                tally.pairs += search::audit_independence(&program, AUDIT_STEPS, seed)
                    .unwrap_or_else(|why| panic!("{place}: {why}"));
            }
        }
    }
    std::fs::remove_file(&file).expect("the program is there");
    tally
}

#[test]
fn all_setups_agree() {
    let (count, first) = (number("STEAM_RANDOM", 300), number("STEAM_RANDOM_FIRST", 0));
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("random");
    std::fs::create_dir_all(&directory).expect("a directory for sources");
    let turns = turns();
    let files = Mutex::new(files(&turns, first));
    let total = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    if total.lock().expect("nobody failed").agree >= count {
                        return;
                    }
                    let next = files.lock().expect("nobody failed").next();
                    let (family, start) = next.expect("seeds do not end");
                    let tally = compare(&directory, family, start..start + TOGETHER);
                    total.lock().expect("nobody failed").add(&tally);
                }
            });
        }
    });
    let mut tally = total.into_inner().expect("nobody failed");
    let too_large = std::mem::take(&mut tally.too_large);
    println!("{tally:?}; too large: {}", too_large.len());
    if blesses() {
        write_too_large(&too_large);
    }
    assert!(too_large.len() as u64 <= 2 * tally.agree, "two of three are too large");
    assert!(tally.pairs > 0, "nothing was independent");
    if std::env::var_os(ONE_FAMILY).is_none() {
        assert!(tally.disciplined < tally.undisciplined, "no lock protects anything");
        assert!(tally.deadlocks > 0 && tally.failures > 0, "there are no errors to find");
    }
}
