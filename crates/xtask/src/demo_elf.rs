//! `xtask demo-elf`: compiles samples/demo/demo.c into the ELF file that `steam demo` embeds.
//!
//! The file is committed, because the demo must work where there is no compiler. Another compiler
//! version gives other bytes; the command only says so, and a person decides.

use std::fs;
use std::path::Path;
use std::process::Command;

const SOURCE: &str = "samples/demo/demo.c";
const TARGET: &str = "crates/steam-cli/demo/demo.elf";
const LIMIT: usize = 16 * 1024;

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

/// Rebuilds the embedded ELF file and says whether it changed.
pub fn run(root: &Path, mode: Mode) -> Result<(), String> {
    let fresh = build(root)?;
    if fresh.len() >= LIMIT {
        return Err(format!("{SOURCE} became {} bytes; the limit is {LIMIT}", fresh.len()));
    }
    let committed = fs::read(root.join(TARGET)).unwrap_or_default();
    if fresh == committed {
        println!("{TARGET}: {} bytes, unchanged", fresh.len());
        return Ok(());
    }
    let change = format!("{TARGET}: changed, {} bytes were {}", fresh.len(), committed.len());
    if mode == Mode::Check {
        return Err(change);
    }
    let target = root.join(TARGET);
    fs::write(&target, fresh).map_err(|error| format!("{}: {error}", target.display()))?;
    println!("{change}");
    Ok(())
}

fn build(root: &Path) -> Result<Vec<u8>, String> {
    let output = std::env::temp_dir().join(format!("steam-demo-{}.elf", std::process::id()));
    let status = Command::new("gcc")
        .current_dir(root)
        .args(FLAGS)
        .arg(format!("-ffile-prefix-map={}=.", root.display()))
        .arg("-o")
        .arg(&output)
        .arg(SOURCE)
        .status()
        .map_err(|error| format!("gcc: {error}; run toolchain/setup"))?;
    let bytes = fs::read(&output);
    let _ = fs::remove_file(&output);
    if !status.success() {
        return Err(format!("gcc could not compile {SOURCE} ({status})"));
    }
    bytes.map_err(|error| format!("{}: {error}", output.display()))
}
