//! What states and runs have to fulfil, as it was typed, and as a trail keeps it.

use anyhow::{Context, anyhow, bail};
use steam_ltl::{Atoms, parse};
use steam_trail::{Setting, Trail};

use crate::args::claims::{ClaimArguments, Fair};
use crate::input_file::read_text;

/// Longer files are no files of formulas or automata.
const LONGEST: u64 = 16 << 20;

/// The formula that every run ends.
const TERMINATION: &str = "F ended()";

/// What is claimed of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClaimPlan {
    /// What holds in every state.
    pub invariants: Vec<String>,
    /// What every run fulfils.
    pub formulas: Vec<String>,
    /// Automata of wrong runs: name and text of the file.
    pub automata: Vec<(String, String)>,
    /// Which runs without an end count.
    pub fair: Fair,
}

/// Makes the plan of what is claimed.
pub fn claims(typed: ClaimArguments) -> anyhow::Result<ClaimPlan> {
    let mut formulas = typed.ltl;
    for path in &typed.ltl_file {
        let before = formulas.len();
        for (line, formula) in (1..).zip(read_text(path, LONGEST)?.lines().map(without_comment)) {
            if !formula.is_empty() {
                is_formula(&formula).with_context(|| format!("{}:{line}", path.display()))?;
                formulas.push(formula);
            }
        }
        if formulas.len() == before {
            bail!("--ltl-file {} has no formula in it", path.display());
        }
    }
    formulas.extend(typed.termination.then(|| TERMINATION.to_owned()));
    let mut automata = Vec::new();
    for path in &typed.automaton {
        automata.push((path.display().to_string(), read_text(path, LONGEST)?));
    }
    if typed.fair.is_some() && formulas.is_empty() && automata.is_empty() {
        bail!("--fair says which runs count for formulas; give one by --ltl");
    }
    let fair = typed.fair.unwrap_or_default();
    Ok(ClaimPlan { invariants: typed.invariant, formulas, automata, fair })
}

/// Whether a text is a formula; what its atoms mean is seen later.
fn is_formula(text: &str) -> anyhow::Result<()> {
    let parsed = parse(text, &mut Atoms::default());
    parsed.map_err(|error| anyhow!("the formula is not understood\n{}", error.explain(text)))?;
    Ok(())
}

/// A line up to its comment. A `#` within quotes begins none.
fn without_comment(line: &str) -> String {
    let mut quote = None;
    let comment = line.char_indices().find(|&(_, letter)| {
        match quote {
            None if letter == '#' => return true,
            None if matches!(letter, '\'' | '"') => quote = Some(letter),
            Some(open) if open == letter => quote = None,
            _ => {}
        }
        false
    });
    line[..comment.map_or(line.len(), |(at, _)| at)].trim().to_owned()
}

/// The name of the setting that says which claim a trail breaks.
pub const CLAIM: &str = "claim";
/// The names of the settings that keep claims in a trail.
pub const SETTINGS: [&str; 4] = ["invariant", "ltl", "automaton", CLAIM];

impl ClaimPlan {
    /// Whether nothing is claimed.
    pub fn is_empty(&self) -> bool {
        self.invariants.is_empty() && self.formulas.is_empty() && self.automata.is_empty()
    }

    /// Whether something is claimed of whole runs.
    pub fn is_about_runs(&self) -> bool {
        !self.formulas.is_empty() || !self.automata.is_empty()
    }

    /// What a replay must know of the claims.
    pub fn settings(&self) -> Vec<Setting> {
        let set = |name: &str, value: &str| Setting {
            name: name.to_owned(),
            value: value.as_bytes().to_vec(),
        };
        let invariants = self.invariants.iter().map(|text| set("invariant", text));
        let formulas = self.formulas.iter().map(|text| set("ltl", text));
        let automata =
            self.automata.iter().map(|(name, text)| set("automaton", &format!("{name}\n{text}")));
        invariants.chain(formulas).chain(automata).collect()
    }

    /// The claims that a trail keeps.
    pub fn of(trail: &Trail) -> ClaimPlan {
        let texts = |name: &str| -> Vec<String> {
            let values = trail.settings.iter().filter(|setting| setting.name == name);
            values.map(|setting| String::from_utf8_lossy(&setting.value).into_owned()).collect()
        };
        let automaton = |text: String| match text.split_once('\n') {
            Some((name, text)) => (name.to_owned(), text.to_owned()),
            None => (String::new(), text),
        };
        ClaimPlan {
            invariants: texts("invariant"),
            formulas: texts("ltl"),
            automata: texts("automaton").into_iter().map(automaton).collect(),
            fair: Fair::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_end_lines() {
        assert_eq!(without_comment("G a  # always"), "G a");
        assert_eq!(without_comment("G c != '#' # x"), "G c != '#'");
        assert_eq!(without_comment("# nothing"), "");
    }

    #[test]
    fn a_trail_keeps_what_is_claimed() {
        let plan = ClaimPlan {
            invariants: vec!["x < 3".into()],
            formulas: vec!["G F y".into(), "F x".into()],
            automata: vec![("a.hoa".into(), "HOA: v1\n--END--\n".into())],
            fair: Fair::Weak,
        };
        let trail = Trail { settings: plan.settings(), ..Trail::default() };
        assert_eq!(ClaimPlan::of(&trail), plan);
    }
}
