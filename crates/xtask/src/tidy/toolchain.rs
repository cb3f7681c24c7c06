//! The Rust version that the manifest promises is the one that continuous integration builds with.
//!
//! No other version is tried, so no older one may be promised. A developer with a newer one may work here: tidy
//! insists only in continuous integration, and says so elsewhere.

use std::process::Command;

/// What the compiler here calls itself.
pub fn compiler() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let output = output.map_err(|error| format!("rustc --version: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What is wrong with the version that the workspace's manifest promises.
pub fn complaint(manifest: &str, compiler: &str) -> Option<String> {
    let promised = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "));
    let promised = promised.unwrap_or_default().trim().trim_matches('"');
    let here = compiler.split(' ').nth(1).unwrap_or_default();
    let same = !promised.is_empty() && part(promised) == part(here);
    (!same).then(|| {
        format!("Cargo.toml: rust-version is `{promised}`, and this is built with `{here}`")
    })
}

/// The first two numbers of a version: a third one brings repairs alone.
fn part(version: &str) -> Vec<&str> {
    version.split('.').take(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_promise_is_what_is_built_with() {
        let manifest = "[workspace.package]\nrust-version = \"1.95\"\n";
        assert_eq!(complaint(manifest, "rustc 1.95.1 (59807616e 2026-04-14)\n"), None);
        assert!(complaint(manifest, "rustc 1.9.5 (x)\n").is_some());
        assert!(complaint(manifest, "rustc 1.96.0-nightly (x)\n").is_some());
        assert!(complaint("[workspace]\n", "rustc 1.95.0\n").is_some());
        assert!(complaint(manifest, "").is_some());
    }
}
