//! Compiles guest sources, each (sources, flags, compiler) once: executables are kept under
//! `target/guest-programs`, named by a hash of all three.

use crate::corpus::Guest;
use crate::machine::target_directory;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A C compiler and the C++ compiler that belongs to it.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// Short name for reports: `gcc`, `clang`, `musl`.
    pub name: &'static str,
    /// The command for C.
    pub c: &'static str,
    /// The command for C++, where it links 32-bit programs.
    pub cpp: Option<&'static str>,
    version: String,
}

/// One way to compile a program.
#[derive(Clone, Debug)]
pub struct Variant {
    /// With which compiler.
    pub compiler: Compiler,
    /// Flags, in order.
    pub flags: Vec<String>,
}

impl Variant {
    /// Compiler and flags as reports print them; where headers are is of no interest.
    pub fn label(&self) -> String {
        let flags = self.flags.iter().filter(|flag| !flag.starts_with("-I"));
        flags.fold(self.compiler.name.to_owned(), |label, flag| format!("{label} {flag}"))
    }
}

/// Flags of every guest: i386, static, with lines and threads, and no warnings, because
/// several programs do on purpose what compilers warn of.
const ALWAYS: [&str; 4] = ["-m32", "-g", "-pthread", "-w"];

/// The compilers of this machine that link static 32-bit programs; they are looked for once.
pub fn compilers() -> Vec<Compiler> {
    static FOUND: OnceLock<Vec<Compiler>> = OnceLock::new();
    FOUND.get_or_init(find_compilers).clone()
}

fn find_compilers() -> Vec<Compiler> {
    let mut found = Vec::new();
    found.extend(probe("gcc", "gcc", Some("g++")));
    found.extend(probe("clang", "clang", Some("clang++")));
    let musl = ["i686-linux-musl-gcc", "i386-linux-musl-gcc", "musl-gcc"];
    found.extend(musl.into_iter().find_map(|command| probe("musl", command, None)));
    if std::env::var_os("STEAM_TEST_ALL").is_some() {
        let names: Vec<&str> = found.iter().map(|compiler| compiler.name).collect();
        assert_eq!(names, ["gcc", "clang", "musl"], "`make test-all` installs all of them");
    }
    found
}

fn probe(name: &'static str, c: &'static str, cpp: Option<&'static str>) -> Option<Compiler> {
    const TRIAL: &str = "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n";
    const TRIAL_CPP: &str = "#include <iostream>\nint main() { std::cout << 1; }\n";
    let version = Command::new(c).arg("--version").output().ok()?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    if !links(c, TRIAL, ".c") {
        return None;
    }
    let cpp = cpp.filter(|command| links(command, TRIAL_CPP, ".cc"));
    Some(Compiler { name, c, cpp, version })
}

/// Compiles and links a trial program in a folder of this process's own.
fn links(command: &str, trial: &str, extension: &str) -> bool {
    let folder = std::env::temp_dir().join(format!("steam-probe-{}", std::process::id()));
    let source = folder.join(format!("trial{extension}"));
    let works = std::fs::create_dir_all(&folder).is_ok()
        && std::fs::write(&source, trial).is_ok()
        && Command::new(command)
            .args(ALWAYS)
            .arg("-static")
            .arg(&source)
            .arg("-o")
            .arg(folder.join("trial"))
            .output()
            .is_ok_and(|output| output.status.success());
    // A left-over folder in the temporary directory harms nothing.
    let _ = std::fs::remove_dir_all(&folder);
    works
}

/// The executable of a guest in a variant: from the cache, or compiled now.
///
/// # Errors
/// The compiler's own messages, or why it could not be started.
pub fn compile(guest: &Guest, variant: &Variant) -> Result<PathBuf, String> {
    let compiler = if guest.is_cpp() { variant.compiler.cpp } else { Some(variant.compiler.c) };
    let compiler = compiler.ok_or_else(|| format!("{} has no C++", variant.compiler.name))?;
    let arguments = arguments(guest, variant);
    let cache = target_directory().join("guest-programs");
    // Programs of different folders may have the same name.
    let folder = guest.path.parent().and_then(Path::file_name).unwrap_or_default();
    let label = variant.label().replace([' ', '='], "");
    let prefix = format!("{}-{}-{label}", folder.to_string_lossy(), guest.name);
    let executable = cache.join(format!("{prefix}-{:016x}", key(guest, variant, &arguments)));
    if executable.exists() {
        return Ok(executable);
    }
    std::fs::create_dir_all(&cache).map_err(|why| format!("{}: {why}", cache.display()))?;
    forget_older(&cache, &prefix, &executable);
    build(compiler, &arguments, guest, &executable)?;
    Ok(executable)
}

/// The source stands before the flags of the directive: libraries come after what uses them.
fn arguments(guest: &Guest, variant: &Variant) -> Vec<String> {
    let pie = variant.flags.iter().any(|flag| flag == "-static-pie");
    let mut arguments: Vec<String> = ALWAYS.map(str::to_owned).to_vec();
    if !pie {
        arguments.push("-static".to_owned());
    }
    arguments.extend(variant.flags.iter().cloned());
    // `steam.h`, for those that ask something of the checker.
    arguments.push(concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../toolchain/include").to_owned());
    arguments.extend(guest.directive.standard.iter().map(|standard| format!("-std={standard}")));
    let companions = guest.companions.iter().map(|(path, _)| path);
    let sources = companions.filter(|path| path.extension().is_none_or(|kind| kind != "h"));
    arguments.extend(
        std::iter::once(&guest.path).chain(sources).map(|path| path.to_string_lossy().into_owned()),
    );
    arguments.extend(guest.directive.flags.iter().cloned());
    arguments
}

fn key(guest: &Guest, variant: &Variant, arguments: &[String]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&guest.source, &variant.compiler.version, arguments).hash(&mut hasher);
    (&guest.companions, headers(arguments)).hash(&mut hasher);
    hasher.finish()
}

/// The texts of all headers in the folders that are searched for them (`-Ifolder`).
fn headers(arguments: &[String]) -> Vec<String> {
    let folders = arguments.iter().filter_map(|argument| argument.strip_prefix("-I"));
    let entries = folders.filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

/// Compiles beside the final name and renames, so that an interrupted run leaves no half file and
/// two tests that want the same program at the same time do not meet.
fn build(compiler: &str, args: &[String], guest: &Guest, output: &Path) -> Result<(), String> {
    static BUILDS: AtomicU32 = AtomicU32::new(0);
    let build = BUILDS.fetch_add(1, Relaxed);
    let unfinished = output.with_extension(format!("new{}-{build}", std::process::id()));
    let result = Command::new(compiler)
        .args(args)
        .arg("-o")
        .arg(&unfinished)
        .output()
        .map_err(|why| format!("cannot start {compiler}: {why}"))?;
    if !result.status.success() {
        let messages = String::from_utf8_lossy(&result.stderr);
        return Err(format!("{compiler} does not compile {}:\n{}", guest.name, messages.trim()));
    }
    std::fs::rename(&unfinished, output).map_err(|why| format!("{}: {why}", output.display()))
}

/// Removes what earlier versions of this source or compiler left in the cache; what is wanted now
/// may be there meanwhile, by another test.
fn forget_older(cache: &Path, prefix: &str, wanted: &Path) {
    let Ok(entries) = std::fs::read_dir(cache) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path() != wanted && name.strip_prefix(prefix).is_some_and(is_key) {
            // The cache only grows if this fails.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn is_key(rest: &str) -> bool {
    rest.len() == 17 && rest.starts_with('-')
}
