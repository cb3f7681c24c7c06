//! What was typed after `steam check` and `steam replay`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use steam_check::{
    AlgorithmName, Atomic, Choice, ErrorClass, Judgement, Mld, Pilots, Privacy, Reduction, Search,
    Store, Volatile, Waits,
};
use steam_session::{HEURISTICS, Named};
use steam_trail::quantity::{parse_duration, parse_size};
use steam_trail::render::View;

use super::claims::ClaimArguments;
use super::program::ProgramArguments;

const CHECK_HELP: &str = "\
Examples:
  steam check glob.c                             find the error in a source
  steam check philosophers -- 5                  a program with an argument of its own
  steam check --algo bfs glob.c                  the shortest trail
  steam check --algo astar --heur pl2 prog       a short trail in a large program
  steam check --algo beam --width 5000 prog      the same with less memory, not for proofs
  steam check --store bitstate --memory 4G prog  a program with too many states
  steam check --preemptions 2 prog               few switches first, when all are too many
  steam check --algo pct --timeout 5m prog       random schedules, when all are too many
  steam check --invariant 'used <= 4' prog       what holds in every state
  steam check --ltl 'G (want -> F got)' prog     what every run fulfils
  steam replay glob.trail                        run the schedule of an error again

Exit status: 0 everything was explored and nothing is wrong, 1 an error of the program was found, \
2 something is wrong with the command line, a file or the compiler, 3 a limit was reached or the \
program needs something that is not modelled, 130 interrupted before an error was found, 101 an \
error of steam itself.";

const REPLAY_HELP: &str = "\
Examples:
  steam replay glob.trail                          the recorded program, which must not have changed
  steam replay glob.trail --print 'queue[head].id'   the value of an expression along the way
  steam replay glob.trail --loose                  after it was compiled again
  steam replay glob.trail --loose --program fixed  another program along the same lines

Exit status: 0 the error was reproduced, 2 something is wrong with the command line or a file, 3 \
the program changed or went another way, 101 an error of steam itself.";

/// `steam check`.
#[derive(Debug, Args)]
#[command(after_help = CHECK_HELP, args_override_self = true)]
pub struct CheckArguments {
    /// One static i386 executable; or C and C++ sources, objects and archives.
    #[arg(value_name = "PROG|SRC", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Arguments of the program.
    #[arg(value_name = "ARGS", last = true)]
    pub arguments: Vec<OsString>,
    /// How to look for errors.
    #[command(flatten)]
    pub search: SearchArguments,
    /// What one step is, and what counts as an error.
    #[command(flatten)]
    pub judgement: JudgementArguments,
    /// What states and runs have to fulfil.
    #[command(flatten)]
    pub claims: ClaimArguments,
    /// What is remembered, and when to give up.
    #[command(flatten)]
    pub limits: LimitArguments,
    /// What the program gets.
    #[command(flatten)]
    pub guest: GuestArguments,
    /// What is printed.
    #[command(flatten)]
    pub output: OutputArguments,
    /// Where the report goes instead of standard output.
    #[arg(short = 'o', value_name = "FILE", help_heading = "Output")]
    pub report: Option<PathBuf>,
    /// Where the schedule of an error is kept [default: PROG.trail].
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub trail: Option<PathBuf>,
    /// Show the value of a C expression over globals and statics along the trail, wherever it changes;
    /// may be given more than once.
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true, help_heading = "Output")]
    pub print: Vec<String>,
    /// How the search reports where it is: auto is a line on a terminal and nothing elsewhere.
    #[arg(long, value_enum, default_value_t, value_name = "HOW", help_heading = "Output")]
    pub progress: ProgressChoice,
}

/// The order of the search.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArguments {
    /// The order in which schedules are tried.
    #[arg(
        long,
        value_parser = choice::<AlgorithmName>(),
        default_value_t = Search::default().algorithm,
        value_name = "ORDER"
    )]
    pub algo: AlgorithmName,
    /// What looks near to an error, for bf, astar, beam and ida [default: pl2].
    #[arg(long, value_parser = heuristic_names(), value_name = "NAME")]
    pub heur: Option<String>,
    /// How much the heuristic counts against the length of the trail, for astar [default: 1].
    #[arg(long, value_parser = parse_weight, allow_negative_numbers = true, value_name = "W")]
    pub weight: Option<Weight>,
    /// How many states of a level are expanded, for beam [default: 1000].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..), value_name = "N")]
    pub width: Option<u32>,
    /// Which executions are left out: none; sleep, persistent or source, for stateless [default: source; none
    /// within --preemptions or --delays]; stubborn, for dfs, bfs, bf, astar and beam [default: none].
    #[arg(long, value_parser = choice::<Reduction>(), value_name = "HOW")]
    pub por: Option<Reduction>,
    /// Explore the schedules with at most so many preemptions: switches of a thread that could have
    /// gone on.
    #[arg(long, value_name = "N", conflicts_with = "delays")]
    pub preemptions: Option<u32>,
    /// Explore the schedules with at most so many delays: each passes over a thread whose turn it is.
    #[arg(long, value_name = "N")]
    pub delays: Option<u32>,
    /// What random choices depend on.
    #[arg(long, default_value_t = Search::default().seed, value_name = "N")]
    pub seed: u64,
    /// What the few random runs before the search are for.
    #[arg(
        long,
        alias = "scouts",
        value_parser = choice::<Pilots>(),
        default_value_t = Search::default().pilots,
        value_name = "USE"
    )]
    pub pilots: Pilots,
    /// Schedules to try, for random and pct [default: 10000].
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), value_name = "N")]
    pub runs: Option<u64>,
    /// Look no further than this many steps from the start.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..), value_name = "N")]
    pub depth: Option<u32>,
    /// Workers; 0 is one for each core.
    #[arg(long, default_value_t = Search::default().jobs, value_name = "N")]
    pub jobs: usize,
}

