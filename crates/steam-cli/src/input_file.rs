//! Files that the user names, read as a whole.

use std::path::Path;

use anyhow::{Context, bail};
use steam_image::read_regular;

/// The bytes of a regular file that has at most `most` of them.
pub fn read(path: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    read_regular(path, most).with_context(|| format!("cannot read {}", path.display()))
}

/// The text of such a file.
pub fn read_text(path: &Path, most: u64) -> anyhow::Result<String> {
    let text = String::from_utf8(read(path, most)?);
    text.with_context(|| format!("{} is no text", path.display()))
}

/// Refuses what is no regular file before another program reads it, such as the compiler.
pub fn is_regular(path: &Path) -> anyhow::Result<()> {
    let about = std::fs::metadata(path);
    if !about.with_context(|| format!("cannot read {}", path.display()))?.is_file() {
        bail!("cannot read {}: it is no regular file", path.display());
    }
    Ok(())
}
