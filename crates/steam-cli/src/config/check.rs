//! The plan of `steam check`.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use steam_check::{
    AlgorithmName, Atomic, Bounds, Choice as _, Config, ErrorClass, Files, Guest, Judgement, Mld,
    Origin, Reduction, Scenario, Search, kinds_of_entries,
};
use steam_session::{Bound, by_name};
use steam_trail::file::try_file;
use steam_trail::{ProgressMode, Suppression, quoted};

use super::claims::claims;
use super::output::{OutputPlan, output, progress};
use super::{environment, program, words};
use crate::args::check::{
    CheckArguments, GuestArguments, JudgementArguments, LimitArguments, SearchArguments, USUAL,
};
use crate::input_file;

/// What `steam check` is to do.
#[derive(Debug, PartialEq, Eq)]
pub struct CheckPlan {
    /// The check.
    pub config: Config,
    /// Where the report goes; to standard output where there is none.
    pub report: Option<PathBuf>,
    /// Where the trail goes.
    pub trail: PathBuf,
    /// How the search reports where it is.
    pub progress: ProgressMode,
    /// What is printed.
    pub output: OutputPlan,
}

/// A file of errors that are left out has at most so many bytes.
const LONGEST_SUPPRESSIONS: u64 = 16 << 20;

/// The entries of files of errors that are left out.
fn suppressions(files: &[PathBuf]) -> anyhow::Result<Vec<Suppression>> {
    let mut entries = Vec::new();
    for file in files {
        let name = || format!("--suppress {}", file.display());
        let text = input_file::read_text(file, LONGEST_SUPPRESSIONS).with_context(name)?;
        let found = Suppression::parse(&text).map_err(|why| anyhow!("{}: {why}", name()))?;
        let kinds = kinds_of_entries();
        if let Some(unknown) = found.iter().find(|entry| !entry.is_of(&kinds)) {
            bail!(
                "{}: `{}` is no kind of error in `{}`: the kinds are {}",
                name(),
                unknown.kind(),
                unknown.text(),
                kinds.join(", ")
            );
        }
        entries.extend(found);
    }
    Ok(entries)
}

/// Makes the plan of `steam check`.
pub fn check(mut typed: CheckArguments) -> anyhow::Result<CheckPlan> {
    let search = search(&typed.search, typed.judgement.livelock)?;
    let find = classes(&typed.judgement);
    cycles(&find, &search, typed.judgement.livelock)?;
    if !matches!(typed.judgement.mld, Mld::Auto | Mld::Off)
        && (typed.judgement.no_lgc || typed.judgement.atomic != Atomic::Lgc)
    {
        bail!(
            "which locks protect a variable is learned with --atomic lgc alone; leave out --atomic or --mld"
        );
    }
    let bounds = bounds(&typed.limits, typed.search.depth);
    let command = command(&typed.inputs, &typed.arguments);
    // After hours of search it is too late to find that there is no such folder.
    let origin = program(typed.inputs, typed.guest.program.cc.take(), &typed.guest.program.cflags)?;
    let guest = guest(&origin, typed.arguments, typed.guest)?;
    for (option, path) in [("--trail", &typed.trail), ("--output", &typed.report)] {
        path.as_deref().map(try_file).transpose().context(option)?;
    }
    let trail = typed.trail.unwrap_or_else(|| trail_name(&origin));
    let judgement = judgement(&typed.judgement, find);
    let claims = claims(typed.claims)?;
    Ok(CheckPlan {
        config: Config {
            scenario: Scenario { origin, guest, judgement, claims },
            command,
            search,
            store: typed.limits.store,
            bounds,
            suppress: suppressions(&typed.judgement.suppress)?,
            atomic_vars: typed.judgement.atomic_var,
            volatile: typed.judgement.volatile,
            intended: typed.judgement.intended_race,
            mld: typed.judgement.mld,
            privacy: typed.judgement.privacy,
            waits: typed.judgement.waits,
            all: typed.judgement.all,
            uninitialised: !typed.judgement.no_uninitialised,
            audit: typed.judgement.audit_independence,
            print: typed.print,
        },
        output: output(&typed.output, typed.report.is_some()),
        report: typed.report,
        trail,
        progress: progress(typed.progress, typed.output.quiet),
    })
}

