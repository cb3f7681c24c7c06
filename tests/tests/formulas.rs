//! Random formulas on random programs that may loop forever: verdicts against those of a naive product
//! of all states by single accesses and a textbook search, with each fairness; and each run that is shown
//! against the meaning of the formula.
//!
//! Who can go on (`enabled`, `blocked`) is asked of operations that are visible, and those of single accesses
//! are others: formulas that say so are compared on the states of larger steps. `STEAM_RANDOM=2000` says how
//! many programs, `STEAM_RANDOM_FIRST=1234` from which seed on.

#[path = "../../crates/steam-expr/tests/chance/mod.rs"]
mod chance;
#[allow(dead_code)] // Atoms have other names here.
#[path = "../../crates/steam-ltl/tests/all/random/formula.rs"]
mod random_formula;
#[path = "../../crates/steam-search/tests/exploration/formulas/twin.rs"]
mod twin;
#[path = "../../crates/steam-search/tests/exploration/formulas/witness.rs"]
mod witness;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use steam_check::{Shown, Wanted, check_read, check_runs};
use steam_image::Image;
use steam_ltl::actors::Moment;
use steam_ltl::{Atoms, Binary, Syntax, Unary, Valuation};
use steam_model::{Changes, Propositions as _};
use steam_program::{Action, Config, Granularity, Options, Program, Violation, Worker};
use steam_props::{ClaimMonitor, ProgramPropositions};
use steam_report::Kind;
use steam_search::cycles::{Fairness, Violations};
use steam_search::walk::{Executions, Obligations, stateless_formulas};
use steam_search::{Config as Search, Control, End, Limits, Monitored};
use steam_session::{Algorithm, CheckedOf, Options as Session, PilotRuns, Por};
use steam_state::Table;
use steam_tests::random_programs::{FLAGS, Family, source};
use steam_tests::search::wanted;

use chance::Random;
use twin::{Graph, Product};
use witness::assert_violation;

/// So many programs are compiled together.
const TOGETHER: u64 = 50;
/// Programs that have more states by access are left out.
const MOST_STATES: usize = 1_200;
/// Steps after which a search without a store is given up.
const MOST_STEPS: u64 = 2_000;
/// So many formulas are asked of a program.
const FORMULAS: u64 = 2;

const FAIRNESS: [Fairness; 3] = [Fairness::None, Fairness::Weak, Fairness::Strong];

const VARIABLES: [&str; 8] =
    ["a == 1", "b == 1", "c != 0", "a == b", "b > c", "a != 2", "flag", "a + b == c"];
const THREADS: [&str; 6] = [
    "alive(2)",
    "ended()",
    "holds(2, &locks[0])",
    "holds(1, &locks[1])",
    "enabled(2)",
    "blocked(2)",
];

/// A formula without `X`: any, or one of those that are written most.
fn formula(random: &mut Random) -> Syntax {
    let depth = 1 + random.below(3);
    let [one, other] = [0; 2].map(|_| random_formula::formula(random, depth / 2));
    let unary = |operator, inner| Syntax::unary(operator, inner);
    let (always, some_time) = (Unary::Globally, Unary::Finally);
    without_next(match random.below(8) {
        0 => unary(always, unary(some_time, one)),
        1 => unary(some_time, unary(always, one)),
        2 | 3 => unary(always, Syntax::binary(Binary::Implies, one, unary(some_time, other))),
        4 => unary(always, Syntax::binary(Binary::WeakUntil, one, other)),
        5 => Syntax::binary(Binary::Until, one, other),
        _ => random_formula::formula(random, depth),
    })
}

fn without_next(syntax: Syntax) -> Syntax {
    match syntax {
        Syntax::Unary(Unary::Next, inner) => without_next(*inner),
        Syntax::Unary(operator, inner) => Syntax::unary(operator, without_next(*inner)),
        Syntax::Binary(operator, left, right) => {
            Syntax::binary(operator, without_next(*left), without_next(*right))
        }
        plain => plain,
    }
}

