//! Who may know whom: the arrows between our crates, and the owners of outside libraries.
//!
//! The tables are the tree's design in machine-readable form. A new crate needs a row in
//! [`ARROWS`]; a library that is not in [`OWNERS`] may be used anywhere.

use super::manifest::Manifest;

/// Each crate of ours, and those that it may use. Arrows only go down.
const ARROWS: &[(&str, &[&str])] = &[
    ("vm-isa", &[]),
    ("steam-host", &[]),
    ("steam-model", &[]),
    ("steam-sync", &[]),
    ("steam-trail", &[]),
    ("steam-ltl", &[]),
    ("steam-bench", &["steam-host", "steam-trail"]),
    ("steam-image", &["vm-isa"]),
    ("steam-compile", &["steam-image"]),
    ("steam-expr", &["steam-image"]),
    ("steam-access", &["vm-isa", "steam-image", "steam-expr"]),
    ("steam-state", &["vm-isa"]),
    ("steam-visibility", &["steam-state"]),
    ("steam-vm", &["vm-isa", "steam-state", "steam-visibility"]),
    (
        "steam-report",
        &["vm-isa", "steam-sync", "steam-image", "steam-state", "steam-visibility", "steam-vm"],
    ),
    ("steam-store", &["steam-model"]),
    ("steam-search", &["steam-model", "steam-store", "steam-ltl"]),
    ("steam-heuristics", &["steam-model"]),
    (
        "steam-session",
        &["steam-host", "steam-model", "steam-store", "steam-search", "steam-heuristics"],
    ),
    (
        "steam-linux",
        &["vm-isa", "steam-sync", "steam-image", "steam-state", "steam-visibility", "steam-vm"],
    ),
    (
        "steam-libc",
        &[
            "steam-sync",
            "steam-image",
            "steam-state",
            "steam-visibility",
            "steam-vm",
            "steam-report",
            "steam-linux",
        ],
    ),
    (
        "steam-program",
        &[
            "vm-isa",
            "steam-model",
            "steam-sync",
            "steam-image",
            "steam-access",
            "steam-state",
            "steam-visibility",
            "steam-vm",
            "steam-report",
            "steam-linux",
            "steam-libc",
        ],
    ),
    (
        "steam-explain",
        &[
            "vm-isa",
            "steam-model",
            "steam-search",
            "steam-sync",
            "steam-trail",
            "steam-image",
            "steam-expr",
            "steam-access",
            "steam-state",
            "steam-visibility",
            "steam-report",
            "steam-linux",
            "steam-program",
        ],
    ),
    (
        "steam-props",
        &[
            "steam-model",
            "steam-image",
            "steam-expr",
            "steam-ltl",
            "steam-state",
            "steam-report",
            "steam-program",
        ],
    ),
    (
        "steam-simulate",
        &[
            "vm-isa",
            "steam-model",
            "steam-sync",
            "steam-trail",
            "steam-image",
            "steam-expr",
            "steam-state",
            "steam-report",
            "steam-linux",
            "steam-program",
            "steam-props",
            "steam-explain",
        ],
    ),
    (
        "steam-check",
        &[
            "steam-host",
            "steam-model",
            "steam-sync",
            "steam-ltl",
            "steam-search",
            "steam-session",
            "steam-image",
            "steam-access",
            "steam-compile",
            "steam-state",
            "steam-visibility",
            "steam-report",
            "steam-linux",
            "steam-program",
            "steam-props",
            "steam-explain",
            "steam-trail",
        ],
    ),
    ("steam-cli", LIBRARIES),
    ("steam-tests", LIBRARIES),
    ("xtask", &["steam-host"]),
];

/// All crates of ours that are libraries: what the program and its tests may use.
const LIBRARIES: &[&str] = &[
    "vm-isa",
    "steam-host",
    "steam-model",
    "steam-sync",
    "steam-trail",
    "steam-ltl",
    "steam-bench",
    "steam-image",
    "steam-expr",
    "steam-access",
    "steam-state",
    "steam-visibility",
    "steam-vm",
    "steam-store",
    "steam-search",
    "steam-heuristics",
    "steam-session",
    "steam-report",
    "steam-linux",
    "steam-libc",
    "steam-program",
    "steam-props",
    "steam-explain",
    "steam-simulate",
    "steam-check",
    "steam-compile",
];

/// What a crate's own tests may use beyond [`ARROWS`]: tests that need a whole search.
const TEST_ARROWS: &[(&str, &[&str])] = &[("steam-program", &["steam-store", "steam-search"])];

/// Each outside library that has an owner, and the crates that may know it: one, but for what
/// both ends of a form have to know.
const OWNERS: &[(&str, &[&str])] = &[
    ("iced-x86", &["vm-isa"]),
    ("goblin", &["steam-image"]),
    ("gimli", &["steam-image"]),
    ("addr2line", &["steam-image"]),
    ("cpp_demangle", &["steam-image"]),
    ("miniz_oxide", &["steam-image"]),
    ("im", &["steam-state"]),
    ("imbl", &["steam-state"]),
    ("hashbrown", &["steam-state"]),
    ("serde", &["steam-trail", "steam-bench"]),
    ("serde_json", &["steam-trail", "steam-bench"]),
    ("clap", &["steam-cli"]),
    ("anyhow", &["steam-cli"]),
    ("toml", &["steam-bench"]),
    ("plotters", &["steam-bench"]),
    ("dejavu", &["steam-bench"]),
    ("rustyline", &["steam-simulate"]),
    ("ratatui", &["steam-simulate"]),
];

