//! Programs with and without data races: in each, a search of all interleavings finds exactly those
//! that it names (`steam_tests::races` says how), and no error of another kind than it names.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use steam_explain::{Ends, Explainer, RaceSought, retrace};
use steam_image::Image;
use steam_model::Property;
use steam_program::{Action, Config, Deadlock, Options, Program, Races, Violation};
use steam_report::Kind;
use steam_search::{End, Finding, Limits};
use steam_session::Options as Session;
use steam_tests::compile::{Compiler, Variant, compile, compilers};
use steam_tests::corpus::{self, Guest};
use steam_tests::races::{Expected, Races as Pairs};
use steam_tests::report::{Verdict, judge_all};
use steam_tests::search;
use steam_visibility::Discipline;

/// Keeps a program's lines and accesses, and leaves out the copies of everything that `-O0` makes.
const LEVEL: &str = "O1";
/// Several times what the largest one needs.
const MOST_STATES: u64 = 200_000;
/// Enough for what these programs do between two visible operations.
const DIVERGENCE: u64 = 20_000_000;

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
    let guests = corpus::read(&corpus::folder("races"), &corpus::filters())?;
    Ok(judge_all(&guests, |guest| &guest.name, |guest| judge(guest, &gcc)))
}

fn judge(guest: &Guest, gcc: &Compiler) -> Verdict {
    let mut verdict = Verdict::default();
    let levels = guest.directive.levels.clone().unwrap_or_else(|| vec![LEVEL.to_owned()]);
    for level in levels {
        let variant = Variant { compiler: gcc.clone(), flags: vec![format!("-{level}")] };
        for discipline in [Discipline::Ignored, Discipline::Used] {
            let result = compile(guest, &variant).and_then(|file| check(guest, &file, discipline));
            verdict.compared += 1;
            if let Err(why) = result {
                let label = variant.label();
                verdict.failures.push(format!("{label}, discipline {discipline:?}: {why}"));
            }
        }
    }
    verdict
}

fn check(guest: &Guest, executable: &Path, discipline: Discipline) -> Result<(), String> {
    let expected = Expected::parse(&guest.source)?;
    let image = Arc::new(Image::read_file(executable).map_err(|why| why.to_string())?);
    let options = Options { divergence: DIVERGENCE, races: true, discipline, ..Options::default() };
    let config = Config { arguments: vec![b"guest".to_vec()], ..Config::default() };
    let new = || Program::new(Arc::clone(&image), config.clone(), options.clone());
    let program = new().map_err(|why| format!("{why:?}"))?;
    let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
    let session = Session { all: true, limits, ..Session::default() };
    let properties: Vec<Box<dyn Property<Program>>> = vec![Box::new(Deadlock), Box::new(Races)];
    let checked = search::check(&program, &properties, &session);
    let checked = checked.map_err(|why| format!("{why:?}"))?;
    let outcome = &checked.outcome;
    if let Some(unknown) = outcome.unknowns.first() {
        return Err(format!("not modelled: {:?}", unknown.what.report));
    }
    if outcome.end != End::Exhausted {
        return Err(format!("the search ended early: {:?}", outcome.end));
    }
    let (races, errors): (Vec<_>, Vec<_>) = outcome
        .violations
        .iter()
        .zip(&checked.violation_iterations)
        .partition(|(finding, _)| finding.what.kind == Kind::Race);
    let kinds = errors.iter().map(|(finding, _)| finding.what.kind.name().to_owned());
    let (kinds, named) = (kinds.collect::<BTreeSet<_>>(), guest.directive.kinds_in_search());
    if kinds != named {
        return Err(format!("errors {kinds:?}, not {named:?}"));
    }
    let mut found = Expected::default();
    for (finding, iteration) in races {
        let steps = new().map_err(|why| format!("{why:?}"))?;
        // The iterations of a program begin with that of the pilots.
        steps.learn(&program.known_in(*iteration as usize + 1))?;
        let (race, doubtful) = told(&steps, finding)?;
        if doubtful { &mut found.in_doubt } else { &mut found.races }.insert(race);
    }
    compare(&found.races, &expected.races, &expected)?;
    compare(&found.in_doubt, &expected.in_doubt, &expected)
}

/// A race as reports show it: the variable and the two lines, and whether it is in doubt.
fn told(
    program: &Program,
    finding: &Finding<Violation, Action>,
) -> Result<((String, usize, usize), bool), String> {
    let race = Some(RaceSought::Error(finding.what.clone()));
    let trail = finding.trail.as_deref().unwrap_or_default();
    let retraced = retrace(program, trail, Ends { race, ..Ends::default() });
    let told = Explainer::new(program).finding(&retraced).ok_or("the way to a race was lost")?;
    let lines = told.accesses.iter().map(|access| access.place.line.unwrap_or(0) as usize);
    let mut lines: Vec<usize> = lines.collect();
    lines.sort_unstable();
    match (&told.accesses[..], &lines[..]) {
        ([access, _], &[first, second]) => {
            let doubtful = told.text.iter().any(|line| line.contains("does not say"));
            Ok(((plainly(&access.variable), first, second), doubtful))
        }
        _ => Err(format!("no race: {}", told.message)),
    }
}

/// A variable without folders and without addresses, which may be others elsewhere.
fn plainly(variable: &str) -> String {
    let name = variable.replace("races/", "").replace("tests/", "");
    name.split(" at 0x").next().unwrap_or_default().to_owned()
}

/// All that are expected were found, and nothing else.
fn compare(found: &Pairs, wanted: &Pairs, expected: &Expected) -> Result<(), String> {
    // Races of several elements of an array on the same lines are reported once.
    let whole = |race: &(String, usize, usize)| {
        let name = race.0.split(['[', '.']).next().unwrap_or_default();
        (name.to_owned(), race.1, race.2)
    };
    let wholes: Pairs = found.iter().map(whole).collect();
    let missing = wanted.iter().filter(|race| !wholes.contains(&whole(race)));
    let missing = missing.map(|race| format!("missing {}", shown(race)));
    let extra = found.difference(wanted).map(|race| {
        let sort = if expected.by_c11_only.contains(race) { "by C11 only" } else { "not there" };
        format!("found {}, which is {sort}", shown(race))
    });
    let wrong: Vec<String> = missing.chain(extra).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn shown((variable, first, second): &(String, usize, usize)) -> String {
    format!("{variable} in lines {first} and {second}")
}
