//! Programs that a search once judged wrongly: what it must find in each, by shared accesses as
//! well as by single ones, in one worker and in two, with a store and without one. Takes names as filters.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use steam_image::Image;
use steam_program::{Config, Deadlock, Granularity, Hangs, Options, Program};
use steam_search::{End, Limits};
use steam_session::{Algorithm, Options as Session, Por};
use steam_tests::compile::{Variant, compile, compilers};
use steam_tests::corpus::{self, Guest};
use steam_tests::report::{Verdict, judge_all};
use steam_tests::search;
use steam_visibility::Discipline;

/// What shows the most of how compilers use registers.
const LEVEL: &str = "-O2";
/// By single accesses, what the library does when a thread calls `pthread_exit` is too much.
const MOST_STATES: u64 = 20_000;
/// Without a store, programs that go round do not come to an end.
const MOST_STEPS: u32 = 500;
/// In place of the kind of an error: something is not modelled.
const UNKNOWN: &str = "unknown";
/// Enough for what these programs do between two visible operations.
const DIVERGENCE: u64 = 20_000_000;

fn main() -> ExitCode {
    let gcc = compilers().into_iter().find(|compiler| compiler.name == "gcc");
    let gcc = gcc.expect("gcc links static 32-bit programs: install gcc-multilib");
    let filters = corpus::filters();
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../toolchain/include");
    let guests = corpus::read(&corpus::folder("soundness"), &filters).expect("they can be read");
    assert!(!guests.is_empty(), "no program has such a name: {filters:?}");
    let without_store = AtomicUsize::new(0);
    let judge = |guest: &Guest| {
        assert!(guest.directive.expect.is_some(), "{} says what is expected", guest.name);
        let flags = vec![LEVEL.to_owned(), format!("-I{}", headers.display())];
        let variant = Variant { compiler: gcc.clone(), flags };
        let executable = compile(guest, &variant).expect("it compiles");
        let image = Arc::new(Image::read_file(&executable).expect("it is a program"));
        let mut verdict = Verdict::default();
        for setup in SETUPS {
            let expected = match setup.granularity {
                Granularity::Access => guest.directive.kinds_by_accesses(),
                _ => guest.directive.kinds_in_search(),
            };
            let found = kinds(&image, setup, guest.directive.spurious, &expected);
            let Some((found, states)) = found else {
                assert!(setup.may_be_too_large, "{} is too large: {setup:?}", guest.name);
                continue;
            };
            verdict.compared += 1;
            let stateless = matches!(setup.algorithm, Algorithm::Stateless { .. });
            without_store.fetch_add(usize::from(stateless), Ordering::Relaxed);
            let plain = setup == PLAIN;
            if let Some(most) = guest.directive.states.filter(|most| plain && states > *most) {
                verdict.failures.push(format!("{setup:?}: {states} states instead of {most}"));
            }
            if found != expected {
                verdict.failures.push(format!("{setup:?}: {found:?}"));
            }
        }
        verdict
    };
    let right = judge_all(&guests, |guest| &guest.name, judge);
    let without_store = without_store.into_inner();
    let many = without_store > guests.len() || !filters.is_empty();
    assert!(many, "most searches without a store come to an end");
    if right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// How a program is explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Setup {
    granularity: Granularity,
    algorithm: Algorithm,
    jobs: usize,
    stubborn: bool,
    discipline: Discipline,
    may_be_too_large: bool,
}

const PLAIN: Setup = Setup {
    granularity: Granularity::Shared,
    algorithm: Algorithm::DepthFirst,
    jobs: 1,
    stubborn: false,
    discipline: Discipline::Ignored,
    may_be_too_large: false,
};

const USED: Setup = Setup { discipline: Discipline::Used, ..PLAIN };

const SETUPS: [Setup; 10] = [
    PLAIN,
    USED,
    Setup { jobs: 2, ..USED },
    Setup { discipline: Discipline::Used, ..without_store(Por::Source) },
    Setup { jobs: 2, ..PLAIN },
    Setup { stubborn: true, ..PLAIN },
    Setup { stubborn: true, jobs: 2, algorithm: Algorithm::BreadthFirst, ..PLAIN },
    Setup { granularity: Granularity::Access, may_be_too_large: true, ..PLAIN },
    without_store(Por::Source),
    without_store(Por::Persistent),
];

const fn without_store(por: Por) -> Setup {
    let algorithm = Algorithm::Stateless { por, livelock: None };
    Setup { algorithm, may_be_too_large: true, ..PLAIN }
}

/// The kinds of all errors that a search finds, and in how many states; `None` if there is more than it has
/// time to see.
fn kinds(
    image: &Arc<Image>,
    setup: Setup,
    spurious: bool,
    expected: &BTreeSet<String>,
) -> Option<(BTreeSet<String>, u64)> {
    let Setup { granularity, algorithm, jobs, stubborn, discipline, .. } = setup;
    let hangs = match algorithm {
        Algorithm::Stateless { .. } => Hangs::WhereStopped,
        _ if jobs > 1 || stubborn => Hangs::AfterSteps,
        _ => Hangs::AfterFirstSteps,
    };
    let mut options =
        Options { granularity, discipline, divergence: DIVERGENCE, hangs, ..Options::default() };
    options.privacy &= !stubborn;
    options.faults.spurious_wakeups = spurious;
    let config = Config { arguments: vec![b"guest".to_vec()], ..Config::default() };
    let program = Program::new(Arc::clone(image), config, options).expect("it boots");
    let depth = matches!(algorithm, Algorithm::Stateless { .. }).then_some(MOST_STEPS);
    let limits = Limits { states: Some(MOST_STATES), depth, ..Limits::default() };
    let session = Session { all: true, algorithm, stubborn, jobs, limits, ..Session::default() };
    let checked = search::check(&program, &Deadlock, &session);
    let outcome = checked.expect("the options go together").outcome;
    let unknown = outcome.unknowns.first().map(|it| &it.what.report);
    assert!(unknown.is_none() || expected.contains(UNKNOWN), "{unknown:?}");
    let kinds = outcome.violations.iter().map(|finding| finding.what.kind.name().to_owned());
    let kinds = kinds.chain(unknown.map(|_| UNKNOWN.to_owned()));
    let complete = outcome.end == End::Exhausted || unknown.is_some();
    complete.then(|| (kinds.collect(), outcome.statistics.states))
}
