//! The machine that a run was made on.

use std::fs;

/// The processor and the number of cores that can be used.
pub(crate) fn describe() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {cores} usable cores", processor(&text).unwrap_or("unknown processor"))
}

fn processor(cpuinfo: &str) -> Option<&str> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_has_a_name() {
        assert_eq!(processor("vendor : x\nmodel name\t: Fast 3000\n"), Some("Fast 3000"));
        assert_eq!(processor(""), None);
    }
}
