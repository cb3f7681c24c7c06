//! Programs with and without data races: each says rightly which it has (`steam_tests::races` tells
//! how), and every interleaving of it is explored without an error of another kind than it names.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use steam_image::Image;
use steam_linux::Config;
use steam_linux::program::{Deadlock, Options, Program};
use steam_search::{Control, End, Limits};
use steam_session::Options as Session;
use steam_tests::compile::{Compiler, Variant, compile, compilers};
use steam_tests::corpus::{self, Guest};
use steam_tests::races::Expected;
use steam_tests::report::{Verdict, judge_all};

/// Keeps a program's lines and accesses, and leaves out the copies of everything that `-O0` makes.
const LEVEL: &str = "O1";
/// More than ten times what the largest one needs.
const MOST_STATES: u64 = 20_000;
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
        let result = compile(guest, &variant).and_then(|file| check(guest, &file));
        verdict.compared += 1;
        if let Err(why) = result {
            verdict.failures.push(format!("{}: {why}", variant.label()));
        }
    }
    verdict
}

fn check(guest: &Guest, executable: &Path) -> Result<(), String> {
    Expected::parse(&guest.source)?;
    let image = Arc::new(Image::read_file(executable).map_err(|why| why.to_string())?);
    let options = Options { divergence: DIVERGENCE, ..Options::default() };
    let config = Config { arguments: vec![b"guest".to_vec()], ..Config::default() };
    let program = Program::new(image, config, options).map_err(|why| format!("{why:?}"))?;
    let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
    let session = Session { all: true, limits, ..Session::default() };
    let checked = steam_session::check(&program, &Deadlock, &session, &mut Control::default());
    let outcome = checked.map_err(|why| format!("{why:?}"))?.outcome;
    if let Some(unknown) = outcome.unknowns.first() {
        return Err(format!("not modelled: {:?}", unknown.what.report));
    }
    if outcome.end != End::Exhausted {
        return Err(format!("the search ended early: {:?}", outcome.end));
    }
    let kinds = outcome.violations.iter().map(|finding| finding.what.kind.name().to_owned());
    let (kinds, named) = (kinds.collect::<BTreeSet<_>>(), guest.directive.kinds_in_search());
    if kinds != named {
        return Err(format!("errors {kinds:?}, not {named:?}"));
    }
    Ok(())
}