/// What the formulas of a program speak of.
fn atoms(random: &mut Random) -> (Atoms, Vec<String>) {
    let mut atoms = Atoms::default();
    while atoms.len() < random_formula::ATOMS {
        let threads = atoms.len() == 2 && random.below(2) == 0;
        let choices: &[&str] = if threads { &THREADS } else { &VARIABLES };
        atoms.number(choices[random.below(choices.len())]).expect("few atoms");
    }
    let texts = atoms.iter().map(|(_, text)| text.to_owned()).collect();
    (atoms, texts)
}

/// A program, and what is looked at in its states.
struct Looked {
    program: Program,
    propositions: Arc<ProgramPropositions>,
}

impl Looked {
    fn new(image: &Arc<Image>, seed: u64, granularity: Granularity, atoms: &[String]) -> Self {
        let options = Options { granularity, ..Options::default() };
        let arguments = vec![b"random".to_vec(), seed.to_string().into_bytes()];
        let config = Config { arguments, ..Config::default() };
        let mut program = Program::new(Arc::clone(image), config, options).expect("it boots");
        let propositions = ProgramPropositions::new(&program, atoms).expect("the atoms are known");
        let propositions = Arc::new(propositions);
        let threads = propositions.concern_threads();
        program.observe(Arc::<ProgramPropositions>::clone(&propositions), threads);
        Self { program, propositions }
    }

    /// What holds in a state, nothing of which was kept in mind.
    fn holds(&self, worker: &mut Worker, state: &Table) -> Valuation {
        self.propositions.forget_failures();
        Valuation(self.propositions.valuation(&self.program, worker, state))
    }

    /// All states, when nothing is left to be learned; nothing if there are too many.
    fn graph(&self) -> Option<Graph> {
        loop {
            self.program.begin_iteration();
            let graph =
                Graph::of(&self.program, MOST_STATES, |worker, state| self.holds(worker, state));
            if graph.is_none() || !self.program.learned() {
                return graph;
            }
        }
    }

    fn broken(&self) -> Violation {
        self.program.broken(Kind::Formula, 0, String::new())
    }

    /// What a check finds, done as the command line does it.
    fn check(
        &self,
        property: &steam_ltl::Property,
        fairness: Fairness,
        session: &Session,
    ) -> CheckedOf<Program> {
        let (wanted, control) = (wanted(&self.program), &mut Control::default());
        let found = if property.is_safety {
            let reads = Reads { looked: self, monitor: ClaimMonitor::new([&property.violations]) };
            check_read(&Monitored::new(&wanted, &reads), &(), session, control)
        } else {
            let session = Session { algorithm: Algorithm::Cycles { fairness }, ..*session };
            let tell = |_: &Wanted<'_>, _: &[(Table, Option<Action>)]| self.broken();
            let propositions = Shown(&self.propositions);
            let reader = Violations::new(&property.violations, &propositions, tell);
            check_runs(&wanted, &(), &reader, &session, control)
        };
        found.expect("the options go together")
    }

    /// What a search without a store finds: nothing if it does not come to an end.
    fn check_without_store(&self, property: &steam_ltl::Property) -> Option<bool> {
        let limits = Limits { states: Some(MOST_STEPS), ..Limits::default() };
        if property.is_safety {
            let por = if self.propositions.concern_threads() { Por::None } else { Por::Source };
            let algorithm = Algorithm::Stateless { por, livelock: None };
            let session = Session { algorithm, limits, ..session() };
            return verdict(&self.check(property, Fairness::None, &session));
        }
        let told = |_: &Program, _: usize, _: Moment| self.broken();
        let looking = Looking(self);
        let mut obligations =
            Obligations::new(std::slice::from_ref(&property.syntax), &looking, told);
        let config = Search { all: true, limits, ..Search::default() };
        let executions = Executions { por: Por::None, ..Executions::default() };
        let outcome = stateless_formulas(
            (&self.program, &()),
            &mut obligations,
            executions,
            &config,
            &mut Control::default(),
        );
        decided(&outcome.violations.iter().map(|it| it.what.kind).collect::<Vec<_>>(), outcome.end)
    }
}