/// Steps and errors.
#[derive(Debug, Args)]
#[command(next_help_heading = "Steps and errors")]
pub struct JudgementArguments {
    /// What cannot be interrupted: all up to the next shared access (lgc), a source line, or a
    /// machine instruction.
    #[arg(
        long,
        value_parser = choice::<Atomic>(),
        default_value_t = Judgement::default().atomic,
        value_name = "STEP",
        conflicts_with = "no_lgc"
    )]
    pub atomic: Atomic,
    /// The same as --atomic line.
    #[arg(long)]
    pub no_lgc: bool,
    /// What counts as an error, separated by commas [default: usual, which is all but livelock, exit
    /// and lock-kept].
    #[arg(long, value_parser = error_names(), value_delimiter = ',', value_name = "KINDS")]
    pub find: Vec<String>,
    /// A variable, a member (`struct node.next`) or a function whose accesses are atomic although the
    /// debug information does not say; may be given more than once.
    #[arg(long, value_name = "NAME")]
    pub atomic_var: Vec<String>,
    /// What accesses to volatile objects are: races like others, or atomic, as kernels and code older than
    /// C11 want them.
    #[arg(
        long,
        value_parser = choice::<Volatile>(),
        default_value_t = Volatile::Race,
        value_name = "WHAT"
    )]
    pub volatile: Volatile,
    /// A variable, a member or a function whose races are intended; may be given more than once.
    #[arg(long, value_name = "NAME")]
    pub intended_race: Vec<String>,
    /// Leave out the errors of a file, one entry a line: kind and name, as reports print them (race:counter);
    /// `*` stands for any text. May be given more than once.
    #[arg(long, value_name = "FILE")]
    pub suppress: Vec<PathBuf>,
    /// The mutex locking discipline: each variable that threads share is read-only once they run, or has
    /// one lock that is held at every access. use explores no orders of accesses that such a lock orders, and finds the
    /// same errors; auto does so in searches with a store, without bounds and claims, as long as it pays; off explores
    /// them all; compose is use, and in addition takes a section under a lock for one operation, which matters to --algo
    /// stateless. check reports variables that violate it, whatever the order of accesses; plain those that violate it
    /// in some execution, whose first thread initialises.
    #[arg(
        long,
        value_parser = choice::<Mld>(),
        default_value_t = Mld::Auto,
        value_name = "HOW"
    )]
    pub mld: Mld,
    /// Whether a thread has for itself the blocks of the heap that no other thread can reach in a state: its accesses to
    /// them are no steps then. off is for comparisons.
    #[arg(
        long,
        value_parser = choice::<Privacy>(),
        default_value_t = Privacy::On,
        value_name = "HOW"
    )]
    pub privacy: Privacy,
    /// Whether a thread that can only wait (it loops until others act, has yielded, or stands at a join) is left for nothing
    /// by --preemptions and --delays, and comes last in random and pct; and
    /// whether what it only counts meanwhile is left out of states. off is for comparisons.
    #[arg(
        long,
        value_parser = choice::<Waits>(),
        default_value_t = Waits::On,
        value_name = "HOW"
    )]
    pub waits: Waits,
    /// A program that ends with another status than 0 is in error too.
    #[arg(long)]
    pub exit_status: bool,
    /// Go on after the first error.
    #[arg(long)]
    pub all: bool,
    /// Do not look for uses of values that were never written.
    #[arg(long)]
    pub no_uninitialised: bool,
    /// Let waits for a condition, and waits at a futex, end although no thread woke it, as the standard
    /// and Linux allow.
    #[arg(long)]
    pub spurious: bool,
    /// Let the clock stand still: a program that reads it never finds that time has passed. Otherwise it
    /// goes on where a wait ends by its limit of time, and may leap ahead where it is read again.
    #[arg(long)]
    pub still_clock: bool,
    /// When the search is over, do what it calls independent in both orders along random schedules, and
    /// compare the states: what --por relies on.
    #[arg(long)]
    pub audit_independence: bool,
    /// States in a row in which a thread may wait while others go on, for stateless; more is an error
    /// (as VeriSoft defines livelock). Nothing is left out then unless --por says so. Cycles, which dfs
    /// sees, are looked for by --find livelock.
    #[arg(long, value_name = "N")]
    pub livelock: Option<u32>,
    /// A line of the program that is progress, as FILE:LINE, so that cycles over it are no livelocks;
    /// looks for livelocks too. May be given more than once.
    #[arg(long, value_name = "FILE:LINE")]
    pub progress_line: Vec<String>,
    /// Instructions of one step after which its thread diverges, which is an error (as VeriSoft defines it). Without
    /// it a thread diverges only where it was seen to come back to where it was; where it runs for 100000000
    /// instructions the verdict is unknown.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), value_name = "N")]
    pub divergence: Option<u64>,
}

