//! What somebody sees who looks at every state: steps of shared accesses against steps of single ones.
//!
//! Along the runs of a program the values of atoms change in some order. Where each access to memory is a
//! step nothing of that is hidden; where steps are larger, each write to a word that is looked at still
//! has to be one. So all ways to explore a random program show the same changes, from which values to
//! which. `STEAM_TOLD=500` says how many programs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use steam_check::{Wanted, check_read};
use steam_image::Image;
use steam_model::{Monitor, Propositions as _};
use steam_program::{Config, Granularity, Options, Program, Violation, Worker};
use steam_props::ProgramPropositions;
use steam_search::{Control, End, Limits, Monitored};
use steam_session::{Algorithm, Options as Session, PilotRuns, Por};
use steam_state::Table;
use steam_tests::random_programs::{FLAGS, Family, source};
use steam_tests::search::wanted;

/// So many programs are compiled together.
const TOGETHER: u64 = 50;
/// Programs whose states by access are more are left out.
const MOST_STATES: u64 = 5_000;
const CELLS: [&str; 8] = [
    "plain[0]",
    "plain[1]",
    "careful[0]",
    "careful[1]",
    "bytes[0]",
    "bytes[1]",
    "wide",
    "(heap ? *heap : 0)",
];

/// What is looked at: the last bits of all cells.
fn atoms() -> Vec<String> {
    let bits = |cell: &&str| [1, 2, 4].map(|bit| format!("({cell} & {bit}) != 0"));
    CELLS.iter().flat_map(bits).collect()
}

/// Changes of what holds, from one valuation to the next.
type Changes = BTreeSet<(u64, u64)>;

/// Who reads along and notes the changes.
struct Notes<'a> {
    propositions: &'a ProgramPropositions,
    changes: Mutex<Changes>,
}

impl Monitor<Wanted<'_>> for Notes<'_> {
    fn initial(&self) -> u32 {
        0
    }

    fn next(&self, wanted: &Wanted<'_>, worker: &mut Worker, from: u32, state: &Table) -> u32 {
        let bits = self.propositions.valuation(wanted.program, worker, state);
        let now = bits as u32 + 1;
        if from != now {
            self.changes.lock().expect("nobody failed").insert((from.into(), now.into()));
        }
        now
    }

