//! A run for the terminal.

use super::figures::{largest, means};
use super::summary::{expectations, winners};
use crate::run::Run;

/// The tables of a run, then its sentences.
pub fn text(run: &Run) -> String {
    let mut text = format!("{}\n", run.title);
    for model in run.models() {
        text += &format!("\n{model}\n{}", largest(run, model).text());
        if run.is_series(model) {
            text += &format!("\n{model}: mean over the scale\n{}", means(run, model).text());
        }
    }
    let sentences: String =
        winners(run).into_iter().chain(expectations(run)).map(|line| line + "\n").collect();
    if !sentences.is_empty() {
        text += &format!("\n{sentences}");
    }
    text + LEGEND
}

/// What the letters mean.
const LEGEND: &str = "\n\
s largest scale with the error found, l steps of the trail, t seconds, m MiB; TIME and MEM: the \
smallest\nscale went beyond the limit, -: the error was not found; mean: fourth root of l * states \
* t * m\n";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::tests::cell;
    use crate::run::tests::run;

    #[test]
    fn a_table_for_each_model() {
        let cells =
            ["philo", "leader"].map(|model| cell(("bfs", "", "lgc"), model, &[(2, Ok(1.0))]));
        let mut run = run(cells.to_vec());
        run.series = vec!["leader".into()];
        let text = text(&run);
        assert!(
            text.starts_with("A suite\n\nphilo\nmethod  c    s  l    t  m  states\n"),
            "{text}"
        );
        assert!(text.contains("\nleader: mean over the scale\nmethod  c      2\n"), "{text}");
        assert!(!text.contains("philo: mean"));
        assert!(text.contains("\nphilo: bfs lgc found the error at scale 2\n"), "{text}");
        assert!(text.contains("TIME and MEM"));
    }
}
