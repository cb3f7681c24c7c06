//! Who may know whom: the arrows between our crates, and the one owner of each outside library.
//!
//! Both tables are the tree's design in machine-readable form. A new crate needs a row in
//! [`ARROWS`]; a library that is not in [`OWNERS`] may be used anywhere.

use super::manifest::Manifest;

/// Each crate of ours, and those that it may use. Arrows only go down.
const ARROWS: &[(&str, &[&str])] = &[
    ("vm-isa", &[]),
    ("steam-model", &[]),
    ("steam-image", &["vm-isa"]),
    ("steam-state", &["vm-isa"]),
    ("steam-vm", &["vm-isa", "steam-state"]),
    ("steam-reduce", &["steam-model"]),
    ("steam-store", &["steam-model"]),
    ("steam-search", &["steam-model", "steam-reduce", "steam-store"]),
    ("steam-linux", &["vm-isa", "steam-model", "steam-image", "steam-state", "steam-vm"]),
    ("steam-heuristics", &["vm-isa", "steam-model", "steam-image", "steam-state", "steam-vm"]),
    ("steam-check", &["vm-isa", "steam-model", "steam-image", "steam-state", "steam-vm"]),
    ("steam-trail", BELOW_TRAIL),
    ("steam-cli", BELOW_CLI),
    ("steam-tests", BELOW_CLI),
    ("xtask", &[]),
];

const BELOW_TRAIL: &[&str] = &[
    "vm-isa",
    "steam-model",
    "steam-image",
    "steam-state",
    "steam-vm",
    "steam-reduce",
    "steam-store",
    "steam-search",
    "steam-linux",
    "steam-heuristics",
    "steam-check",
];

const BELOW_CLI: &[&str] = &[
    "vm-isa",
    "steam-model",
    "steam-image",
    "steam-state",
    "steam-vm",
    "steam-reduce",
    "steam-store",
    "steam-search",
    "steam-linux",
    "steam-heuristics",
    "steam-check",
    "steam-trail",
];

/// Each outside library that has an owner, and the one crate that may know it.
const OWNERS: &[(&str, &str)] = &[
    ("iced-x86", "vm-isa"),
    ("goblin", "steam-image"),
    ("gimli", "steam-image"),
    ("addr2line", "steam-image"),
    ("cpp_demangle", "steam-image"),
    ("miniz_oxide", "steam-image"),
    ("im", "steam-state"),
    ("imbl", "steam-state"),
    ("clap", "steam-cli"),
    ("anyhow", "steam-cli"),
];

/// What is wrong with the dependencies of one crate.
pub fn complaints(path: &str, manifest: &Manifest) -> Vec<String> {
    let name = manifest.package.as_str();
    let Some(&(_, allowed)) = ARROWS.iter().find(|(from, _)| *from == name) else {
        return vec![format!(
            "{path}: crate `{name}` has no row in ARROWS (crates/xtask/src/tidy/arrows.rs): \
             say which crates it may use"
        )];
    };
    let mut complaints = Vec::new();
    for dependency in manifest.dependencies.iter().chain(&manifest.dev_dependencies) {
        if ARROWS.iter().any(|(from, _)| from == dependency)
            && !allowed.contains(&dependency.as_str())
        {
            complaints.push(format!("{path}: `{name}` must not know `{dependency}`"));
        }
        if let Some((_, owner)) = OWNERS.iter().find(|(library, _)| library == dependency)
            && *owner != name
        {
            complaints.push(format!(
                "{path}: `{dependency}` is known to `{owner}` alone, not to `{name}`"
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
    }

    #[test]
    fn a_library_has_one_owner() {
        assert!(check("vm-isa", &["iced-x86"], &[]).is_empty());
        assert_eq!(check("steam-vm", &["iced-x86"], &[]).len(), 1);
        assert_eq!(check("steam-tests", &[], &["goblin"]).len(), 1);
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
            let allowed =
                ARROWS.iter().find(|(from, _)| *from == name).map_or(&[][..], |row| row.1);
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