    fn errors(&self, _: &Wanted<'_>, _: u32, _: &mut dyn FnMut(Violation)) {}
}

/// The changes that a way to explore shows; none if there are too many states.
fn changes(
    image: &Arc<Image>,
    seed: u64,
    granularity: Granularity,
    session: &Session,
) -> Option<Changes> {
    let options = Options { granularity, ..Options::default() };
    let arguments = vec![b"random".to_vec(), seed.to_string().into_bytes()];
    let config = Config { arguments, ..Config::default() };
    let mut program = Program::new(Arc::clone(image), config, options).expect("it boots");
    let propositions = ProgramPropositions::new(&program, &atoms()).expect("the atoms are known");
    let propositions = Arc::new(propositions);
    program.observe(Arc::<ProgramPropositions>::clone(&propositions), false);
    let mut last = None;
    // The first time it is learned what is shared and what is read; the second time it counts.
    for _ in 0..2 {
        let notes = Notes { propositions: &propositions, changes: Mutex::default() };
        let wanted = wanted(&program);
        let monitored = Monitored::new(&wanted, &notes);
        let checked = check_read(&monitored, &(), session, &mut Control::default())
            .expect("the options go together");
        if checked.outcome.end != End::Exhausted {
            return None;
        }
        assert!(last.is_none() || checked.iterations == 1, "seed {seed}: it learned again");
        last = Some(notes.changes.into_inner().expect("nobody failed"));
    }
    last
}

fn compile(directory: &Path, first: u64) -> PathBuf {
    let file = directory.join(format!("told-{first}.c"));
    let program = file.with_extension("elf");
    let text = source(Family::Threads, first..first + TOGETHER);
    std::fs::write(&file, text).expect("the source is written");
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../toolchain/include");
    let optimisation = if (first / TOGETHER).is_multiple_of(2) { "-O1" } else { "-O0" };
    let mut gcc = Command::new("gcc");
    gcc.args(FLAGS).arg("-g").arg("-I").arg(headers).arg(optimisation).arg("-o");
    let status = gcc.args([&program, &file]).status().expect("gcc runs");
    assert!(status.success(), "{}", file.display());
    program
}

#[test]
fn larger_steps_hide_no_change_of_what_is_looked_at() {
    let count = std::env::var("STEAM_TOLD").ok().and_then(|it| it.parse().ok()).unwrap_or(30);
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("told");
    std::fs::create_dir_all(&directory).expect("a directory for sources");
    let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
    let pilot_runs = PilotRuns { runs: 0, ..Session::default().pilot_runs };
    let all = Session { all: true, limits, pilot_runs, ..Session::default() };
    let stateless = Algorithm::Stateless { por: Por::Source, livelock: None };
    let without_store = Session { algorithm: stateless, ..all };
    // Programs compared, changes seen, and the first seed of the next file.
    let total = Mutex::new((0, 0, 0));
    let compare = || {
        loop {
            let first = {
                let mut total = total.lock().expect("nobody failed");
                if total.0 >= count {
                    return;
                }
                total.2 += TOGETHER;
                total.2 - TOGETHER
            };
            let file = compile(&directory, first);
            let image = Arc::new(Image::read_file(&file).expect("a static executable"));
            for seed in first..first + TOGETHER {
                if total.lock().expect("nobody failed").0 >= count {
                    break;
                }
                let expected = changes(&image, seed, Granularity::Access, &all);
                let Some(expected) = expected else { continue };
                let found = changes(&image, seed, Granularity::Shared, &all);
                assert_eq!(found.as_ref(), Some(&expected), "seed {seed}");
                if let Some(found) = changes(&image, seed, Granularity::Shared, &without_store) {
                    assert_eq!(found, expected, "seed {seed}, without a store");
                }
                let mut total = total.lock().expect("nobody failed");
                (total.0, total.1) = (total.0 + 1, total.1 + expected.len());
            }
            std::fs::remove_file(&file).expect("the program is there");
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(compare);
        }
    });
    let (compared, seen, _) = total.into_inner().expect("nobody failed");
    println!("{compared} programs, {seen} changes");
    assert!(seen > 2 * compared, "hardly anything changed");
}

/// With somebody who looks, the first thing that is learned of the ring is that one thread writes the token,
/// so that this one's looks at it are no steps. It waits by them in each of hundreds of states before a
/// search in depth comes to the next thread that writes; pilots come there at once.
#[test]
fn who_waits_for_what_it_seems_to_write_alone_costs_few_states() {
    let ring = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/bench/ltl/ring.c");
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("told-ring.elf");
    let mut gcc = Command::new("gcc");
    gcc.args(FLAGS).args(["-g", "-O1", "-o"]).args([&file, &ring]);
    assert!(gcc.status().expect("gcc runs").success(), "{}", ring.display());
    let image = Arc::new(Image::read_file(&file).expect("a static executable"));
    let options = Options { granularity: Granularity::Shared, ..Options::default() };
    let config = Config { arguments: vec![b"ring".to_vec()], ..Config::default() };
    let mut program = Program::new(image, config, options).expect("it boots");
    let atoms = ["token & 1", "token & 2"].map(|bit| format!("({bit}) != 0"));
    let propositions =
        Arc::new(ProgramPropositions::new(&program, &atoms).expect("they are known"));
    program.observe(Arc::<ProgramPropositions>::clone(&propositions), false);
    let notes = Notes { propositions: &propositions, changes: Mutex::default() };
    let wanted = wanted(&program);
    let monitored = Monitored::new(&wanted, &notes);
    let checked = check_read(&monitored, &(), &Session::default(), &mut Control::default())
        .expect("the options go together");
    let last = checked.outcome.statistics.states;
    assert_eq!((checked.outcome.end, last), (End::Exhausted, 10_369));
    let before = checked.totals.states - last;
    assert!(before < 100, "{before} states in iterations that did not count");
    // Out of the start, then iteration: the bits change as the token goes on.
    let changes = notes.changes.into_inner().expect("nobody failed");
    assert_eq!(changes, BTreeSet::from([(0, 1), (1, 2), (2, 3), (3, 4), (4, 1)]));
}
