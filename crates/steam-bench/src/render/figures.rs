//! The tables of a run: for each model its largest scales, and the mean over the scale.

use super::table::Table;
use crate::cell::{Cell, word};
use crate::outcome::Check;
use crate::published::Published;
use crate::run::Run;

/// For each method the largest scale at which it found the model's error, and what that took;
/// published figures stand after ours.
pub(super) fn largest(run: &Run, model: &str) -> Table {
    let published = run.published.iter().any(|published| published.model == model);
    let mut head = vec!["method", "c", "s", "l", "t", "m", "states"];
    if published {
        head.extend(["published s", "l", "t", "m"]);
    }
    let rows = run.cells.iter().filter(|cell| cell.model == model).map(|cell| {
        let mut row = vec![cell.method.name(), cell.method.compaction.clone()];
        row.extend(match cell.best() {
            Some(check) => ours(check),
            None => [cell.failure(), "", "", "", ""].map(str::to_owned).to_vec(),
        });
        if published {
            row.extend(theirs(run, cell));
        }
        row
    });
    Table { rows: rows.collect(), head: owned(&head), names: 2 }
}

/// For each method the geometric mean at each scale.
pub(super) fn means(run: &Run, model: &str) -> Table {
    let cells: Vec<&Cell> = run.cells.iter().filter(|cell| cell.model == model).collect();
    let mut scales: Vec<u32> =
        cells.iter().flat_map(|cell| &cell.checks).map(|check| check.scale).collect();
    scales.sort_unstable();
    scales.dedup();
    let mut head = owned(&["method", "c"]);
    head.extend(scales.iter().map(u32::to_string));
    let row = |cell: &&Cell| {
        let at = |scale: &u32| match cell.at(*scale) {
            Some(check) => check.mean().map_or_else(|| word(&check.ending).to_owned(), mean),
            None => "-".to_owned(),
        };
        let names = [cell.method.name(), cell.method.compaction.clone()];
        names.into_iter().chain(scales.iter().map(at)).collect()
    };
    Table { rows: cells.iter().map(row).collect(), head, names: 2 }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn ours(check: &Check) -> Vec<String> {
    vec![
        check.scale.to_string(),
        check.length.map_or_else(|| "-".to_owned(), |length| length.to_string()),
        format!("{:.1}", check.seconds),
        format!("{:.0}", check.mebibytes()),
        check.states.to_string(),
    ]
}

fn theirs(run: &Run, cell: &Cell) -> Vec<String> {
    let same = |it: &&Published| it.model == cell.model && it.method == cell.method;
    match run.published.iter().find(same) {
        Some(published) => vec![
            published.scale.to_string(),
            published.length.to_string(),
            format!("{:.1}", published.seconds),
            format!("{:.0}", published.mebibytes),
        ],
        None => owned(&["-", "", "", ""]),
    }
}

fn mean(value: f64) -> String {
    if value < 100.0 { format!("{value:.1}") } else { format!("{value:.0}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::tests::cell;
    use crate::method::Method;
    use crate::outcome::Ending;
    use crate::run::tests::run;

    fn sample() -> Run {
        let mut run = run(vec![
            cell(("bf", "pl2", "lgc"), "philo", &[(2, Ok(1.0)), (4, Ok(2.0))]),
            cell(("bfs", "", "line"), "philo", &[(2, Err(Ending::Memory))]),
            cell(("bfs", "", "line"), "other", &[(3, Ok(2.0))]),
        ]);
        let method = Method {
            algorithm: "bf".into(),
            heuristic: Some("pl2".into()),
            compaction: "lgc".into(),
        };
        let model = "philo".to_owned();
        let (scale, length, seconds, mebibytes) = (190, 385, 48.7, 859.0);
        run.published = vec![Published { method, model, scale, length, seconds, mebibytes }];
        run
    }

    #[test]
    fn published_figures_stand_behind_ours() {
        let table = largest(&sample(), "philo");
        assert_eq!(table.rows[0].join(" "), "bf/pl2 lgc 4 8 2.0 4 40 190 385 48.7 859");
        assert_eq!(table.rows[1].join(" "), "bfs line MEM     -   ");
        assert_eq!(largest(&sample(), "other").head.len(), 7);
    }

    #[test]
    fn means_over_the_scale() {
        let table = means(&sample(), "philo");
        assert_eq!(table.head.join(" "), "method c 2 4");
        // The fourth roots of 4 * 20 * 1 * 2 and of 8 * 40 * 2 * 4.
        assert_eq!(table.rows[0].join(" "), "bf/pl2 lgc 3.6 7.1");
        assert_eq!(table.rows[1].join(" "), "bfs line MEM -");
    }
}
