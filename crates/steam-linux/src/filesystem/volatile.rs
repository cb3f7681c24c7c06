//! What the host has under `/proc` and `/sys` is another thing at each look, so the guest does not see it: a
//! few files that programs ask for the processors, the memory and the kernel are ours, all else is not modelled.

use super::{Node, ProcessFile};
use crate::world::{Host, HostKind};
use std::sync::Arc;

/// The files that are ours, with their text. The number of processors is that of [`crate::world::PROCESSORS`].
const FIXED: &[(&[u8], &str)] = &[
    (b"/proc/cpuinfo", "processor\t: 0\ncpu cores\t: 2\n\nprocessor\t: 1\ncpu cores\t: 2\n\n"),
    (b"/proc/loadavg", "0.00 0.00 0.00 1/1 1000\n"),
    // As `sysinfo` tells it.
    (
        b"/proc/meminfo",
        "MemTotal:        1048576 kB\nMemFree:          524288 kB\nMemAvailable:     524288 kB\n\
         Buffers:               0 kB\nCached:                0 kB\nSwapCached:            0 kB\n\
         SwapTotal:             0 kB\nSwapFree:              0 kB\n",
    ),
    (b"/proc/version", "Linux version 6.1.0 (steam) #1 SMP\n"),
    // As `uname` tells it.
    (b"/proc/sys/kernel/hostname", "steam\n"),
    (b"/proc/sys/kernel/osrelease", "6.1.0\n"),
    (b"/proc/sys/kernel/ostype", "Linux\n"),
    (b"/proc/sys/kernel/version", "#1 SMP\n"),
    (b"/proc/sys/kernel/cap_last_cap", "40\n"),
    (b"/proc/sys/kernel/core_pattern", "core\n"),
    (b"/proc/sys/kernel/ngroups_max", "65536\n"),
    (b"/proc/sys/kernel/pid_max", "32768\n"),
    (b"/proc/sys/kernel/randomize_va_space", "0\n"),
    (b"/proc/sys/kernel/sched_rr_timeslice_ms", "100\n"),
    (b"/proc/sys/kernel/threads-max", "4096\n"),
    (b"/proc/sys/vm/overcommit_memory", "0\n"),
    (b"/sys/devices/system/cpu/online", "0-1\n"),
    (b"/sys/devices/system/cpu/possible", "0-1\n"),
    (b"/sys/devices/system/cpu/present", "0-1\n"),
];

/// Whether a path lies where the host's files change by themselves.
pub(super) fn is_volatile(path: &[u8]) -> bool {
    [&b"/proc"[..], b"/sys"].iter().any(|folder| is_within(folder, path))
}

fn is_within(folder: &[u8], path: &[u8]) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

/// What the guest finds at such a path; nothing where the host has nothing either.
pub(super) fn at(path: &Arc<[u8]>, host: &Host) -> Option<Node> {
    if let Some((_, text)) = FIXED.iter().find(|(fixed, _)| **fixed == **path) {
        return Some(Node::Process(ProcessFile::Fixed(text)));
    }
    if FIXED.iter().any(|(fixed, _)| is_within(path, fixed)) {
        return Some(Node::Process(ProcessFile::Directory));
    }
    let node = host.node(path).ok()?;
    Some(match node.kind {
        HostKind::Directory => Node::Process(ProcessFile::Directory),
        HostKind::Link(_) => Node::Host(node),
        HostKind::File(_) | HostKind::Special => Node::Process(ProcessFile::Unknown),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_does_not_change_is_shown() {
        let host = Host::default();
        let find = |path: &str| at(&path.as_bytes().into(), &host);
        assert_eq!(find("/proc/uptime"), Some(Node::Process(ProcessFile::Unknown)));
        assert_eq!(find("/proc/nowhere"), None);
        assert_eq!(find("/sys/devices/system"), Some(Node::Process(ProcessFile::Directory)));
        let online = find("/sys/devices/system/cpu/online");
        assert_eq!(online, Some(Node::Process(ProcessFile::Fixed("0-1\n"))));
        assert!(is_volatile(b"/proc") && is_volatile(b"/sys/x"));
        assert!(!is_volatile(b"/process") && !is_volatile(b"/"));
    }
}