/// Store and limits.
#[derive(Debug, Args)]
#[command(next_help_heading = "Store and limits")]
pub struct LimitArguments {
    /// How visited states are remembered.
    #[arg(
        long,
        value_parser = choice::<Store>(),
        default_value_t = Store::Tree,
        value_name = "STORE"
    )]
    pub store: Store,
    /// Give up when so much memory is in use, such as 900M or 4G [default: 80 % of what
    /// the machine or the control group has].
    #[arg(long, value_parser = parse_size, value_name = "SIZE")]
    pub memory: Option<u64>,
    /// Give up after a time such as 90s, 20m or 1h30m.
    #[arg(long, value_parser = parse_duration, value_name = "TIME")]
    pub timeout: Option<Duration>,
    /// Give up after so many states.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), value_name = "N")]
    pub max_states: Option<u64>,
}

/// What the guest gets, and how it is compiled.
#[derive(Debug, Args)]
#[command(next_help_heading = "Program")]
pub struct GuestArguments {
    /// What the program reads from its standard input, which is empty otherwise.
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,
    /// The rest of it.
    #[command(flatten)]
    pub program: ProgramArguments,
}

/// What is printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArguments {
    /// The form of the report: for people, one line for editors, or for programs.
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    pub format: Format,
    /// Steps of a trail that are printed; the middle of a longer one is left out.
    #[arg(long, default_value_t = View::default().max_steps, value_name = "N")]
    pub max_steps: usize,
    /// Leave out times and memory, so that the same check prints the same bytes.
    #[arg(long)]
    pub no_times: bool,
    /// When to use colours.
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorChoice,
    /// Print the verdict alone.
    #[arg(short, long)]
    pub quiet: bool,
}

/// `steam replay`.
#[derive(Debug, Args)]
#[command(after_help = REPLAY_HELP, args_override_self = true)]
pub struct ReplayArguments {
    /// A trail file, as steam check writes it.
    #[arg(value_name = "TRAIL")]
    pub trail: PathBuf,
    /// Run this executable instead of the one that the trail names.
    #[arg(long, value_name = "PROG")]
    pub program: Option<PathBuf>,
    /// Follow lines instead of addresses, for a program that was compiled again.
    #[arg(long)]
    pub loose: bool,
    /// Show the value of a C expression over globals and statics wherever it changes; may be given
    /// more than once.
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub print: Vec<String>,
    /// What is printed.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// The names of a choice, with what each means.
pub fn choice<C: Choice>() -> impl TypedValueParser<Value = C> {
    let names =
        PossibleValuesParser::new(C::ALL.iter().map(|it| value(it.name(), it.description())));
    names.map(|name| C::named(&name).expect("only names of choices are taken"))
}

/// The usual errors, by the name for all of them.
pub const USUAL: &str = "usual";

/// The names of classes of errors, and that of the usual ones.
fn error_names() -> PossibleValuesParser {
    let classes = ErrorClass::ALL.iter().map(|it| value(it.name(), it.description()));
    let usual = value(USUAL, "All of these but livelock, exit and lock-kept.");
    PossibleValuesParser::new(classes.chain([usual]))
}

/// A value with its help, which ends without a full stop as clap's own lists do.
fn value(name: &'static str, description: &'static str) -> PossibleValue {
    PossibleValue::new(name).help(description.trim_end_matches('.'))
}

/// The names of the heuristics, with what each prefers.
pub fn heuristic_names() -> PossibleValuesParser {
    let value = |named: &Named| PossibleValue::new(named.name).help(named.description);
    PossibleValuesParser::new(HEURISTICS.iter().map(value))
}

/// The form of the report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Human,
    /// One line, as compilers write errors.
    Short,
    /// One JSON object.
    Json,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How a search reports where it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ProgressChoice {
    /// On a terminal a line that is overwritten, elsewhere nothing.
    #[default]
    Auto,
    /// A line every ten seconds.
    Plain,
    /// Nothing.
    None,
}

/// How much a heuristic counts, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weight(pub u32);

fn parse_weight(text: &str) -> Result<Weight, String> {
    let wrong = || format!("`{text}` is no weight: write a number from 0 to 1000, such as 1.5");
    let number: f64 = text.parse().map_err(|_| wrong())?;
    if !(0.0..=1000.0).contains(&number) {
        return Err(wrong());
    }
    Ok(Weight((number * 100.0).round() as u32))
}