fn guest(
    origin: &Origin,
    arguments: Vec<OsString>,
    typed: GuestArguments,
) -> anyhow::Result<Guest> {
    let environment = environment(std::iter::empty(), typed.program.environment)?;
    // Not opened: that would wait for who writes to a fifo.
    if let Some(path) = &typed.stdin {
        std::fs::metadata(path).with_context(|| format!("--stdin {}", path.display()))?;
    }
    let files = Files::named(&typed.program.files)?;
    Ok(Guest { arguments: words(origin, arguments), environment, stdin: typed.stdin, files })
}

fn judgement(typed: &JudgementArguments, find: Vec<ErrorClass>) -> Judgement {
    Judgement {
        atomic: if typed.no_lgc { Atomic::Line } else { typed.atomic },
        find,
        spurious: typed.spurious,
        still: typed.still_clock,
        divergence: typed.divergence,
        livelock: typed.livelock,
        progress_lines: typed.progress_line.clone(),
    }
}

impl CheckPlan {
    /// Takes over another order of search, and other limits.
    pub fn redirect(
        &mut self,
        order: &SearchArguments,
        limits: &LimitArguments,
    ) -> anyhow::Result<()> {
        self.config.search = search(order, None)?;
        self.config.bounds = bounds(limits, order.depth);
        self.config.store = limits.store;
        Ok(())
    }
}

fn search(typed: &SearchArguments, livelock: Option<u32>) -> anyhow::Result<Search> {
    let (name, usual) = (typed.algo, Search::default());
    let guided = matches!(
        typed.algo,
        AlgorithmName::Bf | AlgorithmName::Astar | AlgorithmName::Beam | AlgorithmName::Ida
    );
    let walks = matches!(typed.algo, AlgorithmName::Random | AlgorithmName::Pct);
    if typed.heur.is_some() && !guided {
        bail!("--algo {name} uses no heuristic; --heur needs --algo bf, astar, beam or ida");
    }
    if typed.weight.is_some() && typed.algo != AlgorithmName::Astar {
        bail!("--algo {name} weighs nothing; --weight needs --algo astar");
    }
    if typed.width.is_some() && typed.algo != AlgorithmName::Beam {
        bail!("--algo {name} drops no states; --width needs --algo beam");
    }
    if typed.runs.is_some() && !walks {
        bail!("--algo {name} tries all schedules; --runs needs --algo random or pct");
    }
    if let Some(por) = typed.por {
        suits(por, typed.algo)?;
    }
    if livelock.is_some() && typed.algo != AlgorithmName::Stateless {
        bail!("--algo {name} sees no successive states; --livelock needs --algo stateless");
    }
    let preemptions = typed.preemptions.map(Bound::Preemptions);
    let bound = preemptions.or(typed.delays.map(Bound::Delays));
    if bound.is_some() && walks {
        bail!(
            "--algo {name} tries few schedules anyway; --preemptions and --delays need another one"
        );
    }
    if bound.is_some() && typed.por.is_some_and(|por| por != Reduction::None) {
        bail!(
            "within --preemptions or --delays no execution may be left out, because the one that it is \
             equal to may lie beyond the bound; use --por none"
        );
    }
    // What is left out as equal may differ in who waits for how long.
    let free = bound.is_none() && livelock.is_none();
    let reduction = if free { usual.reduction } else { Reduction::None };
    let jobs = match typed.jobs {
        0 => steam_host::cores(),
        jobs => jobs,
    };
    Ok(Search {
        algorithm: typed.algo,
        heuristic: by_name(typed.heur.as_deref().unwrap_or("pl2")).filter(|_| guided),
        weight: typed.weight.map_or(usual.weight, |weight| weight.0),
        width: typed.width.unwrap_or(usual.width),
        reduction: typed.por.unwrap_or(reduction),
        bound,
        seed: typed.seed,
        pilots: typed.pilots,
        runs: typed.runs.unwrap_or(usual.runs),
        jobs,
    })
}

