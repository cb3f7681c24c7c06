//! What a program is to fulfil: invariants, formulas and automata over one table of atoms.

use steam_expr::ProgramNames;
use steam_ltl::{
    Atoms, Automaton, Binary, Formula, Formulas, Lasso, Property, Syntax, Unary, Valuation,
    is_stutter_invariant, parse, read_hoa,
};
use steam_program::Program;

use crate::ProgramPropositions;
use crate::error::PropsError;
use crate::monitor::ClaimMonitor;
use crate::thread::mentions_threads;

/// The largest number of acceptance sets that a search can look for.
const MOST_SETS: u32 = 32;

/// What kind of thing is claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimKind {
    /// Something that holds in every state.
    Invariant,
    /// A formula about runs.
    Formula,
    /// An automaton whose runs are wrong.
    Automaton,
}

/// One thing that is claimed.
#[derive(Debug)]
pub struct Claim {
    /// What kind of thing it is.
    pub kind: ClaimKind,
    /// It, as it was written; the name of the file of an automaton.
    pub text: String,
    /// Accepts the runs that break it.
    pub violations: Automaton,
    /// A run that breaks it does so after finitely many states.
    pub is_safety: bool,
    /// It counts steps.
    pub uses_next: bool,
    /// As a formula, unless it is an automaton.
    pub syntax: Option<Syntax>,
}

/// All that is claimed.
#[derive(Debug, Default)]
pub struct Claims {
    /// The claims, invariants first.
    pub list: Vec<Claim>,
    atoms: Atoms,
}

impl Claims {
    /// Whether nothing is claimed.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds an invariant: an expression of C, or such joined with atoms about threads.
    pub fn add_invariant(&mut self, program: &Program, text: &str) -> Result<(), PropsError> {
        let wrong = |why: &str| PropsError::new(text, why);
        let mut names = ProgramNames::new(program.image()).map_err(PropsError::no_names)?;
        let syntax = match names.compile(text, None) {
            Err(_) if mentions_threads(text) => {
                let syntax = parse(text, &mut self.atoms);
                syntax.map_err(|error| wrong(&error.explain(text)))?
            }
            Err(error) => return Err(wrong(&error.explain(text))),
            Ok(_) => {
                let atom = self.atoms.number(text);
                Syntax::Atom(atom.ok_or_else(|| wrong("there are more than 64 atoms"))?)
            }
        };
        if is_temporal(&syntax) {
            return Err(wrong(
                "an invariant is about single states; operators of time are for --ltl",
            ));
        }
        let always = Syntax::unary(Unary::Globally, syntax);
        self.add(ClaimKind::Invariant, text, always).map_err(|why| wrong(&why))
    }

    /// Adds a formula.
    pub fn add_formula(&mut self, text: &str) -> Result<(), PropsError> {
        let wrong = |why: &str| PropsError::new(text, why);
        let syntax = parse(text, &mut self.atoms).map_err(|it| wrong(&it.explain(text)))?;
        self.add(ClaimKind::Formula, text, syntax).map_err(|why| wrong(&why))
    }

    /// Adds an automaton of wrong runs, from the text of its file.
    pub fn add_automaton(&mut self, name: &str, text: &str) -> Result<(), PropsError> {
        let wrong = |why: &str| PropsError::new(name, why);
        let violations = read_hoa(text, &mut self.atoms).map_err(|it| wrong(&it.explain(text)))?;
        let violations = violations.reduce();
        if violations.sets > MOST_SETS {
            return Err(wrong("it has more than 32 acceptance sets"));
        }
        self.list.push(Claim {
            kind: ClaimKind::Automaton,
            text: name.to_owned(),
            is_safety: violations.strength() == steam_ltl::Strength::Terminal,
            // It may count steps, unless its file says that it does not.
            uses_next: !is_stutter_invariant(text),
            violations,
            syntax: None,
        });
        Ok(())
    }

    fn add(&mut self, kind: ClaimKind, text: &str, syntax: Syntax) -> Result<(), String> {
        let property = Property::new(syntax, &self.atoms).map_err(|why| why.to_string())?;
        if property.violations.sets > MOST_SETS {
            return Err("it needs more than 32 acceptance sets; split it into several".to_owned());
        }
        self.list.push(Claim {
            kind,
            text: text.to_owned(),
            violations: property.violations,
            is_safety: property.is_safety,
            uses_next: property.uses_next,
            syntax: Some(property.syntax),
        });
        Ok(())
    }

    /// Gives the atoms a meaning.
    pub fn propositions(&self, program: &Program) -> Result<ProgramPropositions, PropsError> {
        let texts: Vec<String> = self.atoms.iter().map(|(_, text)| text.to_owned()).collect();
        ProgramPropositions::new(program, &texts)
    }
}

impl Claim {
    /// Whether a run breaks it: the valuations of its states one after the other, of which those from
    /// `back` on are repeated for ever; without it the run may go on in any way.
    pub fn is_broken_by(&self, states: &[u64], back: Option<u32>) -> bool {
        let word: Vec<Valuation> = states.iter().map(|bits| Valuation(*bits)).collect();
        let Some(back) = back else {
            let monitor = ClaimMonitor::new([&self.violations]);
            let read = |at: u32, bits: &u64| monitor.next(at, *bits);
            let broken = monitor.broken(states.iter().fold(monitor.initial(), read)) != 0;
            return broken || self.syntax.as_ref().is_some_and(|syntax| fails(syntax, &word));
        };
        let run = match Lasso::new(word.clone(), back as usize) {
            Some(run) => Some(run),
            None => Lasso::finished(word),
        };
        run.is_some_and(|run| {
            let broken = self.syntax.as_ref().is_none_or(|syntax| !run.fulfils(syntax));
            broken && run.accepted_by(&self.violations)
        })
    }

