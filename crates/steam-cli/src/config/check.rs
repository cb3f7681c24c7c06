//! The plan of `steam check`.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use steam_check::{ErrorClass, kinds_of_entries};
use steam_session::{Bound, Named, by_name};
use steam_trail::{Configuration, Limits, ProgressMode, Setting, Suppression, quoted};

use super::claims::{ClaimPlan, claims};
use super::output::{OutputPlan, output, progress};
use super::{Files, Guest, Program, environment, program};
use crate::args::check::{
    Algorithm, Atomic, CheckArguments, ErrorKind, JudgementArguments, LimitArguments, Mld,
    Reduction, Scouts, SearchArguments, Store, Volatile, name_of,
};
use crate::delivery::try_file;
use crate::input_file;
use crate::memory_guard::allowed;

/// Schedules that random and pct try unless told otherwise.
const RUNS: u64 = 10_000;
/// States of a level that a beam keeps unless told otherwise.
const WIDTH: u32 = 1000;
/// Memory that is used where the machine does not say how much it has.
const MEMORY: u64 = 4 << 30;

/// What `steam check` is to do.
#[derive(Debug, PartialEq, Eq)]
pub struct CheckPlan {
    /// Where the program comes from.
    pub program: Program,
    /// What the guest gets; without a file its standard input is empty.
    pub guest: Guest,
    /// How the program and its arguments are typed, for messages.
    pub command: String,
    /// The order of the search.
    pub search: Search,
    /// What one step is.
    pub atomic: Atomic,
    /// What counts as an error, ascending and without repetitions.
    pub find: Vec<ErrorClass>,
    /// What is claimed of states and runs.
    pub claims: ClaimPlan,
    /// Lines that are progress, as they were typed.
    pub progress_lines: Vec<String>,
    /// Expressions whose values are shown along trails.
    pub print: Vec<String>,
    /// What counts as atomic beside what is.
    pub atomic_vars: Vec<String>,
    /// What accesses to volatile objects are.
    pub volatile: Volatile,
    /// What has races that are intended.
    pub intended: Vec<String>,
    /// Errors that are left out.
    pub suppress: Vec<Suppression>,
    /// What the mutex locking discipline is for.
    pub mld: Mld,
    /// Whether to go on after the first error.
    pub all: bool,
    /// Whether waits may end without a signal.
    pub spurious: bool,
    /// Whether uses of what nobody wrote are looked for.
    pub uninitialised: bool,
    /// Whether the clock stands still.
    pub still: bool,
    /// Instructions of one step after which it is taken to go on for ever.
    pub divergence: u64,
    /// Whether steps that are called independent are done in both orders.
    pub audit: bool,
    /// How visited states are remembered.
    pub store: Store,
    /// When to give up.
    pub bounds: Bounds,
    /// Where the report goes; to standard output where there is none.
    pub report: Option<PathBuf>,
    /// Where the trail goes.
    pub trail: PathBuf,
    /// How the search tells where it is.
    pub progress: ProgressMode,
    /// What is printed.
    pub output: OutputPlan,
}

/// The order of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Search {
    /// The order.
    pub algorithm: Algorithm,
    /// The heuristic; there is one if and only if the order needs it.
    pub heuristic: Option<&'static Named>,
    /// How much it counts, in percent.
    pub weight: u32,
    /// States of a level that are kept, for beam.
    pub width: u32,
    /// Which executions are left out, for stateless.
    pub reduction: Reduction,
    /// What schedules may cost.
    pub bound: Option<Bound>,
    /// In how many successive states a thread may wait, for stateless.
    pub livelock: Option<u32>,
    /// What random choices depend on.
    pub seed: u64,
    /// What the random runs before the search are for.
    pub scouts: Scouts,
    /// Schedules to try, for random and pct.
    pub runs: u64,
    /// Workers, at least one.
    pub jobs: usize,
}

