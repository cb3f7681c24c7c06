//! Private mappings of files: which file a page is a copy of, so that it can be read again.
//!
//! The file of a mapping has a number, and is kept as long as some process shows a copy of it.

use steam_state::{PAGE_SIZE, RegionKind, Regions, Space};
use steam_visibility::{Memory, Watching};

use super::Call;
use crate::errno::Errno;
use crate::guest::Refusal;
use crate::kernel::FileName;
use crate::system::System;

const PAGE: u32 = PAGE_SIZE as u32;

/// Whether some mapping shows a copy of the file with a number.
fn shows(regions: &Regions, number: u32) -> bool {
    let is_copy = |kind| matches!(kind, RegionKind::FileCopy { file, .. } if file == number);
    regions.iter().any(|(_, region)| is_copy(region.kind))
}

/// Forgets the files of which no process shows a copy any more.
pub(super) fn collect(system: &mut System, memory: &Memory) {
    let shown = |number: u32| {
        let others = system.spaces().into_iter().filter(|space| *space != system.space);
        let regions = |space: Space| system.others.regions(space);
        shows(memory.regions(), number) || others.map(regions).any(|it| shows(it, number))
    };
    let files = system.kernel.copied_files.iter();
    let lost: Vec<(u32, FileName)> =
        files.filter(|(number, _)| !shown(**number)).map(|(&n, name)| (n, name.clone())).collect();
    for (number, name) in lost {
        system.kernel.copied_files.remove(&number);
        if let FileName::Private(inode) = name {
            system.kernel.overlay.change(inode, |inode| {
                inode.opened -= 1;
                inode.copied = false;
            });
        }
    }
}

impl Call<'_> {
    /// What a private mapping of a file is that begins at an address and shows the file from an offset on.
    pub(super) fn copy_of_file(&mut self, name: &FileName, offset: u64, start: u32) -> RegionKind {
        let kernel = &mut self.system.kernel;
        let known =
            kernel.copied_files.iter().find(|(_, it)| *it == name).map(|(&number, _)| number);
        let file = known.unwrap_or_else(|| {
            let number = kernel.copied_files.lowest_free(1);
            kernel.copied_files.insert(number, name.clone());
            if let FileName::Private(inode) = *name {
                kernel.overlay.change(inode, |inode| {
                    inode.opened += 1;
                    inode.copied = true;
                });
            }
            number
        });
        let first = (offset / u64::from(PAGE)) as u32;
        RegionKind::FileCopy { file, distance: first.wrapping_sub(start / PAGE) }
    }

    /// What such a mapping is when it has moved.
    pub(super) fn moved_copy(kind: RegionKind, from: u32, to: u32) -> RegionKind {
        match kind {
            RegionKind::FileCopy { file, distance } => {
                let distance = distance.wrapping_add(from / PAGE).wrapping_sub(to / PAGE);
                RegionKind::FileCopy { file, distance }
            }
            _ => RegionKind::Mapped,
        }
    }

    /// The pages in `start..end`, copies of a file, are again what the file is.
    pub(super) fn copy_again(
        &mut self,
        (start, end): (u32, u32),
        (file, distance): (u32, u32),
    ) -> Result<(), Refusal> {
        let name = self.system.kernel.copied_files.get(&file).cloned().ok_or(Errno::EINVAL)?;
        let name = self.written_since(name);
        if let FileName::Private(inode) = name {
            self.memory_to_file(inode);
        }
        let offset = u64::from((start / PAGE).wrapping_add(distance)) * u64::from(PAGE);
        let size = end - start;
        let length = self.files().length(&name)?.next_multiple_of(u64::from(PAGE));
        if length < offset + u64::from(size) {
            let detail = "MADV_DONTNEED on a private copy of pages that the file no longer has";
            return Err(Refusal::Unknown(detail.to_owned()));
        }
        let content = self.files().read(&name, offset, size as usize)?;
        let memory = &mut self.cpu.memory;
        memory.note(start, end, true);
        for (position, part) in content.chunks(PAGE_SIZE).enumerate() {
            let mut page = [0; PAGE_SIZE];
            page[..part.len()].copy_from_slice(part);
            memory.place_page(start + position as u32 * PAGE, &page);
        }
        Ok(())
    }

    /// The file of the overlay that a file of the host has become since, if it was written.
    fn written_since(&self, name: FileName) -> FileName {
        // It is one of the overlay already.
        let FileName::Host(path) = &name else { return name };
        let mut inodes = self.system.kernel.overlay.inodes.iter();
        let written = inodes.find(|(_, inode)| inode.copy_of.as_ref() == Some(path));
        written.map_or(name.clone(), |(&number, _)| FileName::Private(number))
    }
}