    /// Whether it holds in a state; nothing if it is not about single states.
    pub fn holds_in(&self, bits: u64) -> Option<bool> {
        match &self.syntax {
            Some(Syntax::Unary(Unary::Globally, inner)) if self.kind == ClaimKind::Invariant => {
                Some(holds(inner, Valuation(bits)))
            }
            _ => None,
        }
    }

    /// The atoms that it is made of: a bit for each.
    pub fn atoms(&self) -> u64 {
        match &self.syntax {
            Some(syntax) => atoms_of(syntax),
            None => {
                let labels = self.violations.states.iter().flatten().map(|one| one.label);
                let atoms = labels.flat_map(|label| label.literals().collect::<Vec<_>>());
                atoms.fold(0, |bits, (atom, _)| bits | 1 << atom.0)
            }
        }
    }

    /// What is said of a run that breaks it.
    pub fn message(&self) -> String {
        match self.kind {
            ClaimKind::Invariant => format!("`{}` is false", self.text),
            ClaimKind::Formula => format!("`{}` is violated", self.text),
            ClaimKind::Automaton => format!("the automaton of {} accepts a run", self.text),
        }
    }
}

/// Whether nothing of a formula can be fulfilled after these states.
fn fails(syntax: &Syntax, word: &[Valuation]) -> bool {
    let mut formulas = Formulas::new();
    let whole = formulas.formula(syntax);
    let whole = formulas.simplify(whole);
    word.iter().fold(whole, |left, state| formulas.progress(left, *state)) == Formula::FALSE
}

/// The truth of a formula without operators of time.
fn holds(syntax: &Syntax, state: Valuation) -> bool {
    match syntax {
        Syntax::True => true,
        Syntax::False => false,
        Syntax::Atom(atom) => state.holds(*atom),
        // There are no operators of time: that was seen when it was added.
        Syntax::Unary(_, operand) => !holds(operand, state),
        Syntax::Binary(operator, left, right) => {
            let (left, right) = (holds(left, state), holds(right, state));
            match operator {
                Binary::And => left && right,
                Binary::Or => left || right,
                Binary::Implies => !left || right,
                _ => left == right,
            }
        }
    }
}

fn atoms_of(syntax: &Syntax) -> u64 {
    match syntax {
        Syntax::True | Syntax::False => 0,
        Syntax::Atom(atom) => 1 << atom.0,
        Syntax::Unary(_, operand) => atoms_of(operand),
        Syntax::Binary(_, left, right) => atoms_of(left) | atoms_of(right),
    }
}

fn is_temporal(syntax: &Syntax) -> bool {
    match syntax {
        Syntax::True | Syntax::False | Syntax::Atom(_) => false,
        Syntax::Unary(Unary::Not, operand) => is_temporal(operand),
        Syntax::Unary(..) => true,
        Syntax::Binary(operator, left, right) => {
            let plain =
                matches!(operator, Binary::And | Binary::Or | Binary::Implies | Binary::Iff);
            !plain || is_temporal(left) || is_temporal(right)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(formulas: &[&str]) -> Claims {
        let mut claims = Claims::default();
        for formula in formulas {
            claims.add_formula(formula).expect("a formula");
        }
        claims
    }

    #[test]
    fn a_run_is_judged_by_what_repeats() {
        let claims = claims(&["G F a", "G a"]);
        let [again, always] = &claims.list[..] else { panic!("two claims") };
        assert!(!again.is_safety && always.is_safety);
        assert!(!again.is_broken_by(&[0, 1, 0], Some(1)), "a comes again and again");
        assert!(again.is_broken_by(&[0, 1, 0], Some(2)), "it comes once");
        assert!(again.is_broken_by(&[1, 0], Some(7)), "the run has ended");
        assert!(always.is_broken_by(&[1, 0], None) && !always.is_broken_by(&[1, 1], None));
        assert!(!again.is_broken_by(&[0], None), "nobody knows what comes");
    }

    #[test]
    fn atoms_are_those_of_the_claim() {
        let claims = claims(&["G (x == 1 -> F y)", "F y", "G X y"]);
        let atoms: Vec<u64> = claims.list.iter().map(Claim::atoms).collect();
        assert_eq!(atoms, [0b11, 0b10, 0b10]);
        assert!(claims.list[2].uses_next && !claims.list[0].uses_next);
        assert_eq!(claims.list[1].message(), "`F y` is violated");
    }

    #[test]
    fn automata_say_whether_they_count_steps() {
        let mut claims = Claims::default();
        let text = |properties: &str| {
            format!(
                "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n{properties}\
                 --BODY--\nState: 0 {{0}}\n[!0] 0\n--END--\n"
            )
        };
        claims.add_automaton("one", &text("")).expect("an automaton");
        claims.add_automaton("two", &text("properties: stutter-invariant\n")).expect("another");
        assert!(claims.list[0].uses_next && !claims.list[1].uses_next);
        for nothing in ["properties: !stutter-invariant\n", "name: \"stutter-invariant\"\n"] {
            claims.add_automaton("not so", &text(nothing)).expect("one more");
            assert!(claims.list.last().is_some_and(|claim| claim.uses_next), "{nothing}");
        }
        assert!(claims.list[0].is_broken_by(&[0, 0], Some(0)));
        assert!(!claims.list[0].is_broken_by(&[0, 1], Some(0)));
        assert!(claims.add_automaton("three", "HOA: v2").is_err());
    }
}
