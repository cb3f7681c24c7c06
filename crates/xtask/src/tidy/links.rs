//! No file cites a document that is not there: links between pages, and paths of the tree in pages and comments.

/// The folders at the root whose files are cited by their path from there.
const ROOTS: [&str; 6] = ["crates/", "docs/", "samples/", "tests/", "toolchain/", "vm-isa/"];

/// What a page or a source file cites that is not there; `exists` knows paths from the root of the tree.
pub fn complaints(path: &str, text: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let is_page = path.ends_with(".md");
    let mut complaints = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut cited = Vec::new();
        if is_page {
            cited.extend(links(line).filter_map(|link| from_root(path, link)));
        }
        if is_page || line.trim_start().starts_with("//") {
            cited.extend(paths(line));
        }
        cited.retain(|cited| !exists(cited) && !in_own_crate(path, cited, &exists));
        let at = number + 1;
        complaints
            .extend(cited.into_iter().map(|cited| format!("{path}:{at}: there is no {cited}")));
    }
    complaints
}

/// The targets of a line's links to other files.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split([')', '#', ' ']).next());
    targets.filter(|target| !target.is_empty() && !target.contains(':'))
}

/// A link of a page as a path from the root; none if it leads out of the tree.
fn from_root(page: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.trim_end_matches('/').split('/') {
        match part {
            ".." => drop(parts.pop()?),
            "." => {}
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The files between back-quotes that are named by their path from the root.
fn paths(line: &str) -> impl Iterator<Item = String> {
    let quoted = line.split('`').skip(1).step_by(2);
    let quoted = quoted.filter(|word| ROOTS.iter().any(|root| word.starts_with(root)));
    let plain = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    quoted.filter(move |word| plain(word) && word.contains('.')).map(str::to_owned)
}

/// In a crate what lies below `tests` may be its own; a page may speak of the tests of the crate named beside.
fn in_own_crate(path: &str, cited: &str, exists: impl Fn(&str) -> bool) -> bool {
    let own = path.split('/').take(2).collect::<Vec<&str>>().join("/");
    exists(&format!("{own}/{cited}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, text: &str) -> Vec<String> {
        let there = ["docs/theory.md", "README.md", "crates/steam-ltl/tests/all/main.rs", "docs"];
        complaints(path, text, |path| there.contains(&path))
    }

    #[test]
    fn links_lead_to_files() {
        assert!(
            of("docs/ltl.md", "See [a](theory.md#3), [b](../README.md), [c](../docs/).").is_empty()
        );
        assert_eq!(
            of("docs/ltl.md", "\n[a](README.md)"),
            ["docs/ltl.md:2: there is no docs/README.md"]
        );
        assert!(of("README.md", "[web](https://example.org/x.md) and [here](#there)").is_empty());
    }

    #[test]
    fn cited_files_are_there() {
        assert_eq!(of("README.md", "as `docs/proof.md` says").len(), 1);
        assert_eq!(of("crates/x/src/a.rs", "/// As `docs/proof.md` says.").len(), 1);
        assert!(of("crates/x/src/a.rs", "let page = \"`docs/proof.md`\";").is_empty());
        assert!(
            of("crates/steam-ltl/src/a.rs", "// `tests/all/main.rs`, `docs/theory.md`").is_empty()
        );
        assert!(
            of("README.md", "`tests/soundness`, `docs/*.md`, `crates/NAME/src/lib.rs.in x`")
                .is_empty()
        );
    }
}
