//! The machine that a benchmark ran on, for the head of its results.

use std::process::Command;

/// One line each: processor, cores, kernel, compiler.
pub fn describe() -> Vec<String> {
    let cores = match steam_host::cores() {
        1 => "1 core".to_owned(),
        cores => format!("{cores} cores"),
    };
    let memory = steam_host::total_memory().map_or_else(
        || "unknown".to_owned(),
        |bytes| format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
    );
    vec![
        format!("processor: {}, {cores} usable", steam_host::processor()),
        format!("memory: {memory}"),
        format!("system: {}", first_line("uname", &["-srm"])),
        format!("compiler of the guests: {}", first_line("gcc", &["--version"])),
    ]
}

/// The first line that a command prints; a dash where it is not installed.
pub fn first_line(program: &str, arguments: &[&str]) -> String {
    Command::new(program)
        .args(arguments)
        .output()
        .ok()
        .and_then(|output| {
            String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
        })
        .unwrap_or_else(|| "-".to_owned())
}
