//! "A New Approach to Stateless Model Checking of LTL Properties": its example, and the cases in
//! which its scheme, taken at its word, is wrong.

mod mutual_exclusion;
mod scheme;

use mutual_exclusion::SCHEDULE;
use scheme::Scheme;
use steam_ltl::actors::{Master, Moment, RunVerdict, table};
use steam_ltl::{AtomId, Atoms, Lasso, Syntax, Valuation, parse};

/// Valuations from rows of letters: each row is an atom, each column a state, `T` where it holds.
fn states(rows: &[&str]) -> Vec<Valuation> {
    let holds = |row: &str, column: usize| row.as_bytes()[column] == b'T';
    (0..rows[0].len())
        .map(|column| {
            let atoms = rows.iter().enumerate();
            atoms.fold(Valuation::default(), |state, (atom, row)| {
                state.with(AtomId(atom as u8), holds(row, column))
            })
        })
        .collect()
}

fn property(text: &str, names: &[&str]) -> (Syntax, Atoms) {
    let mut atoms = Atoms::default();
    for name in names {
        atoms.number(name).expect("few atoms");
    }
    let syntax = parse(text, &mut atoms).expect("a formula");
    (syntax, atoms)
}

fn ours(syntax: &Syntax, run: &[Valuation], finished: bool) -> RunVerdict {
    let mut master = Master::new(std::slice::from_ref(syntax));
    run.iter().for_each(|state| master.state(*state));
    if finished {
        master.finish();
    }
    master.checkers()[0].verdict()
}

/// Table 2: the schedule of Figure 10, in which both threads come into the critical section. The upper part
/// is what the program of the figure comes to; the paper prints `x` and `b1` a column too early where the
/// first thread writes them (2 from s3 on, True from s4 on), and `b2`, which the second one writes at the same
/// location, where it should. Nothing that is checked depends on that.
#[test]
fn table_2() {
    let (syntax, atoms) = property("!(true U (crit1 && crit2))", &["crit1", "crit2"]);
    assert_eq!(
        mutual_exclusion::upper_part(&SCHEDULE),
        "scheduled - 2 2 1 1 1 1 1 2 2 2\n\
         T1 at     1 1 1 2 3 4 5 6 6 6 6\n\
         T2 at     1 2 3 3 3 3 3 3 4 5 6\n\
         x         1 1 1 1 2 2 2 2 2 2 2\n\
         b1        F F F F F T T T T T T\n\
         b2        F F F F F F F F T T T\n\
         crit1     F F F F F F F T T T T\n\
         crit2     F F F F F F F F F F T\n"
    );
    let program = mutual_exclusion::states(&SCHEDULE);
    let run: Vec<Valuation> = program.iter().map(|state| state.valuation()).collect();
    assert_eq!(run, states(&["FFFFFFFTTTT", "FFFFFFFFFFT"]));
    let mut master = Master::new(std::slice::from_ref(&syntax));
    run.iter().for_each(|state| master.state(*state));
    let checker = &master.checkers()[0];
    assert_eq!(checker.verdict(), RunVerdict::Violated(Moment::State(10)));
    assert_eq!(
        table(&master, checker, &atoms),
        "                            s0  s1  s2  s3  s4  s5  s6  s7  s8  s9  s10\n\
         worker 1: !                 -   -   -   -   -   -   -   -   -   -   F(0-10)\n\
         worker 2: U                 -   -   -   -   -   -   -   -   -   -   T(0-10)\n\
         condition checker 1: true   T   T   T   T   T   T   T   T   T   T   T\n\
         worker 3: &&                F   F   F   F   F   F   F   F   F   F   T\n\
         condition checker 2: crit1  F   F   F   F   F   F   F   T   T   T   T\n\
         condition checker 3: crit2  F   F   F   F   F   F   F   F   F   F   T\n"
    );
    // The paper's own scheme comes to the same here.
    assert_eq!(Scheme::new(&syntax).run(&run), Some(false));
}

