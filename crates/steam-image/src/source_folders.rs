//! Which source files may be shown. The names in debug information are those of whoever made the program, and
//! may be any file that our user can read; so only those in folders that the user works with are printed.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

static FOLDERS: OnceLock<Vec<PathBuf>> = OnceLock::new();

/// From now on only files in these folders are shown, and below them; who says nothing is shown all. The first
/// one who says so counts.
pub fn show_sources_within(folders: impl IntoIterator<Item = PathBuf>) {
    let folders = folders.into_iter().filter_map(|folder| folder.canonicalize().ok());
    // A root would be everything.
    let _ = FOLDERS.set(folders.filter(|folder| folder.parent().is_some()).collect());
}

/// Whether a source file may be shown.
pub fn is_shown_source(file: &str) -> bool {
    FOLDERS.get().is_none_or(|folders| lies_within(Path::new(file), folders))
}

fn lies_within(file: &Path, folders: &[PathBuf]) -> bool {
    file.canonicalize().is_ok_and(|file| folders.iter().any(|folder| file.starts_with(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_lies_where_it_really_is() {
        let folders = [Path::new(env!("CARGO_MANIFEST_DIR")).join("src").canonicalize().unwrap()];
        let own = folders[0].join("source_folders.rs");
        assert!(lies_within(&own, &folders));
        assert!(!lies_within(&folders[0].join("../Cargo.toml"), &folders));
        assert!(!lies_within(Path::new("/etc/passwd"), &folders));
        assert!(!lies_within(Path::new("/nowhere"), &folders));
    }
}
