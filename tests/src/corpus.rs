//! The guest programs of one folder: which files they are, and what each asks for.

use crate::directive::Directive;
use std::path::{Path, PathBuf};

/// One guest source file.
#[derive(Clone, Debug)]
pub struct Guest {
    /// File name with extension, as reports print it.
    pub name: String,
    /// Where the source is.
    pub path: PathBuf,
    /// The text of the source.
    pub source: String,
    /// What it asks for.
    pub directive: Directive,
    /// The other files that it is made of, with their texts.
    pub companions: Vec<(PathBuf, String)>,
}

impl Guest {
    /// Says whether the source is C++.
    pub fn is_cpp(&self) -> bool {
        self.name.ends_with(".cc") || self.directive.cpp
    }

    /// The texts of all files that it is made of.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let companions = self.companions.iter().map(|(_, text)| text.as_str());
        std::iter::once(self.source.as_str()).chain(companions)
    }

    /// The 1-based number of the only line that carries `mark`, if there is one.
    pub fn marked_line(&self, mark: &str) -> Option<usize> {
        line_with(&self.source, mark)
    }

    /// The file, of all that it is made of, and the line that carries `mark`.
    pub fn marked_place(&self, mark: &str) -> Option<(String, usize)> {
        let own = self.marked_line(mark).map(|line| (self.name.clone(), line));
        let of_companion = |(path, text): &(PathBuf, String)| {
            let file = path.file_name()?.to_string_lossy().into_owned();
            Some((file, line_with(text, mark)?))
        };
        own.or_else(|| self.companions.iter().find_map(of_companion))
    }
}

/// The 1-based number of the first line that carries `mark`.
fn line_with(text: &str, mark: &str) -> Option<usize> {
    text.lines().position(|line| line.contains(mark)).map(|index| index + 1)
}

/// The folder of that name in the tests crate.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Reads all `.c` and `.cc` files of a folder whose name contains one of the filters (or all
/// when there are none), in the order of their names.
///
/// # Errors
/// Names the file that cannot be read or whose directive is wrong.
pub fn read(folder: &Path, filters: &[String]) -> Result<Vec<Guest>, String> {
    let entries =
        std::fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut guests = Vec::new();
    for entry in entries {
        let path = entry.map_err(|why| why.to_string())?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let wanted = filters.is_empty() || filters.iter().any(|filter| name.contains(filter));
        if wanted && (name.ends_with(".c") || name.ends_with(".cc")) {
            guests.push(guest(name, path, folder)?);
        }
    }
    guests.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(guests)
}

fn guest(name: String, path: PathBuf, folder: &Path) -> Result<Guest, String> {
    let source = std::fs::read_to_string(&path).map_err(|why| format!("{name}: {why}"))?;
    let directive =
        Directive::parse(&source, folder).map_err(|why| format!("{name}: directive {why}"))?;
    let companions = companions(&directive.with, folder)?;
    Ok(Guest { name, path, source, directive, companions })
}

fn companions(names: &[String], folder: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    let read = |path: PathBuf| match std::fs::read_to_string(&path) {
        Ok(text) => Ok((path, text)),
        Err(why) => Err(format!("{}: {why}", path.display())),
    };
    names.iter().map(|name| read(folder.join(name))).collect()
}

/// The arguments of the test binary that are names to filter by: `cargo test` passes its own
/// switches too, and they start with a dash.
pub fn filters() -> Vec<String> {
    std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect()
}