/// When to give up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes.
    pub memory: u64,
    /// Time.
    pub time: Option<Duration>,
    /// Distinct states.
    pub states: Option<u64>,
    /// Steps from the start.
    pub depth: Option<u32>,
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
pub fn check(typed: CheckArguments) -> anyhow::Result<CheckPlan> {
    let search = search(&typed.search, typed.judgement.livelock)?;
    let find = classes(&typed.judgement, search.livelock.is_some());
    cycles(&find, &search)?;
    if typed.judgement.mld != Mld::Off
        && (typed.judgement.no_lgc || typed.judgement.atomic != Atomic::Lgc)
    {
        bail!(
            "which locks protect a variable is learned with --atomic lgc alone; leave out --atomic or --mld"
        );
    }
    let bounds = bounds(&typed.limits, typed.search.depth);
    let command = command(&typed.inputs, &typed.arguments);
    let program = program(typed.inputs, typed.guest.cc, &typed.guest.cflags)?;
    let environment = environment(std::iter::empty(), typed.guest.environment)?;
    // Not opened: that would wait for who writes to a fifo.
    if let Some(path) = &typed.guest.stdin {
        std::fs::metadata(path).with_context(|| format!("--stdin {}", path.display()))?;
    }
    // After hours of search it is too late to find that there is no such folder.
    for (option, path) in [("--trail", &typed.trail), ("--output", &typed.report)] {
        path.as_deref().map(try_file).transpose().context(option)?;
    }
    let mut arguments = vec![program.guest_name()];
    arguments.extend(typed.arguments.into_iter().map(OsString::into_vec));
    let trail = typed.trail.unwrap_or_else(|| trail_name(&program));
    Ok(CheckPlan {
        program,
        guest: Guest {
            arguments,
            environment,
            stdin: typed.guest.stdin,
            files: Files::named(&typed.guest.files)?,
        },
        command,
        search,
        atomic: if typed.judgement.no_lgc { Atomic::Line } else { typed.judgement.atomic },
        find,
        claims: claims(typed.claims)?,
        progress_lines: typed.judgement.progress_line,
        print: typed.print,
        atomic_vars: typed.judgement.atomic_var,
        volatile: typed.judgement.volatile,
        intended: typed.judgement.intended_race,
        suppress: suppressions(&typed.judgement.suppress)?,
        mld: typed.judgement.mld,
        all: typed.judgement.all,
        spurious: typed.judgement.spurious,
        uninitialised: !typed.judgement.no_uninitialised,
        still: typed.judgement.still_clock,
        divergence: typed.judgement.divergence,
        audit: typed.judgement.audit_independence,
        store: typed.limits.store,
        bounds,
        output: output(&typed.output, typed.report.is_some()),
        report: typed.report,
        trail,
        progress: progress(typed.progress, typed.output.quiet),
    })
}

impl CheckPlan {
    /// Takes over another order of search, and other limits.
    pub fn redirect(
        &mut self,
        order: &SearchArguments,
        limits: &LimitArguments,
    ) -> anyhow::Result<()> {
        self.search = search(order, None)?;
        self.bounds = bounds(limits, order.depth);
        self.store = limits.store;
        Ok(())
    }
}

