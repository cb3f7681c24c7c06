//! The process's own entry in `/proc`: what programs really look for there.

use std::fmt::Write;
use std::sync::Arc;

use steam_state::{RegionKind, ThreadId};

use super::FileSystem;
use crate::boot::TRAMPOLINE;

/// A file of `/proc/self`, or a link in `/dev` that leads there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcessFile {
    /// `/proc/self` itself, or another directory whose entries are not told.
    Directory,
    /// The directory of open files.
    Descriptors,
    /// The directory of threads.
    Tasks,
    /// The directory of a thread, by its number.
    Task(u32),
    /// A link to the program.
    Executable,
    /// A link to the working directory.
    WorkingDirectory,
    /// A link to `/`.
    Root,
    /// An open file, by its descriptor.
    Descriptor(u32),
    /// A link from `/dev` to an open file.
    DescriptorLink(u32),
    /// A link to the directory of open files.
    DescriptorsLink,
    /// A link to `/proc/self`.
    SelfLink,
    /// The mappings.
    Maps,
    /// The arguments.
    CommandLine,
    /// `stat`: numbers about the process.
    Statistics,
    /// `status`: the same in words.
    Status,
    /// `statm`: its sizes.
    Sizes,
    /// `comm`: its name.
    Name,
    /// A file whose text is always the same.
    Fixed(&'static str),
    /// Anything else: not modelled.
    Unknown,
}

fn number(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

impl ProcessFile {
    /// The file at an absolute path, for the process with a number.
    pub fn at(path: &[u8], own: u32) -> Option<Self> {
        match path {
            b"/dev/stdin" => return Some(Self::DescriptorLink(0)),
            b"/dev/stdout" => return Some(Self::DescriptorLink(1)),
            b"/dev/stderr" => return Some(Self::DescriptorLink(2)),
            b"/dev/fd" => return Some(Self::DescriptorsLink),
            b"/proc/thread-self" => return Some(Self::SelfLink),
            _ => {}
        }
        let rest = path.strip_prefix(b"/proc/")?;
        let end = rest.iter().position(|&byte| byte == b'/').unwrap_or(rest.len());
        let (first, rest) = rest.split_at(end);
        match number(first) {
            Some(number) if number == own && rest.is_empty() => return Some(Self::SelfLink),
            // The first process of the system always exists; what it does is not modelled.
            Some(1) if rest.is_empty() => return Some(Self::Directory),
            // Other processes of the host are none of the guest's business.
            Some(_) => return Some(Self::Unknown),
            None if first != b"self" => return None,
            None => {}
        }
        Some(match rest {
            b"" => Self::Directory,
            b"/fd" => Self::Descriptors,
            b"/task" => Self::Tasks,
            b"/stat" => Self::Statistics,
            b"/status" => Self::Status,
            b"/statm" => Self::Sizes,
            b"/comm" => Self::Name,
            b"/exe" => Self::Executable,
            b"/cwd" => Self::WorkingDirectory,
            b"/root" => Self::Root,
            b"/maps" => Self::Maps,
            b"/cmdline" => Self::CommandLine,
            _ => match (
                rest.strip_prefix(b"/fd/").and_then(number),
                rest.strip_prefix(b"/task/").and_then(number),
            ) {
                (Some(descriptor), _) => Self::Descriptor(descriptor),
                (_, Some(thread)) => Self::Task(thread),
                _ => Self::Unknown,
            },
        })
    }

    /// Whether it is a directory.
    pub fn is_directory(self) -> bool {
        matches!(self, Self::Directory | Self::Descriptors | Self::Tasks | Self::Task(_))
    }
}

impl FileSystem<'_> {
    /// The target of a link in `/proc/self`.
    pub fn process_link(&self, file: ProcessFile) -> Option<Arc<[u8]>> {
        match file {
            ProcessFile::Executable => {
                let executed = self.system.process.executed.as_ref();
                Some(Arc::clone(executed.map_or(&self.world.executable, |it| &it.path)))
            }
            ProcessFile::WorkingDirectory => Some(self.directory.into()),
            ProcessFile::Root => Some(b"/"[..].into()),
            ProcessFile::SelfLink => Some(b"/proc/self"[..].into()),
            ProcessFile::DescriptorsLink => Some(b"/proc/self/fd"[..].into()),
            ProcessFile::DescriptorLink(descriptor) => {
                Some(format!("/proc/self/fd/{descriptor}").into_bytes().into())
            }
            _ => None,
        }
    }

    /// The names in a directory of `/proc/self`; `None` where they are not told.
    pub fn process_names(&self, file: ProcessFile) -> Option<Vec<u32>> {
        match file {
            ProcessFile::Descriptors => {
                Some(self.system.process.descriptors.keys().copied().collect())
            }
            ProcessFile::Tasks => self.thread_numbers(),
            _ => None,
        }
    }

    pub(super) fn maps(&self) -> String {
        let mut text = String::new();
        for (start, region) in self.regions.iter() {
            let name = match region.kind {
                RegionKind::Image(_) => {
                    String::from_utf8_lossy(&self.world.executable).into_owned()
                }
                RegionKind::Break | RegionKind::Heap => "[heap]".to_owned(),
                RegionKind::Stack(ThreadId::FIRST) => "[stack]".to_owned(),
                RegionKind::Mapped if start == TRAMPOLINE => "[vdso]".to_owned(),
                RegionKind::Mapped
                | RegionKind::FileCopy { .. }
                | RegionKind::Former { .. }
                | RegionKind::PastFileEnd
                | RegionKind::Shared(_)
                | RegionKind::Stack(_)
                | RegionKind::EndedStack { .. } => String::new(),
            };
            let allowed = region.protection;
            let letter = |yes, letter| if yes { letter } else { '-' };
            let line = format!(
                "{start:08x}-{:08x} {}{}{}p 00000000 00:00 0 ",
                region.end,
                letter(allowed.read, 'r'),
                letter(allowed.write, 'w'),
                letter(allowed.execute, 'x'),
            );
            // Writing into a string cannot fail.
            let _ = match name.is_empty() {
                true => writeln!(text, "{line}"),
                false => writeln!(text, "{line:<49}{name}"),
            };
        }
        text
    }
}