/// What a check comes to; nothing if a thread went round by itself, or a limit came first.
fn verdict(checked: &CheckedOf<Program>) -> Option<bool> {
    let kinds: Vec<Kind> = checked.outcome.violations.iter().map(|it| it.what.kind).collect();
    decided(&kinds, checked.outcome.end)
}

fn decided(kinds: &[Kind], end: End) -> Option<bool> {
    if kinds.iter().any(|kind| *kind != Kind::Formula) {
        return None;
    }
    (end == End::Exhausted || !kinds.is_empty()).then_some(!kinds.is_empty())
}

fn session() -> Session {
    let pilot_runs = PilotRuns { runs: 0, ..Session::default().pilot_runs };
    Session { all: true, pilot_runs, ..Session::default() }
}

/// Who reads along for a formula that finitely many states break.
struct Reads<'a> {
    looked: &'a Looked,
    monitor: ClaimMonitor<'a>,
}

impl steam_model::Monitor<Wanted<'_>> for Reads<'_> {
    fn initial(&self) -> u32 {
        self.monitor.initial()
    }

    fn next(&self, wanted: &Wanted<'_>, worker: &mut Worker, from: u32, state: &Table) -> u32 {
        self.monitor.next(from, self.looked.propositions.valuation(wanted.program, worker, state))
    }

    fn errors(&self, _: &Wanted<'_>, at: u32, tell: &mut dyn FnMut(Violation)) {
        if self.monitor.broken(at) != 0 {
            tell(self.looked.broken());
        }
    }
}

/// What holds, without a word about which steps change it.
struct Looking<'a>(&'a Looked);

impl steam_model::Propositions<Program> for Looking<'_> {
    fn count(&self) -> u32 {
        self.0.propositions.count()
    }

    fn valuation(&self, program: &Program, worker: &mut Worker, state: &Table) -> u64 {
        self.0.propositions.valuation(program, worker, state)
    }
}

impl Changes<Program> for Looking<'_> {}

/// What was compared.
#[derive(Default, Debug)]
struct Tally {
    programs: u64,
    too_large: u64,
    /// A thread may go round by itself, which is an error of its own and the end of what can be said.
    diverging: u64,
    states: u64,
    /// For each fairness the formulas that hold and those that do not.
    verdicts: [[u64; 2]; 3],
    /// The formulas that say something about threads.
    about_threads: u64,
    without_store: u64,
    /// Formulas on which two kinds of fairness differ: none and weak, weak and strong.
    differ: [u64; 2],
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.programs += other.programs;
        self.too_large += other.too_large;
        self.diverging += other.diverging;
        self.states += other.states;
        let mine = self.verdicts.iter_mut().flatten();
        mine.zip(other.verdicts.iter().flatten()).for_each(|(one, more)| *one += more);
        self.about_threads += other.about_threads;
        self.without_store += other.without_store;
        self.differ.iter_mut().zip(other.differ).for_each(|(one, more)| *one += more);
    }
}