fn search(typed: &SearchArguments, livelock: Option<u32>) -> anyhow::Result<Search> {
    let name = name_of(typed.algo);
    let guided =
        matches!(typed.algo, Algorithm::Bf | Algorithm::Astar | Algorithm::Beam | Algorithm::Ida);
    let walks = matches!(typed.algo, Algorithm::Random | Algorithm::Pct);
    if typed.heur.is_some() && !guided {
        bail!("--algo {name} uses no heuristic; --heur needs --algo bf, astar, beam or ida");
    }
    if typed.weight.is_some() && typed.algo != Algorithm::Astar {
        bail!("--algo {name} weighs nothing; --weight needs --algo astar");
    }
    if typed.width.is_some() && typed.algo != Algorithm::Beam {
        bail!("--algo {name} drops no states; --width needs --algo beam");
    }
    if typed.runs.is_some() && !walks {
        bail!("--algo {name} tries all schedules; --runs needs --algo random or pct");
    }
    if typed.por.is_some() && typed.algo != Algorithm::Stateless {
        bail!("--algo {name} leaves nothing out; --por needs --algo stateless");
    }
    if livelock.is_some() && typed.algo != Algorithm::Stateless {
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
    let usual = if !free { Reduction::None } else { Reduction::default() };
    let jobs = match typed.jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    };
    Ok(Search {
        algorithm: typed.algo,
        heuristic: by_name(typed.heur.as_deref().unwrap_or("pl2")).filter(|_| guided),
        weight: typed.weight.map_or(100, |weight| weight.0),
        width: typed.width.unwrap_or(WIDTH),
        reduction: typed.por.unwrap_or(usual),
        bound,
        livelock,
        seed: typed.seed,
        scouts: typed.scouts,
        runs: typed.runs.unwrap_or(RUNS),
        jobs,
    })
}

fn bounds(typed: &LimitArguments, depth: Option<u32>) -> Bounds {
    let memory = typed.memory.or_else(|| allowed().map(|it| it / 5 * 4)).unwrap_or(MEMORY);
    Bounds { memory, time: typed.timeout, states: typed.max_states, depth }
}

