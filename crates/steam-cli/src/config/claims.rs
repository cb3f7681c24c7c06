//! What states and runs have to fulfil, as it was typed.

use anyhow::{Context, anyhow, bail};
use steam_check::ClaimTexts;
use steam_ltl::{Atoms, parse};

use crate::args::claims::ClaimArguments;
use crate::input_file::read_text;

/// Longer files are no files of formulas or automata.
const LONGEST: u64 = 16 << 20;

/// The formula that every run ends.
const TERMINATION: &str = "F ended()";

/// Makes of it what is claimed.
pub fn claims(typed: ClaimArguments) -> anyhow::Result<ClaimTexts> {
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
    let fair = typed.fair.unwrap_or(ClaimTexts::default().fair);
    Ok(ClaimTexts { invariants: typed.invariant, formulas, automata, fair })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_end_lines() {
        assert_eq!(without_comment("G a  # always"), "G a");
        assert_eq!(without_comment("G c != '#' # x"), "G c != '#'");
        assert_eq!(without_comment("# nothing"), "");
    }
}
