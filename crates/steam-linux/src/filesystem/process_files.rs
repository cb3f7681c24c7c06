//! The process's own entry in `/proc`: what programs really look for there.

use std::fmt::Write;
use std::sync::Arc;

use steam_state::{RegionKind, ThreadId};

use super::FileSystem;
use crate::boot::TRAMPOLINE;
use crate::world::PROCESS_ID;

/// A file of `/proc/self`, or a link in `/dev` that leads there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcessFile {
    /// `/proc/self` itself, or its `fd`.
    Directory,
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
    /// A file whose text is always the same.
    Fixed(&'static str),
    /// Anything else: not modelled.
    Unknown,
}

fn number(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

impl ProcessFile {
    /// The file at an absolute path.
    pub fn at(path: &[u8]) -> Option<Self> {
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
            Some(PROCESS_ID) if rest.is_empty() => return Some(Self::SelfLink),
            // Other processes of the host are none of the guest's business.
            Some(_) => return Some(Self::Unknown),
            None if first != b"self" => return None,
            None => {}
        }
        Some(match rest {
            b"" | b"/fd" => Self::Directory,
            b"/exe" => Self::Executable,
            b"/cwd" => Self::WorkingDirectory,
            b"/root" => Self::Root,
            b"/maps" => Self::Maps,
            b"/cmdline" => Self::CommandLine,
            _ => match rest.strip_prefix(b"/fd/").and_then(number) {
                Some(descriptor) => Self::Descriptor(descriptor),
                None => Self::Unknown,
            },
        })
    }

    /// Whether it is a directory.
    pub fn is_directory(self) -> bool {
        self == Self::Directory
    }
}

impl FileSystem<'_> {
    /// The target of a link in `/proc/self`.
    pub fn process_link(&self, file: ProcessFile) -> Option<Arc<[u8]>> {
        match file {
            ProcessFile::Executable => Some(Arc::clone(&self.world.executable)),
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

    /// The text of a file in `/proc/self`; `None` where it is not modelled.
    pub fn process_text(&self, file: ProcessFile) -> Option<Arc<[u8]>> {
        match file {
            ProcessFile::Maps => Some(self.maps().into_bytes().into()),
            ProcessFile::CommandLine => Some(Arc::clone(&self.world.command_line)),
            ProcessFile::Fixed(text) => Some(text.as_bytes().into()),
            _ => None,
        }
    }

    fn maps(&self) -> String {
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
                | RegionKind::BehindFile
                | RegionKind::Shared(_)
                | RegionKind::Stack(_) => String::new(),
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
