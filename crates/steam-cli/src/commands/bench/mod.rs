//! `steam bench`: measures suites, prints their tables, writes what else was asked for.

mod checker;
mod shown;

use std::path::Path;

use anyhow::anyhow;
use steam_bench::render::{PlotForm, csv, markdown, plots, text};
use steam_bench::{Run, compare, measure, read_run};
use steam_check::version;
use steam_trail::file::{try_file, write_file};

use self::checker::Checks;
use self::shown::Shown;
use crate::args::bench::{CompareArguments, ExportForm};
use crate::config::bench::{BenchPlan, NamedSuite};
use crate::input_file::read_text;
use crate::interrupt;
use crate::outcome::Outcome;
use crate::terminal;

/// Larger files are no runs.
const LARGEST_RUN: u64 = 256 << 20;

/// Measures the suites of a plan.
pub fn bench(plan: &BenchPlan) -> anyhow::Result<Outcome> {
    let stop = interrupt::stop_flag()?;
    for (form, named) in
        plan.exports.iter().flat_map(|export| plan.suites.iter().map(move |s| (export, s)))
    {
        try_file(&plan.directory.join(format!("{}.{}", named.name, ending(*form))))?;
    }
    let mut lost = false;
    for (index, named) in plan.suites.iter().enumerate() {
        let NamedSuite { name, suite, base } = named;
        let checks = Checks::prepare(suite, base, &stop)?;
        let shown = Shown::new();
        let measured = measure(suite, &checks, plan.jobs, &|event| shown.show(event));
        shown.clear();
        let cells = measured.map_err(|error| anyhow!("{name}: {error}"))?;
        let run = Run::new(name, &version(), suite, plan.jobs, cells);
        let gap = if index > 0 { "\n" } else { "" };
        terminal::print(&format!("{gap}{}", text(&run)))?;
        for &form in &plan.exports {
            let svg = plan.exports.contains(&ExportForm::Svg);
            if let Err(error) = export(&run, form, &plan.directory, svg) {
                terminal::complain(&format!("{error:#}"));
                lost = true;
            }
        }
        if checks.stopped() {
            terminal::complain("interrupted: the tables hold what was measured until then");
            return Ok(Outcome::Interrupted);
        }
    }
    Ok(if lost { Outcome::UserError } else { Outcome::Success })
}

/// The ending of the files of a form.
const fn ending(form: ExportForm) -> &'static str {
    match form {
        ExportForm::Md => "md",
        ExportForm::Csv => "csv",
        ExportForm::Json => "json",
        ExportForm::Svg => "svg",
        ExportForm::Png => "png",
    }
}

/// Writes a run in one form.
fn export(run: &Run, form: ExportForm, directory: &Path, with_plots: bool) -> anyhow::Result<()> {
    let ending = ending(form);
    let plot_form = match form {
        ExportForm::Md => return save(directory, &run.name, ending, &markdown(run, with_plots)),
        ExportForm::Csv => return save(directory, &run.name, ending, &csv(run)),
        ExportForm::Json => return save(directory, &run.name, ending, &run.json()),
        ExportForm::Svg => PlotForm::Svg,
        ExportForm::Png => PlotForm::Png,
    };
    for plot in plots(run) {
        let path = directory.join(format!("{}.{ending}", plot.name));
        plot.write(&path, plot_form).map_err(|error| anyhow!(error))?;
        terminal::note(&format!("written: {}", path.display()));
    }
    Ok(())
}

fn save(directory: &Path, name: &str, ending: &str, text: &str) -> anyhow::Result<()> {
    let path = directory.join(format!("{name}.{ending}"));
    write_file(&path, text)?;
    terminal::note(&format!("written: {}", path.display()));
    Ok(())
}

/// Says what became better or worse between two runs.
pub fn compare_runs(typed: &CompareArguments) -> anyhow::Result<Outcome> {
    let (old, new) = (load(&typed.old)?, load(&typed.new)?);
    let comparison = compare(&old, &new, f64::from(typed.threshold) / 100.0);
    if comparison.compared == 0 {
        anyhow::bail!("the runs have no method on a model in common; are they of the same suite?");
    }
    let lines: String = comparison.changes.iter().map(|change| format!("{change}\n")).collect();
    let worse = comparison.changes.iter().filter(|change| change.worse).count();
    let better = comparison.changes.len() - worse;
    let missing = match comparison.missing {
        0 => String::new(),
        missing => format!(", {missing} in one run alone"),
    };
    terminal::print(&format!(
        "{lines}{} cells compared{missing}: {worse} figures worse, {better} better, by more than {} %\n",
        comparison.compared, typed.threshold
    ))?;
    Ok(if comparison.regressed() { Outcome::Violation } else { Outcome::Success })
}

fn load(path: &Path) -> anyhow::Result<Run> {
    let text = read_text(path, LARGEST_RUN)?;
    read_run(&text).map_err(|error| anyhow!("{}: {error}", path.display()))
}
