//! A run as a page.

use steam_trail::quantity::{bytes, duration};

use super::figures::{largest, means};
use super::plot::plots;
use super::summary::{expectations, winners};
use crate::run::Run;

/// The page of a run. It shows the plots that lie beside it where there are such.
pub fn markdown(run: &Run, with_plots: bool) -> String {
    let mut page = format!("# {}\n\n", run.title);
    if !run.note.is_empty() {
        page += &format!("{}\n\n", run.note.trim());
    }
    page += &format!("{}\n\n{LEGEND}\n", conditions(run));
    for model in run.models() {
        page += &format!("\n## {model}\n\n{}", largest(run, model).markdown());
        if run.is_series(model) {
            page += &format!("\nMean over the scale:\n\n{}", means(run, model).markdown());
        }
        let shown = if with_plots { plots(run) } else { Vec::new() };
        for plot in shown.iter().filter(|plot| plot.model == model) {
            page += &format!("\n![{}]({}.svg)\n", plot.title, plot.name);
        }
    }
    page += &list("Best methods", winners(run));
    page + &list("Findings", expectations(run))
}

fn conditions(run: &Run) -> String {
    let limits = &run.limits;
    let cell = limits.cell.map_or_else(String::new, |cell| {
        format!(", all checks of a method on a model at most {}", duration(cell))
    });
    let side = match run.jobs {
        1 => String::new(),
        jobs => format!(", {jobs} checks side by side"),
    };
    format!(
        "Written by `steam bench {}` of steam {} on: {}. A check may take {} and {}{cell}{side}.",
        run.name,
        run.version,
        run.machine,
        duration(limits.time),
        bytes(limits.memory),
    )
}

const LEGEND: &str = "\
c is what one step is (`lgc`: up to the next shared access; `line`: a source line), s the largest
scale at which the error was found (by doubling and bisection, to within a sixteenth; or the largest
of the list), l the steps of the trail, t the seconds, m the MiB in use. TIME and MEM: already the
smallest scale went beyond the limit; -: the error was not found, or there is no figure. The mean is
the fourth root of l * states * t * m.";

fn list(title: &str, lines: Vec<String>) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let lines: String = lines.into_iter().map(|line| format!("- {line}\n")).collect();
    format!("\n## {title}\n\n{lines}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::tests::cell;
    use crate::run::tests::run;

    #[test]
    fn a_page_tells_how_it_was_measured() {
        let run = run(vec![cell(("bfs", "", "lgc"), "philo", &[(2, Ok(1.0)), (4, Ok(2.0))])]);
        let page = markdown(&run, true);
        assert!(
            page.starts_with("# A suite\n\nWritten by `steam bench suite` of steam 0.1.0 on: ")
        );
        assert!(page.contains("A check may take 20 min and 900 MiB.\n"), "{page}");
        assert!(page.contains("## philo\n\n| method | c | s |"), "{page}");
        assert!(page.contains("(suite-philo-lgc.svg)"), "{page}");
        assert!(!markdown(&run, false).contains(".svg"));
        assert!(!page.contains("## Findings"));
    }
}
