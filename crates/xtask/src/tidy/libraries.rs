//! The libraries of others: each has a licence that `deny.toml` allows, and none is there twice.
//!
//! cargo-deny knows more and takes minutes to build, so `make deny` runs it when a dependency changes. This is
//! what can break unnoticed: it holds the lists of `deny.toml` against what `cargo tree` tells,
//! without a network.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// The part of `deny.toml` that tidy looks at.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Licences, by their SPDX names.
    licences: Vec<String>,
    /// Versions that may stand beside another one of the same library: `name@version`.
    twice: Vec<String>,
}

/// Reads the lists `allow` and `skip`, an entry in each line; it is no TOML parser.
pub fn rules(text: &str) -> Rules {
    let mut rules = Rules::default();
    let mut list = "";
    for line in text.lines().map(str::trim) {
        if let Some((name, _)) = line.split_once(" = [").filter(|(_, rest)| rest.is_empty()) {
            list = name;
        } else if line.starts_with(']') {
            list = "";
        } else if line.starts_with('#') {
            continue;
        } else if let Some(entry) = line.split('"').nth(1) {
            match list {
                "allow" => rules.licences.push(entry.to_owned()),
                "skip" => rules.twice.push(entry.to_owned()),
                _ => {}
            }
        }
    }
    rules
}