/// Whether an order of search can leave out what is asked for.
fn suits(por: Reduction, algorithm: AlgorithmName) -> anyhow::Result<()> {
    let (keeps, stateless) = (algorithm.keeps_open_states(), algorithm == AlgorithmName::Stateless);
    match por {
        Reduction::None if keeps || stateless => Ok(()),
        Reduction::Stubborn if keeps => Ok(()),
        Reduction::Sleep | Reduction::Persistent | Reduction::Source if stateless => Ok(()),
        Reduction::Sleep | Reduction::Persistent | Reduction::Source if keeps => bail!(
            "--algo {algorithm} keeps states, where --por {por} does not serve; use --por stubborn, or --algo \
             stateless"
        ),
        Reduction::Stubborn if stateless => {
            bail!("--por stubborn needs a search that keeps states, such as --algo dfs")
        }
        _ => {
            bail!("--algo {algorithm} leaves nothing out; --por needs --algo stateless, dfs or bfs")
        }
    }
}

fn bounds(typed: &LimitArguments, depth: Option<u32>) -> Bounds {
    let memory = typed.memory.unwrap_or_else(|| Bounds::default().memory);
    Bounds { memory, time: typed.timeout, states: typed.max_states, depth }
}

/// What counts as an error: what was named, or the usual; and what other options ask for.
fn classes(typed: &JudgementArguments) -> Vec<ErrorClass> {
    let waits = typed.livelock.is_some();
    let named = typed.find.iter().filter_map(|name| ErrorClass::named(name));
    let mut classes: Vec<ErrorClass> = named.collect();
    if typed.find.is_empty() || typed.find.iter().any(|name| name == USUAL) {
        classes.extend(ErrorClass::usual());
        classes.extend(waits.then_some(ErrorClass::Livelock));
    }
    classes.extend((!typed.progress_line.is_empty()).then_some(ErrorClass::Livelock));
    // A thread that loops forever alone is the simplest livelock, and a hang whose loop reads what no thread writes.
    let loops = classes.contains(&ErrorClass::Livelock) && !waits;
    let loops = loops || classes.contains(&ErrorClass::Hang);
    classes.extend(loops.then_some(ErrorClass::Divergence));
    classes.extend(typed.exit_status.then_some(ErrorClass::Exit));
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// Whether cycles can be looked for where livelocks are: only a search that remembers its way sees them.
fn cycles(find: &[ErrorClass], search: &Search, livelock: Option<u32>) -> anyhow::Result<()> {
    if !find.contains(&ErrorClass::Livelock) || livelock.is_some() {
        return Ok(());
    }
    if search.algorithm != AlgorithmName::Dfs {
        bail!(
            "--algo {} sees no cycles; --find livelock needs --algo dfs, or --algo stateless with \
             --livelock N",
            search.algorithm
        );
    }
    if search.reduction == Reduction::Stubborn {
        bail!("stubborn sets may leave out cycles; leave out --por, or livelock from --find");
    }
    if search.jobs > 1 {
        bail!("cycles are looked for by one worker; leave out --jobs, or livelock from --find");
    }
    Ok(())
}

/// The program as it is typed: inputs, two dashes, arguments.
fn command(inputs: &[PathBuf], arguments: &[OsString]) -> String {
    let mut words: Vec<String> =
        inputs.iter().map(|input| quoted(&input.to_string_lossy())).collect();
    if !arguments.is_empty() {
        words.push("--".to_owned());
        words.extend(arguments.iter().map(|argument| quoted(&argument.to_string_lossy())));
    }
    words.join(" ")
}

/// `glob.trail` for `dir/glob.elf` and for `dir/glob.c`, in the working directory.
fn trail_name(program: &Origin) -> PathBuf {
    let name = PathBuf::from(OsString::from_vec(program.guest_name()));
    let name = match name.extension() {
        Some(ending) if ending == "elf" => name.with_extension(""),
        _ => name,
    };
    let mut file = name.file_name().unwrap_or_else(|| "program".as_ref()).to_owned();
    file.push(".trail");
    file.into()
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::args::{Arguments, Command};
    use clap::Parser;
    use steam_check::Store;

    fn plan(words: &[&str]) -> anyhow::Result<CheckPlan> {
        let words = ["steam", "check"].iter().chain(words);
        match Arguments::try_parse_from(words)?.command {
            Command::Check(typed) => check(*typed),
            other => panic!("{other:?}"),
        }
    }

    fn refusal(words: &[&str]) -> String {
        plan(words).map(|plan| panic!("{plan:?}")).unwrap_err().to_string()
    }

    #[test]
    fn the_documented_defaults() {
        let plan = plan(&["dir/glob.elf"]).unwrap();
        assert_eq!(plan.config.search.algorithm, AlgorithmName::Dfs);
        assert!(plan.config.search.heuristic.is_none() && plan.config.search.weight == 100);
        assert_eq!((plan.config.search.seed, plan.config.search.jobs), (0, 1));
        assert_eq!(
            (plan.config.scenario.judgement.atomic, plan.config.store),
            (Atomic::Lgc, Store::Tree)
        );
        assert_eq!(plan.trail, Path::new("glob.trail"));
        assert_eq!((plan.output.view.max_steps, plan.output.view.times), (60, true));
        assert!(
            plan.config.scenario.guest.environment.is_empty()
                && plan.config.scenario.guest.stdin.is_none()
        );
        assert!(
            !plan.config.find().contains(&ErrorClass::Exit)
                && plan.config.find().contains(&ErrorClass::Deadlock)
        );
        assert!(!plan.config.find().contains(&ErrorClass::Livelock));
        assert!(plan.config.bounds.memory > 0 && plan.config.bounds.time.is_none());
    }

    #[test]
    fn options_are_understood() {
        let words = "--algo astar --weight 1.5 --seed 7 --depth 9 --no-lgc --find deadlock,assert \
            --exit-status --all --spurious --store hash128 --memory 900M --timeout 20m \
            --max-states 5 --env A=1 --max-steps 3 --no-times --jobs 0 p";
        let words: Vec<&str> = words.split_whitespace().chain(["--", "it's", "-x"]).collect();
        let plan = plan(&words).unwrap();
        assert_eq!(plan.config.search.heuristic.map(|named| named.name), Some("pl2"));
        assert_eq!((plan.config.search.weight, plan.config.search.seed), (150, 7));
        assert!(plan.config.search.jobs >= 1);
        assert_eq!(plan.config.scenario.judgement.atomic, Atomic::Line);
        assert_eq!(
            plan.config.find(),
            [ErrorClass::Assert, ErrorClass::Deadlock, ErrorClass::Exit]
        );
        let time = Some(Duration::from_secs(1200));
        let bounds = Bounds { memory: 900 << 20, time, states: Some(5), depth: Some(9) };
        assert_eq!(plan.config.bounds, bounds);
        assert_eq!(plan.config.command, r"p -- 'it'\''s' -x");
        let configuration = plan.config.described();
        assert_eq!(configuration.algo, "astar");
        assert_eq!(configuration.limits.time_ms, Some(1_200_000));
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        for (words, part) in [
            (&["--heur", "mb", "p"][..], "--heur needs --algo bf, astar, beam or ida"),
            (&["--weight", "2", "p"], "--weight needs --algo astar"),
            (&["--weight", "2", "--algo", "beam", "p"], "--weight needs --algo astar"),
            (&["--width", "2", "--algo", "bfs", "p"], "--width needs --algo beam"),
            (&["--width", "0", "--algo", "beam", "p"], "0 is not in 1.."),
            (&["--runs", "2", "p"], "--runs needs --algo random or pct"),
            (
                &["--por", "stubborn", "--algo", "stateless", "p"],
                "needs a search that keeps states",
            ),
            (&["--por", "stubborn", "--preemptions", "1", "p"], "use --por none"),
            (&["--por", "stubborn", "--find", "livelock", "p"], "leave out --por"),
            (&["--por", "source", "p"], "use --por stubborn"),
            (&["--por", "none", "--algo", "random", "p"], "leaves nothing out"),
            (&["--livelock", "9", "p"], "--livelock needs --algo stateless"),
            (&["--find", "livelock", "--algo", "bfs", "p"], "--find livelock needs --algo dfs"),
            (&["--find", "livelock", "--jobs", "2", "p"], "leave out --jobs"),
            (&["--preemptions", "2", "--delays", "1", "p"], "cannot be used with"),
            (&["--preemptions", "2", "--algo", "pct", "p"], "need another one"),
            (&["--delays", "2", "--algo", "stateless", "--por", "sleep", "p"], "use --por none"),
            (&["--memory", "4X", "p"], "for example 900M or 4G"),
            (&["--timeout", "90", "p"], "90s, 90m or 90h"),
            (&["--weight", "-1", "--algo", "astar", "p"], "from 0 to 1000, such as 1.5"),
            (&["--no-lgc", "--atomic", "instr", "p"], "cannot be used with"),
            (&["--find", "nothing", "p"], "possible values: assert, deadlock"),
            (&["--depth", "0", "p"], "0 is not in 1.."),
            (&["--env", "x", "p"], "--env needs KEY=VALUE"),
            (&["--stdin", "no such file", "p"], "--stdin no such file"),
            (&["a.c"], "cannot read a.c"),
            (&[], "required"),
        ] {
            let message = refusal(words);
            assert!(message.contains(part), "{words:?}: {message}");
        }
    }

    #[test]
    fn within_a_bound_nothing_else_is_left_out() {
        let bounded = plan(&["--algo", "stateless", "--delays", "2", "p"]).unwrap();
        assert_eq!(bounded.config.search.bound, Some(Bound::Delays(2)));
        assert_eq!(bounded.config.search.reduction, Reduction::None);
        let configuration = bounded.config.described();
        assert_eq!(
            (configuration.limits.delays, configuration.limits.preemptions),
            (Some(2), None)
        );
        assert_eq!(configuration.por.as_deref(), Some("none"));
        let free = plan(&["--algo", "stateless", "p"]).unwrap();
        assert_eq!(
            (free.config.search.bound, free.config.search.reduction),
            (None, Reduction::Source)
        );
    }

    #[test]
    fn the_width_is_that_of_a_beam() {
        let beam = plan(&["--algo", "beam", "p"]).unwrap();
        assert_eq!(beam.config.search.heuristic.map(|named| named.name), Some("pl2"));
        assert_eq!(beam.config.described().limits.width, Some(1000));
        let wide = plan(&["--algo", "beam", "--width", "5000", "--heur", "mb", "p"]).unwrap();
        assert_eq!(wide.config.described().limits.width, Some(5000));
        assert_eq!(plan(&["--algo", "bfs", "p"]).unwrap().config.described().limits.width, None);
    }

    #[test]
    fn the_later_option_wins() {
        let plan = plan(&["--algo", "bfs", "--algo", "id", "p"]).unwrap();
        assert_eq!(plan.config.search.algorithm, AlgorithmName::Id);
    }

    #[test]
    fn what_may_be_given_twice_is_kept_twice() {
        let words = ["--env", "A=1", "--env", "B=2", "--find", "exit", "--find", "memory", "p"];
        let plan = plan(&words).unwrap();
        assert_eq!(plan.config.scenario.guest.environment, [b"A=1", b"B=2"]);
        assert_eq!(plan.config.find(), [ErrorClass::Memory, ErrorClass::Exit]);
    }
}
