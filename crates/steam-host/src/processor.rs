//! The processor: its name, how many of its cores can be used, and how busy they are.

use std::fs;

/// The name of the processor.
pub fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    model(&text).unwrap_or("unknown processor").to_owned()
}

/// How many cores this process can use, at least one.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The three load averages, as they are now.
pub fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

fn model(cpuinfo: &str) -> Option<&str> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_has_a_name() {
        assert_eq!(model("vendor : x\nmodel name\t: Fast 3000\n"), Some("Fast 3000"));
        assert_eq!(model(""), None);
        assert!(cores() >= 1 && !processor().is_empty());
    }
}
