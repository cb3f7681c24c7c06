//! `docs/theory.md` and the code belong together: what the tables of `decide` cite is there, and what it cites is there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use steam_visibility::TABLES;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A section: its number and its text, up to the next heading of any level.
struct Section {
    number: String,
    text: String,
}

fn sections() -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for line in read("docs/theory.md").lines() {
        match line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")) {
            Some(heading) => {
                let number = heading.split(' ').next().unwrap_or_default().trim_end_matches('.');
                sections.push(Section { number: number.to_owned(), text: String::new() });
            }
            None => {
                if let Some(section) = sections.last_mut() {
                    section.text.push_str(line);
                    section.text.push('\n');
                }
            }
        }
    }
    sections
}

/// What a text names between back-quotes after `Guarded by:`.
fn guards(text: &str) -> Vec<String> {
    let lists = text.split("Guarded\nby:").flat_map(|part| part.split("Guarded by:")).skip(1);
    let ends = |list: &str| list.split("\n\n").next().unwrap_or_default().to_owned();
    lists
        .map(ends)
        .flat_map(|list| list.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

#[test]
fn each_row_of_a_table_cites_a_section_that_names_its_tests() {
    let sections = sections();
    for (table, rows) in TABLES {
        for row in *rows {
            let section = sections.iter().find(|it| it.number == row.paragraph);
            let section = section.unwrap_or_else(|| panic!("{table}: no section for {row:?}"));
            assert!(!guards(&section.text).is_empty(), "section {}: no test", section.number);
        }
    }
}

#[test]
fn a_reason_is_a_sentence_and_stands_once_in_its_table() {
    for (table, rows) in TABLES {
        let reasons: BTreeSet<&str> = rows.iter().map(|row| row.because).collect();
        assert_eq!(reasons.len(), rows.len(), "{table}: a reason stands there twice");
        assert!(reasons.iter().all(|reason| reason.split(' ').count() > 3), "{table}");
    }
}

#[test]
fn the_tests_that_the_theory_names_are_there() {
    let programs: Vec<String> = std::fs::read_dir(root().join("tests/soundness"))
        .expect("the folder of programs")
        .map(|entry| entry.expect("an entry").path())
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    let families = read("tests/src/random_programs.rs");
    let mut seen = 0;
    for section in sections() {
        for name in guards(&section.text) {
            let is_there = match name.strip_suffix('*') {
                Some(start) => programs.iter().any(|program| program.starts_with(start)),
                None if name.contains(['.', '/']) => ["", "tests/tests/"]
                    .iter()
                    .any(|folder| root().join(folder).join(&name).exists()),
                None => programs.contains(&name) || families.contains(&format!("\"{name}\"")),
            };
            assert!(is_there, "section {} names {name}", section.number);
            seen += 1;
        }
    }
    assert!(seen > 30, "the theory names {seen} tests only");
}
