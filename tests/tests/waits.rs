//! Threads that can only wait: to leave one is no preemption and no delay, and schedulers of single runs let others go
//! first. The twin is the same without [`Options::waits`].

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use steam_image::Image;
use steam_model::Property;
use steam_program::{Config, Deadlock, Granularity, Hangs, Options, Program};
use steam_report::Kind;
use steam_search::{Bound, End, Limits, OutcomeOf};
use steam_session::{Algorithm, Options as Session, PilotRuns};
use steam_tests::random_programs::{FLAGS, Family, source};
use steam_tests::search;

/// The kind, the threads and their instructions.
type Error = (&'static str, Vec<(u32, u32)>);

/// After so many instructions without a step a thread is in a loop without an end.
const DIVERGENCE: u64 = 20_000;

/// Compiles a program.
fn compiled(name: &str, source: &Path) -> Arc<Image> {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("waits");
    std::fs::create_dir_all(&directory).expect("a directory for programs");
    let program = directory.join(name).with_extension("elf");
    let mut gcc = Command::new("gcc");
    gcc.args(FLAGS).arg("-O1").arg("-o").args([&program, source]);
    assert!(gcc.status().expect("gcc runs").success(), "{name}");
    Arc::new(Image::read_file(&program).expect("a static executable"))
}

/// One of the programs of this test.
fn guest(name: &str) -> Arc<Image> {
    let source = format!("{}/waits/{name}.c", env!("CARGO_MANIFEST_DIR"));
    compiled(name, Path::new(&source))
}

fn program(image: &Arc<Image>, argument: u64, options: Options) -> Program {
    let arguments = vec![b"guest".to_vec(), argument.to_string().into_bytes()];
    let config = Config { arguments, ..Config::default() };
    Program::new(Arc::clone(image), config, options).expect("it boots")
}

fn searched(program: &Program, session: &Session) -> OutcomeOf<Program> {
    let properties: Vec<Box<dyn Property<Program>>> = vec![Box::new(Deadlock)];
    search::check(program, &properties, session).expect("the options go together").outcome
}

/// The kinds and places of the errors that a search finds; `None` if there is more than it has time to see.
fn errors(program: &Program, session: &Session) -> Option<BTreeSet<Error>> {
    let outcome = searched(program, session);
    let whole = matches!(outcome.end, End::Exhausted)
        || outcome.end == End::Limit(steam_search::LimitKind::Switches);
    let error = |what: &steam_program::Violation| {
        let places = what.places.iter().map(|(thread, eip)| (thread.0, *eip)).collect();
        // Where a hang is met depends on the schedule.
        (what.kind.name(), if what.kind == Kind::Hang { Vec::new() } else { places })
    };
    whole.then(|| outcome.violations.iter().map(|finding| error(&finding.what)).collect())
}

#[test]
fn a_barrier_needs_no_preemption() {
    for name in ["barrier", "bare_barrier"] {
        let image = guest(name);
        let found = |waits, bound| {
            let options = Options { waits, hangs: Hangs::AfterSteps, ..Options::default() };
            let session = Session { bound: Some(bound), ..Session::default() };
            let outcome = searched(&program(&image, 0, options), &session);
            outcome.violations.iter().any(|finding| finding.what.kind == Kind::Assert)
        };
        assert!(found(true, Bound::Preemptions(0)), "{name}");
        assert!(found(true, Bound::Delays(0)), "{name}");
        assert!(!found(false, Bound::Preemptions(2)), "{name}");
        assert!(!found(false, Bound::Delays(2)), "{name}");
    }
}

/// No error needs more switches than by plain counting, more switches find no less, and what is found is there.
#[test]
fn bounds_are_monotone() {
    let mut tally = [0; 4];
    for first in [0, 50] {
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("waits");
        std::fs::create_dir_all(&directory).expect("a directory for sources");
        let file = directory.join(format!("spinning-{first}.c"));
        std::fs::write(&file, source(Family::Spinning, first..first + 50)).expect("it is written");
        let image = compiled(&format!("spinning-{first}"), &file);
        for seed in first..first + 50 {
            let found = |waits, granularity, bound| {
                let limits = Limits { states: Some(3_000), ..Limits::default() };
                let hangs = Hangs::AfterSteps;
                let divergence = DIVERGENCE;
                let options =
                    Options { waits, granularity, hangs, divergence, ..Options::default() };
                let session = Session { all: true, limits, bound, ..Session::default() };
                errors(&program(&image, seed, options), &session)
            };
            // By single accesses nothing is learned, so that all searches make the same steps.
            let Some(all) = found(true, Granularity::Access, None) else { continue };
            for bound in [Bound::Preemptions, Bound::Delays] {
                let mut fewer = BTreeSet::new();
                for most in 0..3 {
                    let some = |waits, granularity| found(waits, granularity, Some(bound(most)));
                    let place = format!("seed {seed}, {:?}", bound(most));
                    let Some(plain) = some(false, Granularity::Access) else { continue };
                    let Some(free) = some(true, Granularity::Access) else { continue };
                    assert!(free.is_superset(&plain), "{place}: {free:?} {plain:?}");
                    assert!(free.is_superset(&fewer), "{place}: {free:?} {fewer:?}");
                    assert!(free.is_subset(&all), "{place}: {free:?} {all:?}");
                    if let Some(learned) = some(true, Granularity::Shared) {
                        let has = |kind: &str| all.iter().any(|(other, _)| *other == kind);
                        // A loop over a word that no other thread touches is a divergence there.
                        let known = |(kind, _): &Error| {
                            has(kind) || *kind == Kind::Divergence.name() && has(Kind::Hang.name())
                        };
                        assert!(learned.iter().all(known), "{place}: {learned:?} {all:?}");
                    }
                    tally[0] += 1;
                    tally[1] += usize::from(!free.is_empty());
                    tally[2] += usize::from(free != plain);
                    tally[3] += usize::from(free != all);
                    fewer = free;
                }
            }
        }
    }
    eprintln!(
        "searches, with errors, with more than by plain counting, with less than there is: {tally:?}"
    );
    assert!(tally[0] > 100 && tally[1] > 20 && tally[2] > 5 && tally[3] > 5, "{tally:?}");
}

#[test]
fn single_runs_do_not_stay_in_loops() {
    let options = || Options { hangs: Hangs::AfterSteps, ..Options::default() };
    let runs = 50;
    for name in ["two_looks", "bare_barrier"] {
        let image = guest(name);
        for algorithm in [Algorithm::Random { runs }, Algorithm::Pct { runs, depth: 3 }] {
            let session = Session { algorithm, all: true, ..Session::default() };
            let outcome = searched(&program(&image, 0, options()), &session);
            let steps = outcome.statistics.transitions;
            assert!(steps < 400 * runs, "{name}, {algorithm:?}: {steps}");
        }
    }
}

#[test]
fn what_comes_after_a_yield_may_come_before_the_others() {
    let image = guest("after_yield");
    let session = Session {
        algorithm: Algorithm::Pct { runs: 200, depth: 1 },
        pilot_runs: PilotRuns { runs: 0, ..Session::default().pilot_runs },
        ..Session::default()
    };
    let outcome = searched(&program(&image, 0, Options::default()), &session);
    assert!(outcome.violations.iter().any(|finding| finding.what.kind == Kind::Assert));
}
