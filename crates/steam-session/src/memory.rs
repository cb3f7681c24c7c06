//! Watches how much memory this process really has, beside what a search counts, and how much it may have.
//!
//! A search counts its states and components; buffers of single steps, the allocator's gaps and what is
//! forgotten in the count are memory, too. So the limit holds for what the system says.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often the system is asked.
const INTERVAL: Duration = Duration::from_millis(4);
/// So much growth is always allowed: what a search needs before it has a state.
const LEAST: u64 = 24 << 20;
/// Pages of this size are counted by the system.
const PAGE: u64 = 4096;

/// A flag that is set as soon as this process has more memory than `limit`, until the end of the process.
pub fn watch(limit: u64) -> Arc<AtomicBool> {
    let full = Arc::new(AtomicBool::new(false));
    let Some(now) = resident() else { return full };
    let most = limit.max(now.saturating_add(LEAST));
    let flag = Arc::clone(&full);
    std::thread::spawn(move || {
        // Whoever waited for the flag is gone when nobody else has it.
        while Arc::strong_count(&flag) > 1 {
            if resident().is_some_and(|bytes| bytes >= most) {
                flag.store(true, Ordering::Relaxed);
                return;
            }
            std::thread::sleep(INTERVAL);
        }
    });
    full
}

/// The bytes of this process that are in memory.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    pages.checked_mul(PAGE)
}

/// The memory that this process may have: what the machine has, or less where its group has a limit.
pub fn allowed() -> Option<u64> {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| total(&text));
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let group = group_limits(&groups, Path::new("/sys/fs/cgroup")).into_iter().min();
    machine.into_iter().chain(group).min()
}

fn total(meminfo: &str) -> Option<u64> {
    let rest = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The limits of the groups that a process is in, and of those around them. In a container the path of a
/// group may be one of the machine outside: the root is asked in any case.
fn group_limits(groups: &str, root: &Path) -> Vec<u64> {
    let mut limits = Vec::new();
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) =
            (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        let (root, file) = match controllers {
            "" => (root.to_owned(), "memory.max"),
            _ if controllers.split(',').any(|it| it == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let folder = root.join(path.trim_start_matches('/'));
        let folders = folder.ancestors().take_while(|folder| folder.starts_with(&root));
        // `max` is no number, as is no file at all.
        let limit = |folder: &Path| -> Option<u64> {
            std::fs::read_to_string(folder.join(file)).ok()?.trim().parse().ok()
        };
        limits.extend(folders.filter_map(limit));
    }
    limits
}

/// The greatest amount of memory that this process had.
pub fn peak() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_memory_and_may_have_more() {
        let (now, most) = (resident().unwrap(), allowed().unwrap());
        assert!(now > 1 << 20 && most > now);
        assert!(peak().unwrap() > 1 << 20);
        assert_eq!(total("MemFree: 1 kB\nMemTotal:    2048 kB\n"), Some(2 << 20));
        assert_eq!(total(""), None);
    }

    #[test]
    fn the_lowest_limit_of_all_groups_around_counts() {
        let name = format!("steam-memory-{}", std::process::id());
        let root = std::env::temp_dir().join(name);
        let put = |path: &str, text: &str| {
            let file = root.join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        };
        put("a/memory.max", "5000\n");
        put("a/b/memory.max", "max\n");
        assert_eq!(group_limits("0::/a/b\n", &root), [5000]);
        assert!(group_limits("0::/c\n", &root).is_empty());
        put("memory/memory.limit_in_bytes", "9000\n");
        put("memory/d/memory.limit_in_bytes", "7000\n");
        let limits = group_limits("3:cpu:/d\n4:memory:/d\nrubbish\n", &root);
        assert_eq!(limits, [7000, 9000]);
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn too_much_memory_is_seen() {
        let full = watch(0);
        let mut held = Vec::new();
        while !full.load(Ordering::Relaxed) {
            assert!(held.len() < 100, "nobody looks");
            held.push(vec![1u8; 4 << 20]);
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(held.len() as u64 * (4 << 20) >= LEAST / 2);
    }
}
