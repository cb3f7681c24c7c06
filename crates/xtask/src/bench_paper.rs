//! `xtask bench-paper`: the tables and the figure of the StEAM paper, by the suites that are built
//! into steam; all of them make one page.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::bench_check;

const RESULTS: &str = "docs/benchmarks/paper.md";
/// Where plots and lists go, and how the page calls it.
const BESIDE: &str = "docs/benchmarks/paper";
const BESIDE_NAME: &str = "paper";
/// Where `steam bench` writes to.
const PAGES: &str = "target/paper";
const SUITES: [&str; 4] = ["table3", "table4", "table5", "figure4"];

const HEAD: &str = "\
Written by `make bench-paper`: the four models of the StEAM paper (`samples/cashit`, `leader`,
`opttel`, `philo`), the suites in `samples/suites`, the paper's figures beside ours. The models are our
own: the paper does not print its sources, so that scales and trail lengths of cashit and leader are
those of other programs. Which heuristic to take for which error: [heuristics](../heuristics.md).
";

/// Measures the suites with more options for `steam bench`, and writes the page.
pub fn run(root: &Path, options: &[&str]) -> Result<(), String> {
    let steam = bench_check::steam_binary(root)?;
    let status = Command::new(&steam)
        .arg("bench")
        .args(SUITES)
        .args(options)
        .args(["--export", "md,json,csv,svg", "--dir"])
        .arg(root.join(PAGES))
        .status();
    let status = status.map_err(|error| format!("{}: {error}", steam.display()))?;
    if status.success() { write_page(root) } else { Err(format!("steam bench: {status}")) }
}

/// Writes the page of the runs that `steam bench --export md,csv,svg` left in [`PAGES`].
pub fn write_page(root: &Path) -> Result<(), String> {
    let pages = root.join(PAGES);
    let mut text = HEAD.to_owned();
    for suite in SUITES {
        let page = read(&pages.join(format!("{suite}.md")))?;
        text += &format!("\n{}", part(&page));
    }
    publish_beside(root, &pages)?;
    let title = "The tables of the StEAM paper";
    bench_check::publish(root, RESULTS, title, None, &text)
}

/// A page as a part of another: titles one level lower, plots in their directory.
fn part(page: &str) -> String {
    let line = |line: &str| match line.strip_prefix("![") {
        Some(rest) => format!("![{}\n", rest.replacen("](", &format!("]({BESIDE_NAME}/"), 1)),
        None if line.starts_with('#') => format!("#{line}\n"),
        None => format!("{line}\n"),
    };
    page.lines().map(line).collect()
}

/// Copies plots and lists to where the page finds them.
fn publish_beside(root: &Path, pages: &Path) -> Result<(), String> {
    fs::create_dir_all(root.join(BESIDE)).map_err(|error| format!("{BESIDE}: {error}"))?;
    let entries = fs::read_dir(pages).map_err(|error| format!("{}: {error}", pages.display()))?;
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".svg") || name.ends_with(".csv") {
            let to = root.join(BESIDE).join(&name);
            fs::copy(entry.path(), &to).map_err(|error| format!("{}: {error}", to.display()))?;
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_become_parts() {
        let page = "# Title\n\n## Model\ntext\n![a, b](table3-a.svg)\n";
        let expected = "## Title\n\n### Model\ntext\n![a, b](paper/table3-a.svg)\n";
        assert_eq!(part(page), expected);
    }
}
