//! Shared mappings of files: the same bytes in memory and in the file.
//!
//! The guest writes to memory without asking. So the bytes go from memory to the file when the
//! file is about to be read, and from the file to memory after it was written; at no other moment
//! can the difference be seen. What would make it visible, two mappings of the same bytes, is not
//! modelled.

use steam_state::PAGE_SIZE;

use super::Call;
use crate::guest::Refusal;
use crate::kernel::{InodeKind, SharedMapping};

impl Call<'_> {
    /// Notes that `start..end` shows a file of the overlay from `offset` on.
    pub(super) fn share(
        &mut self,
        (start, end): (u32, u32),
        inode: u32,
        offset: u64,
    ) -> Result<(), Refusal> {
        let new = SharedMapping { end, inode, offset };
        let shared = &mut self.system.process.shared;
        let file_end = |start: u32, it: &SharedMapping| it.offset + u64::from(it.end - start);
        let twice = shared.iter().any(|(&other_start, other)| {
            other.inode == inode
                && other.offset < file_end(start, &new)
                && offset < file_end(other_start, other)
        });
        if twice {
            return Err(Refusal::Unknown("two shared mappings of the same bytes".to_owned()));
        }
        shared.insert(start, new);
        self.system.kernel.overlay.change(inode, |inode| inode.opened += 1);
        Ok(())
    }

    /// Forgets the shared mappings within `start..end`, after their last bytes went to the file.
    pub(super) fn end_sharing(&mut self, start: u32, end: u32) {
        let shared = &self.system.process.shared;
        let touched: Vec<(u32, SharedMapping)> = shared
            .iter()
            .filter(|(from, mapping)| **from < end && mapping.end > start)
            .map(|(&from, &mapping)| (from, mapping))
            .collect();
        for (from, mapping) in touched {
            self.memory_to_file(mapping.inode);
            let process = &mut self.system.process;
            process.shared.remove(&from);
            let mut pieces = 0;
            if from < start {
                process.shared.insert(from, SharedMapping { end: start, ..mapping });
                pieces += 1;
            }
            if mapping.end > end {
                let offset = mapping.offset + u64::from(end - from);
                process.shared.insert(end, SharedMapping { offset, ..mapping });
                pieces += 1;
            }
            let overlay = &mut self.system.kernel.overlay;
            overlay.change(mapping.inode, |inode| inode.opened = inode.opened + pieces - 1);
        }
    }

    fn mappings_of(&self, inode: u32) -> Vec<(u32, SharedMapping)> {
        let shared = self.system.process.shared.iter();
        let own = shared.filter(|(_, mapping)| mapping.inode == inode);
        own.map(|(&start, &mapping)| (start, mapping)).collect()
    }

    /// Brings what was written to memory into a file that is about to be read.
    pub(super) fn memory_to_file(&mut self, inode: u32) {
        for (start, mapping) in self.mappings_of(inode) {
            let overlay = &mut self.system.kernel.overlay;
            let Some(file) = overlay.inodes.get_mut(&inode) else { return };
            let InodeKind::File(content) = &mut file.kind else { return };
            for page in (start..mapping.end).step_by(PAGE_SIZE) {
                let at = mapping.offset + u64::from(page - start);
                let old = content.read(at, PAGE_SIZE);
                let mut new = vec![0; old.len()];
                if self.cpu.memory.read_bytes(page, &mut new).is_ok() {
                    if new != old {
                        content.write(at, &new);
                    }
                } else {
                    // A page that cannot be read now was not written either.
                    self.cpu.memory.take_error();
                }
            }
        }
    }

    /// Brings a file that was written into the memory that shows it.
    pub(super) fn file_to_memory(&mut self, inode: u32) {
        for (start, mapping) in self.mappings_of(inode) {
            let overlay = &self.system.kernel.overlay;
            let Some(file) = overlay.inodes.get(&inode) else { return };
            let InodeKind::File(content) = &file.kind else { return };
            for page in (start..mapping.end).step_by(PAGE_SIZE) {
                let bytes = content.read(mapping.offset + u64::from(page - start), PAGE_SIZE);
                let mut whole = [0; PAGE_SIZE];
                whole[..bytes.len()].copy_from_slice(&bytes);
                self.cpu.memory.place_page(page, &whole);
            }
        }
    }
}