/// The crates that a table allows to a crate, if it has a row.
fn row(table: &[(&str, &'static [&'static str])], name: &str) -> Option<&'static [&'static str]> {
    table.iter().find(|(from, _)| *from == name).map(|(_, allowed)| *allowed)
}

/// What is wrong with the dependencies of one crate.
pub fn complaints(path: &str, manifest: &Manifest) -> Vec<String> {
    let name = manifest.package.as_str();
    let Some(allowed) = row(ARROWS, name) else {
        return vec![format!(
            "{path}: crate `{name}` has no row in ARROWS (crates/xtask/src/tidy/arrows.rs): \
             say which crates it may use"
        )];
    };
    let allowed_in_tests = row(TEST_ARROWS, name).unwrap_or_default();
    let ours = manifest.dependencies.iter().map(|dependency| (dependency, &[][..]));
    let of_tests =
        manifest.dev_dependencies.iter().map(|dependency| (dependency, allowed_in_tests));
    let mut complaints = Vec::new();
    for (dependency, also) in ours.chain(of_tests) {
        let allows = |crates: &[&str]| crates.contains(&dependency.as_str());
        if row(ARROWS, dependency).is_some() && !allows(allowed) && !allows(also) {
            complaints.push(format!("{path}: `{name}` must not know `{dependency}`"));
        }
        // Tests look from outside, and may read what the owner writes.
        let in_tests = !manifest.dependencies.contains(dependency);
        if let Some((_, owners)) = OWNERS.iter().find(|(library, _)| library == dependency)
            && !owners.contains(&name)
            && !in_tests
        {
            let owners = owners.join("` and `");
            complaints.push(format!(
                "{path}: `{dependency}` is known to `{owners}` alone, not to `{name}`"
            ));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(package: &str, dependencies: &[&str], dev: &[&str]) -> Vec<String> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let manifest = Manifest {
            package: package.to_owned(),
            fields: Vec::new(),
            dependencies: owned(dependencies),
            dev_dependencies: owned(dev),
        };
        complaints("Cargo.toml", &manifest)
    }

    #[test]
    fn allowed_arrows_pass() {
        assert!(check("steam-vm", &["vm-isa", "steam-state", "ahash"], &[]).is_empty());
        assert!(check("steam-cli", &["clap", "steam-linux", "steam-image"], &[]).is_empty());
    }

    #[test]
    fn an_arrow_up_fails() {
        assert_eq!(check("steam-state", &["steam-linux"], &[]).len(), 1);
        assert_eq!(check("steam-search", &[], &["steam-vm"]).len(), 1);
        assert_eq!(check("steam-session", &["steam-linux"], &[]).len(), 1);
    }

    #[test]
    fn tests_of_programs_may_search() {
        assert!(check("steam-program", &["steam-sync"], &["steam-search"]).is_empty());
        assert_eq!(check("steam-program", &["steam-search"], &[]).len(), 1);
        assert_eq!(check("steam-program", &[], &["steam-session"]).len(), 1);
    }

    #[test]
    fn the_program_may_use_every_library() {
        let libraries = ARROWS.iter().map(|row| row.0);
        let programs = ["steam-cli", "steam-tests", "xtask"];
        let expected: Vec<_> = libraries.filter(|name| !programs.contains(name)).collect();
        assert!(check("steam-cli", &expected, &[]).is_empty());
        assert_eq!(LIBRARIES.len(), expected.len());
    }

    #[test]
    fn a_library_has_one_owner() {
        assert!(check("vm-isa", &["iced-x86"], &[]).is_empty());
        assert_eq!(check("steam-vm", &["iced-x86"], &[]).len(), 1);
        assert_eq!(check("steam-tests", &["goblin"], &[]).len(), 1);
        assert!(check("steam-tests", &[], &["goblin"]).is_empty(), "tests look from outside");
    }

    #[test]
    fn an_unknown_crate_fails() {
        assert_eq!(check("steam-new", &[], &[]).len(), 1);
    }

    /// The table itself has no cycle: following the arrows always comes to an end.
    #[test]
    fn arrows_only_go_down() {
        fn depth(name: &str, left: usize) -> usize {
            assert!(left > 0, "a cycle through {name}");
            let allowed = row(ARROWS, name).unwrap_or_default();
            allowed.iter().map(|next| 1 + depth(next, left - 1)).max().unwrap_or(0)
        }
        for (name, allowed) in ARROWS {
            depth(name, ARROWS.len());
            for next in *allowed {
                assert!(ARROWS.iter().any(|(from, _)| from == next), "{next} has no row");
            }
        }
    }
}
