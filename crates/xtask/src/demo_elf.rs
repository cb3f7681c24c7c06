//! `xtask demo-elf`: compiles the ELF files that `steam` embeds: the program of `steam demo`, and the shell for
//! `system` and `popen`.
//!
//! The files are committed, because both must work where there is no compiler. Another compiler
//! version gives other bytes; the command only says so, and a person decides.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A source, the file that it becomes, and how large that may be.
const FILES: [(&str, &str, usize); 2] = [
    ("samples/demo/demo.c", "crates/steam-cli/demo/demo.elf", 16 * 1024),
    ("crates/steam-program/shell/sh.c", "crates/steam-program/shell/sh.elf", 40 * 1024),
];

/// No libc, no paths of this machine, no build id: the same compiler gives the same bytes.
const FLAGS: &[&str] = &[
    "-m32",
    "-static",
    "-nostdlib",
    "-ffreestanding",
    "-fno-pie",
    "-no-pie",
    "-std=c11",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Og",
    "-g",
    "-fno-omit-frame-pointer",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    "-fcf-protection=none",
    "-fno-tree-loop-distribute-patterns",
    "-Wl,--build-id=none",
    "-Wl,-z,noseparate-code",
    "-Wl,-z,max-page-size=4096",
];

/// Whether the rebuilt file replaces the committed one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Only say whether it changed; a change is an error.
    Check,
    /// Put it in place.
    Write,
}

/// Rebuilds the embedded ELF files and says whether they changed.
pub fn run(root: &Path, mode: Mode) -> Result<(), String> {
    FILES.iter().try_for_each(|file| renew(root, mode, *file))
}

fn renew(
    root: &Path,
    mode: Mode,
    (source, target, limit): (&str, &str, usize),
) -> Result<(), String> {
    let fresh = build(root, source)?;
    if fresh.len() >= limit {
        return Err(format!("{source} became {} bytes; the limit is {limit}", fresh.len()));
    }
    let committed = fs::read(root.join(target)).unwrap_or_default();
    if fresh == committed {
        println!("{target}: {} bytes, unchanged", fresh.len());
        return Ok(());
    }
    let change = format!("{target}: changed, {} bytes were {}", fresh.len(), committed.len());
    if mode == Mode::Check {
        return Err(change);
    }
    let target = root.join(target);
    fs::write(&target, fresh).map_err(|error| format!("{}: {error}", target.display()))?;
    println!("{change}");
    Ok(())
}

fn build(root: &Path, source: &str) -> Result<Vec<u8>, String> {
    let output = std::env::temp_dir().join(format!("steam-demo-{}.elf", std::process::id()));
    let status = Command::new("gcc")
        .current_dir(root)
        .args(FLAGS)
        .arg(format!("-ffile-prefix-map={}=.", root.display()))
        .arg("-o")
        .arg(&output)
        .arg(source)
        .status()
        .map_err(|error| format!("gcc: {error}; run toolchain/setup"))?;
    let bytes = fs::read(&output);
    let _ = fs::remove_file(&output);
    if !status.success() {
        return Err(format!("gcc could not compile {source} ({status})"));
    }
    bytes.map_err(|error| format!("{}: {error}", output.display()))
}