/// What `cargo tree` reports of all that is built here: name and version, a tab, the licence.
pub fn tree(root: &Path) -> Result<String, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["tree", "--offline", "--workspace", "--edges", "normal,build,dev"])
        .args(["--prefix", "none", "--format", "{p}\t{l}"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo tree: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo tree: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What is wrong with the libraries of a tree.
pub fn complaints(rules: &Rules, tree: &str) -> Vec<String> {
    let mut complaints = BTreeSet::new();
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in tree.lines() {
        let Some((package, licence)) = line.split_once('\t') else { continue };
        let mut words = package.split(' ');
        let (Some(name), Some(version)) = (words.next(), words.next()) else { continue };
        // Crates of ours have their path after the version.
        if words.any(|word| word.starts_with("(/")) {
            continue;
        }
        let licence = licence.trim_end_matches(" (*)").trim();
        if !Expression::new(licence).holds(&rules.licences) {
            let licence = if licence.is_empty() { "none" } else { licence };
            complaints.insert(format!("{name}: its licence ({licence}) is not in deny.toml"));
        }
        versions.entry(name).or_default().insert(version.trim_start_matches('v'));
    }
    let mut needed = BTreeSet::new();
    for (name, versions) in &versions {
        let mut left = versions.clone();
        if versions.len() > 1 {
            let excepted = |version: &str| rules.twice.iter().find(|it| covers(it, name, version));
            left.retain(|version| excepted(version).map(|rule| needed.insert(rule)).is_none());
        }
        if left.len() > 1 {
            let versions: Vec<_> = left.into_iter().collect();
            complaints.insert(format!(
                "{name}: is there in versions {}; update who wants the older one, or say in deny.toml why not",
                versions.join(" and ")
            ));
        }
    }
    for rule in rules.twice.iter().filter(|rule| !needed.contains(rule)) {
        complaints
            .insert(format!("deny.toml: {rule} is not there beside another version any more"));
    }
    complaints.into_iter().collect()
}

/// Whether `name@1.2` means this version of this library.
fn covers(rule: &str, name: &str, version: &str) -> bool {
    let rest = rule.strip_prefix(name).and_then(|rest| rest.strip_prefix('@'));
    let rest = rest.and_then(|wanted| version.strip_prefix(wanted));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// An SPDX expression that is read: `A OR B`, `A AND (B OR C)`, `A WITH exception`, and `A/B` for `A OR B`.
struct Expression {
    /// The words that are left, the last one first.
    words: Vec<String>,
}

impl Expression {
    fn new(text: &str) -> Self {
        let spaced = text.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
        Self { words: spaced.split_whitespace().rev().map(str::to_owned).collect() }
    }

    /// Whether the licences that are allowed are enough.
    fn holds(mut self, allowed: &[String]) -> bool {
        self.any(allowed) && self.words.is_empty()
    }

    fn any(&mut self, allowed: &[String]) -> bool {
        let mut holds = self.all(allowed);
        while self.takes("OR") {
            holds |= self.all(allowed);
        }
        holds
    }

    fn all(&mut self, allowed: &[String]) -> bool {
        let mut holds = self.one(allowed);
        while self.takes("AND") {
            holds &= self.one(allowed);
        }
        holds
    }

    fn one(&mut self, allowed: &[String]) -> bool {
        if self.takes("(") {
            return self.any(allowed) & self.takes(")");
        }
        let mut name = self.words.pop().unwrap_or_default();
        if self.takes("WITH") {
            name = format!("{name} WITH {}", self.words.pop().unwrap_or_default());
        }
        // `MPL-2.0+`: this version or a later one.
        allowed.iter().any(|licence| licence == name.trim_end_matches('+'))
    }

    fn takes(&mut self, word: &str) -> bool {
        self.words.pop_if(|next| next == word).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DENY: &str = "[licenses]\nallow = [\n    \"MIT\",\n    # \"GPL-3.0\",\n    \"MPL-2.0\",\n]\n[bans]\n\
                        wildcards = \"deny\"\nskip = [\n    { crate = \"bits@1\", reason = \"png\" },\n]\n";

    fn check(lines: &[&str]) -> Vec<String> {
        complaints(&rules(DENY), &lines.join("\n"))
    }

    #[test]
    fn both_lists_are_read() {
        let rules = rules(DENY);
        assert_eq!(rules.licences, ["MIT", "MPL-2.0"]);
        assert_eq!(rules.twice, ["bits@1"]);
    }

    #[test]
    fn licences_are_expressions() {
        let allowed = ["MIT".to_owned(), "MPL-2.0".to_owned()];
        for good in
            ["MIT", "MPL-2.0+", "Apache-2.0/MIT", "GPL-3.0 OR MIT", "MIT AND (X OR MPL-2.0)"]
        {
            assert!(Expression::new(good).holds(&allowed), "{good}");
        }
        for bad in
            ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR X) AND Y", "MIT WITH X", "MIT MIT", "(MIT"]
        {
            assert!(!Expression::new(bad).holds(&allowed), "{bad}");
        }
    }

    #[test]
    fn a_licence_that_is_not_allowed_fails() {
        let twice = ["bits v1.3.2\tMIT", "bits v2.0.0\tMIT"];
        assert!(check(&twice).is_empty());
        let other =
            check(&[twice[0], twice[1], "x v1.0.0 (proc-macro)\tGPL-3.0", "x v1.0.0\tGPL-3.0 (*)"]);
        assert_eq!(other, ["x: its licence (GPL-3.0) is not in deny.toml"]);
        assert!(check(&[twice[0], twice[1], "steam v0.1.0 (/src/steam)\t"]).is_empty(), "ours");
    }

    #[test]
    fn a_library_in_two_versions_fails() {
        let twice = ["bits v1.3.2\tMIT", "bits v2.0.0\tMIT"];
        let found = check(&[twice[0], twice[1], "y v0.8.1\tMIT", "y v0.9.0\tMIT"]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("y: is there in versions 0.8.1 and 0.9.0"), "{found:?}");
    }

    #[test]
    fn an_exception_that_is_not_needed_fails() {
        for tree in [
            &["bits v1.3.2\tMIT"][..],
            &["bits v2.0.0\tMIT"],
            &["bits v10.0.0\tMIT", "bits v2.0.0\tMIT"],
        ] {
            assert!(check(tree).iter().any(|it| it.starts_with("deny.toml: bits@1")), "{tree:?}");
        }
    }
}
