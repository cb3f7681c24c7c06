//! Suites and models that are built into steam, so that `steam bench quick` needs no files.

use std::path::{Path, PathBuf};

/// Path below `samples`, and text.
type File = (&'static str, &'static str);

macro_rules! sample {
    ($path:literal) => {
        ($path, include_str!(concat!("../../../samples/", $path)))
    };
}

/// The suites.
const SUITES: &[File] = &[
    sample!("suites/quick.toml"),
    sample!("suites/table3.toml"),
    sample!("suites/table4.toml"),
    sample!("suites/table5.toml"),
    sample!("suites/figure4.toml"),
];

/// What they are about.
const MODELS: &[File] = &[
    sample!("philo/philo.cc"),
    sample!("leader/leader.cc"),
    sample!("leader/leader.h"),
    sample!("opttel/opttel.cc"),
    sample!("opttel/opttel.h"),
    sample!("cashit/cashit.cc"),
    sample!("cashit/cashit.h"),
];

/// The names of the suites.
pub fn names() -> impl Iterator<Item = &'static str> {
    SUITES.iter().filter_map(|(path, _)| Path::new(path).file_stem()?.to_str())
}

/// Writes everything below a directory, and tells where a suite is then.
pub fn unpack(directory: &Path, suite: &str) -> Result<PathBuf, String> {
    for (path, text) in SUITES.iter().chain(MODELS) {
        let path = directory.join(path);
        let parent = path.parent().unwrap_or(directory);
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(directory.join("suites").join(suite).with_extension("toml"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Suite;

    #[test]
    fn all_suites_are_sound_and_have_their_models() {
        let folder = std::env::temp_dir().join(format!("steam-bundled-{}", std::process::id()));
        for name in names() {
            let path = unpack(&folder, name).unwrap();
            let suite = Suite::parse(&std::fs::read_to_string(&path).unwrap());
            let suite = suite.unwrap_or_else(|error| panic!("{name}: {error}"));
            for input in suite.models.iter().flat_map(|model| &model.inputs) {
                let input = path.parent().unwrap().join(input);
                assert!(input.exists(), "{name}: {}", input.display());
            }
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