/// What counts as an error: what was named, or the usual; and what other options ask for.
fn classes(typed: &JudgementArguments, waits: bool) -> Vec<ErrorClass> {
    let named = typed.find.iter().filter_map(|kind| ErrorClass::named(&name_of(*kind)));
    let mut classes: Vec<ErrorClass> = named.collect();
    if typed.find.is_empty() || typed.find.contains(&ErrorKind::Usual) {
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
fn cycles(find: &[ErrorClass], search: &Search) -> anyhow::Result<()> {
    if !find.contains(&ErrorClass::Livelock) || search.livelock.is_some() {
        return Ok(());
    }
    if search.algorithm != Algorithm::Dfs {
        bail!(
            "--algo {} sees no cycles; --find livelock needs --algo dfs, or --algo stateless with \
             --livelock N",
            name_of(search.algorithm)
        );
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
fn trail_name(program: &Program) -> PathBuf {
    let name = PathBuf::from(OsString::from_vec(program.guest_name()));
    let name = match name.extension() {
        Some(ending) if ending == "elf" => name.with_extension(""),
        _ => name,
    };
    let mut file = name.file_name().unwrap_or_else(|| "program".as_ref()).to_owned();
    file.push(".trail");
    file.into()
}

impl CheckPlan {
    /// How the program is checked, as reports tell it.
    pub fn configuration(&self) -> Configuration {
        let bounds = &self.bounds;
        Configuration {
            algo: name_of(self.search.algorithm),
            heur: self.search.heuristic.map(|named| named.name.to_owned()),
            atomic: name_of(self.atomic),
            por: (self.search.algorithm == Algorithm::Stateless)
                .then(|| name_of(self.search.reduction)),
            store: name_of(self.store),
            seed: self.search.seed,
            jobs: self.search.jobs as u32,
            find: self.find.iter().map(|class| class.name().to_owned()).collect(),
            scope: self.scope(),
            fair: self.claims.is_about_runs().then(|| name_of(self.claims.fair)),
            limits: Limits {
                memory: Some(bounds.memory),
                time_ms: bounds.time.map(|time| time.as_millis() as u64),
                states: bounds.states,
                depth: bounds.depth,
                width: (self.search.algorithm == Algorithm::Beam).then_some(self.search.width),
                preemptions: match self.search.bound {
                    Some(Bound::Preemptions(most)) => Some(most),
                    _ => None,
                },
                delays: match self.search.bound {
                    Some(Bound::Delays(most)) => Some(most),
                    _ => None,
                },
            },
        }
    }

    /// The options because of which an answer is about less than usual.
    fn scope(&self) -> Option<String> {
        let looked_for = ErrorClass::usual().all(|class| self.find.contains(&class));
        let names: Vec<&str> = self.find.iter().map(|class| class.name()).collect();
        let find = (!looked_for).then(|| format!("--find {}", names.join(",")));
        let line = (self.atomic == Atomic::Line).then(|| "--atomic line".to_owned());
        let still = self.still.then(|| "--still-clock".to_owned());
        let written = self.uninitialised || !self.find.contains(&ErrorClass::Memory);
        let written = (!written).then(|| "--no-uninitialised".to_owned());
        let options = find.into_iter().chain(line).chain(still).chain(written);
        let options: Vec<String> = options.collect();
        (!options.is_empty()).then(|| options.join(" "))
    }

    /// What a replay must know beside the schedule; [`super::replay`] reads it back.
    pub fn settings(&self) -> Vec<Setting> {
        let mut settings = Vec::new();
        let mut set = |name: &str, value: &[u8]| {
            settings.push(Setting { name: name.to_owned(), value: value.to_vec() });
        };
        if let Program::Build(build) = &self.program {
            for input in &build.inputs {
                set("input", input.as_os_str().as_bytes());
            }
            if let Some(compiler) = &build.compiler {
                set("cc", compiler.as_bytes());
            }
            for flag in &build.flags {
                set("cflag", flag.as_bytes());
            }
        }
        for variable in &self.guest.environment {
            set("env", variable);
        }
        if let Some(stdin) = &self.guest.stdin {
            set("stdin", stdin.as_os_str().as_bytes());
        }
        if let Some(files) = self.guest.files.setting() {
            set("files", files);
        }
        set("divergence", self.divergence.to_string().as_bytes());
        for class in &self.find {
            set("find", class.name().as_bytes());
        }
        if self.spurious {
            set("spurious", b"on");
        }
        if self.still {
            set("clock", b"still");
        }
        if let Some(most) = self.search.livelock {
            set("livelock", most.to_string().as_bytes());
        }
        for line in &self.progress_lines {
            set("progress-line", line.as_bytes());
        }
        settings.extend(self.claims.settings());
        settings
    }

    /// The name of the trail of an error: `glob.trail`, then `glob-2.trail` and so on.
    pub fn trail_file(&self, index: usize) -> PathBuf {
        if index == 0 {
            return self.trail.clone();
        }
        let stem = self.trail.file_stem().unwrap_or_default().to_string_lossy();
        let ending = self.trail.extension().map(|ending| ending.to_string_lossy());
        let ending = ending.map(|ending| format!(".{ending}")).unwrap_or_default();
        let directory = self.trail.parent().unwrap_or(Path::new(""));
        directory.join(format!("{stem}-{}{ending}", index + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Arguments, Command};
    use clap::Parser;
    use clap::ValueEnum as _;

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
    fn each_kind_of_error_but_the_usual_is_a_class() {
        for &kind in ErrorKind::value_variants() {
            let class = ErrorClass::named(&name_of(kind));
            assert_eq!(class.is_none(), kind == ErrorKind::Usual, "{kind:?}");
        }
        assert_eq!(ErrorKind::value_variants().len(), ErrorClass::ALL.len() + 1);
    }

    #[test]
    fn the_documented_defaults() {
        let plan = plan(&["dir/glob.elf"]).unwrap();
        assert_eq!(plan.search.algorithm, Algorithm::Dfs);
        assert!(plan.search.heuristic.is_none() && plan.search.weight == 100);
        assert_eq!((plan.search.seed, plan.search.jobs), (0, 1));
        assert_eq!((plan.atomic, plan.store), (Atomic::Lgc, Store::Tree));
        assert_eq!(plan.trail, Path::new("glob.trail"));
        assert_eq!((plan.output.view.max_steps, plan.output.view.times), (60, true));
        assert!(plan.guest.environment.is_empty() && plan.guest.stdin.is_none());
        assert!(
            !plan.find.contains(&ErrorClass::Exit) && plan.find.contains(&ErrorClass::Deadlock)
        );
        assert!(!plan.find.contains(&ErrorClass::Livelock));
        assert!(plan.bounds.memory > 0 && plan.bounds.time.is_none());
    }

    #[test]
    fn options_are_understood() {
        let words = "--algo astar --weight 1.5 --seed 7 --depth 9 --no-lgc --find deadlock,assert \
            --exit-status --all --spurious --store hash128 --memory 900M --timeout 20m \
            --max-states 5 --env A=1 --max-steps 3 --no-times --jobs 0 p";
        let words: Vec<&str> = words.split_whitespace().chain(["--", "it's", "-x"]).collect();
        let plan = plan(&words).unwrap();
        assert_eq!(plan.search.heuristic.map(|named| named.name), Some("pl2"));
        assert_eq!((plan.search.weight, plan.search.seed), (150, 7));
        assert!(plan.search.jobs >= 1);
        assert_eq!(plan.atomic, Atomic::Line);
        assert_eq!(plan.find, [ErrorClass::Assert, ErrorClass::Deadlock, ErrorClass::Exit]);
        let time = Some(Duration::from_secs(1200));
        let bounds = Bounds { memory: 900 << 20, time, states: Some(5), depth: Some(9) };
        assert_eq!(plan.bounds, bounds);
        assert_eq!(plan.command, r"p -- 'it'\''s' -x");
        let configuration = plan.configuration();
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
        assert_eq!(bounded.search.bound, Some(Bound::Delays(2)));
        assert_eq!(bounded.search.reduction, Reduction::None);
        let configuration = bounded.configuration();
        assert_eq!(
            (configuration.limits.delays, configuration.limits.preemptions),
            (Some(2), None)
        );
        assert_eq!(configuration.por.as_deref(), Some("none"));
        let free = plan(&["--algo", "stateless", "p"]).unwrap();
        assert_eq!((free.search.bound, free.search.reduction), (None, Reduction::Source));
    }

    #[test]
    fn the_width_is_that_of_a_beam() {
        let beam = plan(&["--algo", "beam", "p"]).unwrap();
        assert_eq!(beam.search.heuristic.map(|named| named.name), Some("pl2"));
        assert_eq!(beam.configuration().limits.width, Some(1000));
        let wide = plan(&["--algo", "beam", "--width", "5000", "--heur", "mb", "p"]).unwrap();
        assert_eq!(wide.configuration().limits.width, Some(5000));
        assert_eq!(plan(&["--algo", "bfs", "p"]).unwrap().configuration().limits.width, None);
    }

    #[test]
    fn the_later_option_wins() {
        let plan = plan(&["--algo", "bfs", "--algo", "id", "p"]).unwrap();
        assert_eq!(plan.search.algorithm, Algorithm::Id);
    }

    #[test]
    fn what_may_be_given_twice_is_kept_twice() {
        let words = ["--env", "A=1", "--env", "B=2", "--find", "exit", "--find", "memory", "p"];
        let plan = plan(&words).unwrap();
        assert_eq!(plan.guest.environment, [b"A=1", b"B=2"]);
        assert_eq!(plan.find, [ErrorClass::Memory, ErrorClass::Exit]);
    }

    #[test]
    fn trails_have_names() {
        let mut plan = plan(&["dir/prog-1.2"]).unwrap();
        assert_eq!(plan.trail_file(0), Path::new("prog-1.2.trail"));
        assert_eq!(plan.trail_file(1), Path::new("prog-1.2-2.trail"));
        plan.trail = "out/x".into();
        assert_eq!(plan.trail_file(2), Path::new("out/x-3"));
    }
}