/// A property of one run on which the paper's scheme answers otherwise.
struct Case {
    text: &'static str,
    atoms: &'static [&'static str],
    run: &'static [&'static str],
    /// What the scheme of the paper says.
    theirs: Option<bool>,
    /// What the property comes to.
    truth: bool,
}

#[track_caller]
fn differs(case: &Case) {
    let (syntax, _) = property(case.text, case.atoms);
    let run = states(case.run);
    assert_eq!(Scheme::new(&syntax).run(&run), case.theirs, "the paper's scheme");
    let direct = Lasso::finished(run.clone()).expect("a run has states").fulfils(&syntax);
    assert_eq!(direct, case.truth, "the meaning of {}", case.text);
    let holds = matches!(ours(&syntax, &run, true), RunVerdict::Holds(_));
    assert_eq!(holds, case.truth, "our answer to {}", case.text);
}

/// First state of `U`: the right side alone is enough, the paper wants both.
#[test]
fn error_1_until_wants_both_sides_at_first() {
    differs(&Case {
        text: "!p U q",
        atoms: &["p", "q"],
        run: &["FTF", "FTF"],
        theirs: Some(false),
        truth: true,
    });
}

/// A worker answers once: `G F p` comes to "some p was seen".
#[test]
fn error_2_a_worker_answers_once() {
    differs(&Case {
        text: "!(true U !(true U p))",
        atoms: &["p"],
        run: &["FTFFF"],
        theirs: None,
        truth: false,
    });
}

/// `&&` joins what arrives: `F p` of the first state with `q` of a later one.
#[test]
fn error_3_and_joins_answers_about_different_states() {
    differs(&Case {
        text: "(true U p) && q",
        atoms: &["p", "q"],
        run: &["FFFT", "FFTT"],
        theirs: Some(true),
        truth: false,
    });
}

/// No message about the end: an open `U` never answers.
#[test]
fn error_4_nobody_is_told_of_the_end() {
    differs(&Case { text: "true U p", atoms: &["p"], run: &["FFF"], theirs: None, truth: false });
}

/// The first state is not looked at.
#[test]
fn error_5_the_first_state_is_left_out() {
    differs(&Case {
        text: "!(true U !p)",
        atoms: &["p"],
        run: &["FTT"],
        theirs: None,
        truth: false,
    });
    differs(&Case { text: "p", atoms: &["p"], run: &["FT"], theirs: Some(true), truth: false });
}

/// Theorem 1 takes "no iteration said false" for "the program satisfies the property". An iteration
/// may be cut off, and an order of independent steps that is left out may be the one that violates.
#[test]
fn error_6_iterations_are_not_paths() {
    let satisfied = |syntax: &Syntax, iterations: &[Vec<Valuation>]| {
        iterations.iter().all(|run| Scheme::new(syntax).run(run) != Some(false))
    };
    let (syntax, _) = property("true U p", &["p"]);
    let cut_off = states(&["FFF"]);
    assert!(satisfied(&syntax, std::slice::from_ref(&cut_off)), "the paper: it holds");
    assert_eq!(ours(&syntax, &cut_off, false), RunVerdict::Open, "nobody knows yet");
    assert_eq!(ours(&syntax, &cut_off, true), RunVerdict::Violated(Moment::End));

    // Two threads write p and q. The writes are independent, so that partial order reduction
    // looks at one order.
    let (syntax, _) = property("!(true U (q && !p))", &["p", "q"]);
    let [one, other] = [states(&["FFTT", "FFFT"]), states(&["FFFT", "FFTT"])];
    assert!(satisfied(&syntax, std::slice::from_ref(&one)), "the paper: it holds");
    assert!(matches!(ours(&syntax, &one, true), RunVerdict::Holds(_)));
    assert_eq!(ours(&syntax, &other, true), RunVerdict::Violated(Moment::State(2)));
}
