//! `xtask tidy`: the rules of the tree that neither rustc nor clippy knows.
//!
//! Each rule is a function from text to complaints, so that its tests need no files.

mod arrows;
mod code;
mod libraries;
mod links;
mod manifest;
mod sources;
mod toolchain;

use std::fs;
use std::path::{Path, PathBuf};

/// Checks the whole tree; prints every complaint.
pub fn run(root: &Path) -> Result<(), String> {
    let mut complaints = complaints(root)?;
    complaints.extend(complaints_of_others(root)?);
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    match complaints.len() {
        0 => Ok(()),
        1 => Err("tidy found 1 problem".to_owned()),
        count => Err(format!("tidy found {count} problems")),
    }
}

fn complaints(root: &Path) -> Result<Vec<String>, String> {
    let mut complaints = Vec::new();
    let mut names = Vec::new();
    let exists = |path: &str| root.join(path).exists();
    for path in files(root)? {
        let relative = relative(root, &path);
        match path.file_name().and_then(|name| name.to_str()) {
            Some("Cargo.toml") if relative != "Cargo.toml" && !relative.starts_with("fuzz/") => {
                let manifest = manifest::parse(&read(&path)?);
                complaints.extend(arrows::complaints(&relative, &manifest));
                complaints.extend(manifest.complaints(&relative));
                names.push(manifest.package);
            }
            Some(name) if name.ends_with(".rs") => {
                let text = read(&path)?;
                complaints.extend(sources::complaints(&relative, &text));
                complaints.extend(links::complaints(&relative, &text, exists));
            }
            Some(name) if name.ends_with(".md") => {
                complaints.extend(links::complaints(&relative, &read(&path)?, exists));
            }
            _ => {}
        }
        complaints.extend(sources::name_complaint(&relative));
    }
    if names.is_empty() {
        return Err(format!("no crate found below {}", root.display()));
    }
    complaints.extend(sources::stale_exceptions(root));
    Ok(complaints)
}

/// What is wrong with what comes from others: libraries and compiler.
fn complaints_of_others(root: &Path) -> Result<Vec<String>, String> {
    let rules = libraries::rules(&read(&root.join("deny.toml"))?);
    let mut complaints = libraries::complaints(&rules, &libraries::tree(root)?);
    let compiler = toolchain::compiler()?;
    match toolchain::complaint(&read(&root.join("Cargo.toml"))?, &compiler) {
        Some(complaint) if std::env::var_os("STEAM_CI").is_none() => eprintln!("note: {complaint}"),
        complaint => complaints.extend(complaint),
    }
    Ok(complaints)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned()
}

/// All Rust sources, manifests and pages in the tree, sorted; hidden and build directories are left out.
fn files(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut pending = vec![root.to_path_buf()];
    while let Some(directory) = pending.pop() {
        let entries = fs::read_dir(&directory)
            .map_err(|error| format!("{}: {error}", directory.display()))?;
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                if name != "target" && !name.starts_with('.') {
                    pending.push(path);
                }
            } else if name == "Cargo.toml" || name.ends_with(".rs") || name.ends_with(".md") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Tree(PathBuf);

    impl Tree {
        fn new(name: &str) -> Self {
            let root = std::env::temp_dir().join(format!("tidy-{name}-{}", std::process::id()));
            fs::create_dir_all(&root).unwrap();
            Self(root)
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.0.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    impl Drop for Tree {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_bad_tree_fails() {
        let tree = Tree::new("bad");
        tree.write("Cargo.toml", "[workspace]\n");
        tree.write(
            "crates/steam-state/Cargo.toml",
            "[package]\nname = \"steam-state\"\n[dependencies]\ngoblin.workspace = true\n",
        );
        tree.write("crates/steam-state/src/utils.rs", "fn nothing() {}\n");
        let all = complaints(&tree.0).unwrap().join("\n");
        assert!(all.contains("goblin"), "{all}");
        assert!(all.contains("utils"), "{all}");
        assert!(all.contains("//!"), "{all}");
        assert!(run(&tree.0).is_err());
    }

    #[test]
    fn build_output_is_not_looked_at() {
        let tree = Tree::new("target");
        tree.write("vm-isa/Cargo.toml", "[package]\nname = \"vm-isa\"\n");
        tree.write("target/debug/build/generated.rs", "fn no_header() {}\n");
        let all = complaints(&tree.0).unwrap();
        assert!(!all.iter().any(|complaint| complaint.contains("generated")), "{all:?}");
    }

    #[test]
    fn an_empty_tree_is_an_error() {
        assert!(complaints(&Tree::new("empty").0).is_err());
    }
}
