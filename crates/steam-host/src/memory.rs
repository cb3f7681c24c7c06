//! Memory: what this process has, had at most, and may have.

use std::fs;
use std::path::Path;

/// Pages of this size are counted by the system.
const PAGE: u64 = 4096;

/// The bytes of this process that are in memory.
pub fn resident_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    pages.checked_mul(PAGE)
}

/// The memory that this process may have: what the machine has, or less where its group has a limit.
pub fn allowed_memory() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let group = group_limits(&groups, Path::new("/sys/fs/cgroup")).into_iter().min();
    total_memory().into_iter().chain(group).min()
}

/// The memory of the machine.
pub fn total_memory() -> Option<u64> {
    bytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")
}

/// What the kernel says of a size in kibibytes, in a line that begins with its name.
fn bytes(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
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
            _ if controllers.split(',').any(|controller| controller == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let folder = root.join(path.trim_start_matches('/'));
        let folders = folder.ancestors().take_while(|folder| folder.starts_with(&root));
        // `max` is no number, as is no file at all.
        let limit = |folder: &Path| -> Option<u64> {
            fs::read_to_string(folder.join(file)).ok()?.trim().parse().ok()
        };
        limits.extend(folders.filter_map(limit));
    }
    limits
}

/// The greatest amount of memory that this process had.
pub fn peak_memory() -> Option<u64> {
    bytes(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_memory_and_may_have_more() {
        let (now, most) = (resident_memory().unwrap(), allowed_memory().unwrap());
        assert!(now > 1 << 20 && most > now);
        assert!(peak_memory().unwrap() > 1 << 20);
        assert_eq!(bytes("MemFree: 1 kB\nMemTotal:    2048 kB\n", "MemTotal:"), Some(2 << 20));
        assert_eq!(bytes("", "MemTotal:"), None);
    }

    #[test]
    fn the_lowest_limit_of_all_groups_around_counts() {
        let name = format!("steam-host-{}", std::process::id());
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
}
