//! `steam ltl`: how a temporal formula is understood, and the automaton of its violations.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::anyhow;
use steam_ltl::{
    Atoms, Automaton, Property, Strength, Syntax, dot, hoa, is_stutter_invariant, lines, parse,
    read_hoa,
};

use crate::args::LtlArguments;
use crate::input_file::read_text;
use crate::outcome::Outcome;
use crate::terminal;

/// Automata are small; a longer file is another kind of file.
const LONGEST_FILE: u64 = 64 << 20;

/// Prints a formula as it was understood, or its automaton alone.
pub fn ltl(typed: &LtlArguments) -> anyhow::Result<Outcome> {
    let mut atoms = Atoms::default();
    let (title, automaton, stutters, told) = match (&typed.formula, &typed.automaton) {
        (Some(formula), _) => {
            let syntax = parse(formula, &mut atoms).map_err(|error| {
                anyhow!("the formula is not understood\n{}", error.explain(formula))
            })?;
            let property = Property::new(syntax, &atoms)?;
            let title = property.negation.display(&atoms).to_string();
            let told = told(&property, &atoms, formula);
            (title, property.violations, !property.uses_next, told)
        }
        (None, Some(path)) => {
            let (automaton, stutters) = read(path, &mut atoms)?;
            let told = of_automaton(&automaton, &atoms, "the runs of the file are violations");
            (path.display().to_string(), automaton, stutters, told)
        }
        (None, None) => return Err(anyhow!("name a formula or an automaton")),
    };
    terminal::print(&match (typed.dot, typed.hoa) {
        (true, _) => dot(&automaton, &atoms, &title),
        (_, true) => hoa(&automaton, &atoms, &title, stutters),
        _ => told,
    })?;
    Ok(Outcome::Success)
}

/// The automaton of a file, made small, and whether repeating a state makes no difference to it.
fn read(path: &Path, atoms: &mut Atoms) -> anyhow::Result<(Automaton, bool)> {
    let name = path.display();
    let text = read_text(path, LONGEST_FILE)?;
    let automaton = read_hoa(&text, atoms)
        .map_err(|error| anyhow!("{name} is not understood\n{}", error.explain(&text)))?;
    Ok((automaton.reduce(), is_stutter_invariant(&text)))
}

/// Everything about a formula, and what to do next.
fn told(property: &Property, atoms: &Atoms, formula: &str) -> String {
    let mut text = format!("formula    {}\n", property.syntax.display(atoms));
    for (number, (_, atom)) in atoms.iter().enumerate() {
        let title = if number == 0 { "atoms" } else { "" };
        let _ = writeln!(text, "{title:<11}{atom}");
    }
    let class = match (property.is_safety, property.is_guarantee) {
        _ if property.violations.accepts_nothing() => "every run fulfils it",
        _ if property.negation == Syntax::True => "no run fulfils it",
        (true, true) => "safety and guarantee: finitely many states decide it",
        (true, false) => "safety: a violation is seen after finitely many states",
        (false, true) => "guarantee: a violation is a run on which something never comes",
        (false, false) => "neither safety nor guarantee: a violation is a whole run",
    };
    let steps = match property.uses_next {
        true => "X: the number of steps makes a difference",
        false => "no X: repeating a state makes no difference",
    };
    let _ = writeln!(text, "class      {class}\nsteps      {steps}");
    let negation = format!("a violation is a run of: {}", property.negation.display(atoms));
    let shown = formula.replace('\'', r"'\''");
    text + &of_automaton(&property.violations, atoms, &negation)
        + &format!("\nnext: steam ltl '{shown}' --dot | dot -Tsvg -o automaton.svg\n")
}

/// An automaton in words.
fn of_automaton(automaton: &Automaton, atoms: &Atoms, title: &str) -> String {
    let strength = match automaton.strength() {
        _ if automaton.accepts_nothing() => "empty: it accepts nothing",
        Strength::Terminal => "terminal: reaching a state that accepts everything is enough",
        Strength::Weak => "weak: a cycle that stays in an accepting part is enough",
        Strength::General => "general: a cycle must pass every acceptance set",
    };
    let count = |number: usize, word: &str| {
        format!("{number} {word}{}", if number == 1 { "" } else { "s" })
    };
    format!(
        "automaton  {title}\n           {}, {}, {}\n           {strength}\n\n{}",
        count(automaton.states.len(), "state"),
        count(automaton.transition_count(), "transition"),
        count(automaton.sets as usize, "acceptance set"),
        lines(automaton, atoms)
    )
}