/// Compares the formulas of one program.
fn compare(image: &Arc<Image>, seed: u64, tally: &mut Tally) {
    let mut random = Random(0x5eed_0700 + 7919 * seed);
    let (names, texts) = atoms(&mut random);
    let by_access = Looked::new(image, seed, Granularity::Access, &texts);
    by_access.program.observe_threads();
    let Some(all) = by_access.graph() else {
        tally.too_large += 1;
        return;
    };
    tally.programs += 1;
    tally.states += all.holds.len() as u64;
    for _ in 0..FORMULAS {
        let syntax = formula(&mut random);
        let place = format!("seed {seed}: {}", syntax.display(&names));
        let property = steam_ltl::Property::new(syntax, &names).expect("a small formula");
        let about_threads = texts.iter().any(|it| it.contains("abled(") || it.contains("blocked("));
        let larger = Looked::new(image, seed, Granularity::Shared, &texts);
        let mut verdicts = Vec::new();
        for (fairness, counts) in FAIRNESS.into_iter().zip(&mut tally.verdicts) {
            if fairness != Fairness::None {
                larger.program.observe_threads();
            }
            let checked = larger.check(&property, fairness, &session());
            let Some(found) = verdict(&checked) else {
                tally.diverging += 1;
                break;
            };
            // Its steps are those of this search: another one may learn more of the program.
            if let Some(run) = checked.outcome.violations.first()
                && let (Some(trail), Some(begins)) = (&run.trail, run.cycle)
            {
                let holds = |worker: &mut Worker, state: &Table| larger.holds(worker, state);
                let run = (&trail[..], begins as usize);
                assert_violation(&larger.program, holds, &property.syntax, fairness, run);
            }
            let own = if about_threads { larger.graph() } else { None };
            let expected = own.as_ref().unwrap_or(&all);
            let expected = Product::of(expected, &property.syntax, &names).is_violated(fairness);
            assert_eq!(found, expected, "{place}, {fairness:?}");
            counts[usize::from(expected)] += 1;
            verdicts.push(expected);
            if fairness == Fairness::None
                && let Some(found) = larger.check_without_store(&property)
            {
                assert_eq!(found, expected, "{place}, without a store");
                tally.without_store += 1;
            }
        }
        tally.about_threads += u64::from(about_threads);
        for (differ, pair) in tally.differ.iter_mut().zip(verdicts.windows(2)) {
            *differ += u64::from(pair[0] != pair[1]);
        }
    }
}

fn compile(directory: &Path, first: u64) -> PathBuf {
    let file = directory.join(format!("looping-{first}.c"));
    let program = file.with_extension("elf");
    let text = source(Family::Looping, first..first + TOGETHER);
    std::fs::write(&file, text).expect("the source is written");
    let optimisation = if (first / TOGETHER).is_multiple_of(2) { "-O1" } else { "-O0" };
    let mut gcc = Command::new("gcc");
    let status = gcc.args(FLAGS).args([optimisation, "-o"]).args([&program, &file]).status();
    assert!(status.expect("gcc runs").success(), "{}", file.display());
    program
}

fn number(variable: &str, default: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{variable}={text}")))
}

#[test]
fn verdicts_are_those_of_a_textbook_product() {
    let (count, first) = (number("STEAM_RANDOM", 200), number("STEAM_RANDOM_FIRST", 0));
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("formulas");
    std::fs::create_dir_all(&directory).expect("a directory for sources");
    let files = Mutex::new((0..).map(|file| first + file * TOGETHER));
    let total = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while total.lock().expect("nobody failed").programs < count {
                    let start = files.lock().expect("nobody failed").next().expect("no end");
                    let file = compile(&directory, start);
                    let image = Arc::new(Image::read_file(&file).expect("a static executable"));
                    std::fs::remove_file(&file).expect("the program is there");
                    for seed in start..start + TOGETHER {
                        let mut tally = Tally::default();
                        compare(&image, seed, &mut tally);
                        total.lock().expect("nobody failed").add(&tally);
                    }
                }
            });
        }
    });
    let tally = total.into_inner().expect("nobody failed");
    println!("{tally:?}");
    let left_out = tally.too_large + tally.diverging;
    assert!(left_out < 2 * tally.programs, "two of three programs are not compared");
    let each = tally.verdicts.iter().flatten().min().expect("there are some");
    assert!(*each > tally.programs / 20, "hardly any formula is of one kind");
    assert!(tally.differ.iter().all(|it| *it > 0) && tally.about_threads > 0);
    assert!(tally.without_store > tally.programs / 20, "no search without a store came to an end");
}
