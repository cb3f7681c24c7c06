//! A run in sentences: which method was best on each model, and whether the expectations hold.

use crate::expectation::{Judged, best, judge};
use crate::method::Method;
use crate::outcome::Check;
use crate::run::Run;

/// A sentence for each model on which some method found the error.
pub(super) fn winners(run: &Run) -> Vec<String> {
    run.models().into_iter().filter_map(|model| winner(run, model)).collect()
}

/// Who reached the largest scale, and how many states that spared against whoever needed most at a
/// scale that both reached.
fn winner(run: &Run, model: &str) -> Option<String> {
    let cells = || run.cells.iter().filter(|cell| cell.model == model);
    let (method, check) = best(cells())?;
    let own = cells().find(|cell| cell.method == *method)?;
    let saved = cells().filter_map(|cell| {
        let common =
            |theirs: &&Check| theirs.found() && own.at(theirs.scale).is_some_and(Check::found);
        let theirs = cell.checks.iter().rfind(common)?;
        let factor = theirs.states as f64 / own.at(theirs.scale)?.states.max(1) as f64;
        Some((factor, theirs.scale, &cell.method))
    });
    let most = saved.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(factor, ..)| *factor > 1.0);
    let against = most.map_or_else(String::new, |(factor, scale, worst)| {
        format!(", at {scale} with {factor:.1} times fewer states than {}", full_name(worst))
    });
    Some(format!(
        "{model}: {} found the error at scale {}{against}",
        full_name(method),
        check.scale
    ))
}

fn full_name(method: &Method) -> String {
    format!("{} {}", method.name(), method.compaction)
}

/// A sentence for each expectation and model.
pub(super) fn expectations(run: &Run) -> Vec<String> {
    let judged = run.expectations.iter().flat_map(|expectation| judge(expectation, &run.cells));
    judged.map(|judged| sentence(&judged)).collect()
}

fn sentence(judged: &Judged<'_>) -> String {
    let Judged { expectation, model, better, worse, holds } = judged;
    let word = if *holds { "holds" } else { "DOES NOT HOLD" };
    let why = if *holds || expectation.otherwise.is_empty() {
        String::new()
    } else {
        format!(" {}", expectation.otherwise)
    };
    let (better, worse) = (figures(better.as_ref()), figures(worse.as_ref()));
    format!("{}, on {model}: {word} ({better}; {worse}).{why}", expectation.text)
}

fn figures(best: Option<&(&Method, &Check)>) -> String {
    let Some((method, check)) = best else { return "nothing found".to_owned() };
    let length = check.length.unwrap_or_default();
    let mean = check.mean().unwrap_or_default();
    format!("{}: s {}, l {length}, mean {mean:.1}", full_name(method), check.scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::tests::cell;
    use crate::expectation::Expectation;
    use crate::outcome::Ending;
    use crate::run::tests::run;

    fn sample() -> Run {
        let mut run = run(vec![
            cell(("bf", "pl2", "lgc"), "philo", &[(2, Ok(1.0)), (4, Ok(2.0))]),
            cell(("bfs", "", "lgc"), "philo", &[(2, Ok(3.0)), (4, Err(Ending::Memory))]),
            cell(("bfs", "", "lgc"), "other", &[(2, Err(Ending::Memory))]),
        ]);
        run.cells[1].checks[0].states = 50;
        run
    }

    #[test]
    fn the_winner_and_what_it_spared() {
        let sentence = "philo: bf/pl2 lgc found the error at scale 4, \
            at 2 with 2.5 times fewer states than bfs lgc";
        assert_eq!(winners(&sample()), [sentence]);
    }

    #[test]
    fn an_expectation_is_printed_with_its_figures() {
        let expectation = |text: &str| toml::from_str::<Expectation>(text).unwrap();
        let mut run = sample();
        run.expectations = vec![
            expectation("text = 'pl2 wins'\nmodels = ['philo']\nbetter = { heuristics = ['pl2'] }"),
            expectation(
                "text = 'bfs wins'\nmodels = ['philo', 'other']\nbetter = { algorithms = ['bfs'] }\n\
                 otherwise = 'It never did.'",
            ),
        ];
        let told = expectations(&run);
        assert_eq!(
            told[0],
            "pl2 wins, on philo: holds (bf/pl2 lgc: s 4, l 8, mean 7.1; bfs lgc: s 2, l 4, mean 5.9)."
        );
        assert!(told[1].contains("on philo: DOES NOT HOLD (bfs lgc: s 2"), "{}", told[1]);
        assert!(told[1].ends_with(". It never did."));
        assert!(told[2].contains("on other: DOES NOT HOLD (nothing found; nothing found)"));
    }
}
