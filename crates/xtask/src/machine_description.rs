//! The machine that a benchmark ran on, for the head of its results.

use std::fs;
use std::process::Command;

/// One line each: processor, cores, kernel, compiler.
pub fn describe() -> Vec<String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let cores = if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
    vec![
        format!("processor: {}, {cores} usable", processor()),
        format!("memory: {}", memory()),
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

fn processor() -> String {
    field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".to_owned())
}

fn memory() -> String {
    field("/proc/meminfo", "MemTotal")
        .and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok())
        .map_or_else(|| "unknown".to_owned(), |kib| format!("{:.1} GiB", kib as f64 / 1_048_576.0))
}

fn field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
