//! The texts of a process's files in `/proc`, in the forms of Linux. What depends on the host or on time is constant.

use std::fmt::Write;
use std::sync::Arc;

use super::{FileSystem, ProcessFile};
use crate::kernel::ThreadRecord;
use crate::system::System;
use crate::world::{PARENT_ID, USER_ID};

const PAGE: u64 = 4096;

fn name_of(record: Option<&ThreadRecord>) -> String {
    let name = record.map_or([0; 16], |record| record.name);
    let end = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
    String::from_utf8_lossy(&name[..end]).into_owned()
}

impl FileSystem<'_> {
    /// The numbers of the process's threads; `None` in a search where others may come and go meanwhile.
    pub(super) fn thread_numbers(&self) -> Option<Vec<u32>> {
        let system = self.system;
        if self.world.runner.searches() && !system.is_only_thread() {
            return None;
        }
        Some(system.threads.of(system.space).map(|(it, _)| System::thread_number(it)).collect())
    }

    /// The text of a file; `None` where it is not modelled.
    pub fn process_text(&self, file: ProcessFile) -> Option<Arc<[u8]>> {
        let text = match file {
            ProcessFile::Maps => self.maps(),
            ProcessFile::CommandLine => return Some(self.command_line()),
            ProcessFile::Fixed(text) => text.to_owned(),
            ProcessFile::Name => format!("{}\n", name_of(self.leader())),
            ProcessFile::Statistics => self.statistics()?,
            ProcessFile::Status => self.status_text()?,
            ProcessFile::Sizes => {
                let pages = self.mapped() / PAGE;
                format!("{pages} {pages} 100 100 0 {pages} 0\n")
            }
            _ => return None,
        };
        Some(text.into_bytes().into())
    }

    fn command_line(&self) -> Arc<[u8]> {
        let executed = self.system.process.executed.as_ref();
        Arc::clone(executed.map_or(&self.world.command_line, |it| &it.command_line))
    }

    fn leader(&self) -> Option<&ThreadRecord> {
        self.system.threads.get(self.system.space.leader())
    }

    /// How many bytes are mapped, but for the room of the heap.
    fn mapped(&self) -> u64 {
        let is_heap = |kind| kind == steam_state::RegionKind::Heap;
        let parts = self.regions.iter().filter(|(_, region)| !is_heap(region.kind));
        parts.map(|(start, region)| u64::from(region.end - start)).sum()
    }

    fn parent_number(&self) -> u32 {
        let entry = self.kernel.processes.get(&self.system.space.leader());
        entry.and_then(|entry| entry.parent).map_or(PARENT_ID, System::thread_number)
    }

    /// `stat`: 52 fields, of which those are kept that programs look for.
    fn statistics(&self) -> Option<String> {
        let (system, process) = (self.system, &self.system.process);
        let threads = self.thread_numbers()?.len();
        let (number, parent) = (system.process_number(), self.parent_number());
        let (group, session) = (process.group, process.session);
        let size = self.mapped();
        let mut text = format!(
            "{number} ({}) R {parent} {group} {session} 0 -1 4194304 100 0 0 0 0 0 0 0 20 0 {threads} 0 \
             100000 {size} {} 4294967295",
            name_of(self.leader()),
            size / PAGE,
        );
        // Addresses, signals and what else the kernel does not show to others.
        text.push_str(&" 0".repeat(27));
        text.push('\n');
        Some(text)
    }

    fn status_text(&self) -> Option<String> {
        let threads = self.thread_numbers()?.len();
        let (number, parent) = (self.system.process_number(), self.parent_number());
        let kilobytes = self.mapped() / 1024;
        let ids = format!("{USER_ID}\t{USER_ID}\t{USER_ID}\t{USER_ID}");
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = write!(
            text,
            "Name:\t{}\nUmask:\t{:04o}\nState:\tR (running)\nTgid:\t{number}\nNgid:\t0\nPid:\t{number}\nPPid:\t{parent}\n\
             TracerPid:\t0\nUid:\t{ids}\nGid:\t{ids}\nFDSize:\t64\nGroups:\t\nVmPeak:\t{kilobytes:>8} kB\n\
             VmSize:\t{kilobytes:>8} kB\nVmLck:\t       0 kB\nVmHWM:\t    4096 kB\nVmRSS:\t    4096 kB\n\
             Threads:\t{threads}\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n",
            name_of(self.leader()),
            self.system.process.umask,
        );
        Some(text)
    }
}
