//! System calls: one table, one file per family, one small function per call.

mod children;
mod control;
mod counters;
mod counts;
mod descriptors;
mod directories;
mod edges;
mod ended_stacks;
mod epoll;
mod execution;
mod facts;
mod fifos;
mod file_copies;
mod futex;
mod identity;
mod ipc;
mod locked_memory;
mod locks;
mod mail_notices;
mod mail_queues;
mod memory;
mod message_queues;
mod names;
mod needs;
mod numbers;
mod offsets;
mod opening;
mod readiness;
mod resources;
mod scheduling;
mod semaphores;
mod shared_mappings;
mod shared_memory;
mod signal_files;
mod signals;
mod sockets;
mod splices;
mod stack_limit;
mod status;
mod table;
mod threads;
mod time;
mod timer_files;
mod timers;
mod timestamps;
mod transfer;
mod withdrawal;
mod words;

use std::sync::Arc;

use steam_vm::Cpu;

use crate::errno::Errno;
use crate::filesystem::{FileSystem, Found, Node};
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Stream, ThreadRecord, Waiting};
use crate::system::System;

pub use facts::{ActionForm, Common, Effect, Reads, Role, SystemCall, TimerForm};
pub use futex::waits as futex_waits;
pub use ipc::requires;
pub use locks::is_about_locks;
pub use numbers::{find, meant, row, with};
pub use signals::{disposition, new_mask};
pub use time::{kernel_time, timespec};
pub use words::in_words;

/// Takes what the guest writes to its standard output and error.
pub trait Output {
    /// Writes all bytes.
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> std::io::Result<()>;
}

/// What a call answers: the result in eax, or why there is none.
pub type Answer = Result<u32, Refusal>;

/// A function that does a call's work.
pub type Handler = fn(&mut Call<'_>) -> Answer;

/// One system call of the current thread.
pub struct Call<'a> {
    /// The CPU; its registers still hold the arguments.
    pub cpu: &'a mut Cpu,
    /// The process and its kernel.
    pub system: &'a mut System,
    /// Where output goes.
    pub sink: &'a mut dyn Output,
    /// ebx ecx edx esi edi ebp.
    pub arguments: [u32; 6],
    /// The wait that has just ended, where the call is done again after it.
    pub resumed: Option<Waiting>,
}

impl GuestMemory for Call<'_> {
    fn bytes(&mut self, address: u32, size: u32) -> Result<Vec<u8>, Refusal> {
        self.cpu.memory.bytes(address, size)
    }

    fn put(&mut self, address: u32, bytes: &[u8]) -> Result<(), Refusal> {
        self.cpu.memory.put(address, bytes)
    }
}

/// `AT_FDCWD`: relative to the working directory.
const WORKING_DIRECTORY: u32 = -100_i32 as u32;

impl Call<'_> {
    /// The record of the calling thread.
    fn thread(&mut self) -> Result<&mut ThreadRecord, Refusal> {
        Ok(self.system.own_record_mut())
    }

    /// The place of an address, as a number.
    fn place(&self, address: u32) -> u64 {
        self.cpu.memory.place(address).number()
    }

    /// Whether a descriptor stands for a socket.
    fn is_socket(&self, descriptor: u32) -> bool {
        let description = self.system.description(descriptor);
        description.is_ok_and(|(_, it)| matches!(it.object, crate::kernel::Object::Socket(_)))
    }

    /// The file system as the process sees it.
    fn files(&self) -> FileSystem<'_> {
        self.system.files(self.cpu.memory.regions())
    }

    /// Where a path at an address leads, relative to the directory behind a descriptor.
    fn walk(&mut self, directory: u32, path: u32, follow: bool) -> Result<Found, Refusal> {
        let path = self.path(path)?;
        let from = self.directory_of(directory, &path)?;
        Ok(self.files().walk_from(&from, &path, follow)?)
    }

    /// The same for what must exist.
    fn walk_existing(
        &mut self,
        directory: u32,
        path: u32,
        follow: bool,
    ) -> Result<(Arc<[u8]>, Node), Refusal> {
        Ok(self.walk(directory, path, follow)?.existing()?)
    }

    fn directory_of(&self, descriptor: u32, path: &[u8]) -> Result<Arc<[u8]>, Errno> {
        if descriptor == WORKING_DIRECTORY || path.starts_with(b"/") {
            return Ok(Arc::clone(&self.system.process.directory));
        }
        if path.is_empty() {
            return Err(Errno::ENOENT);
        }
        match &self.system.description(descriptor)?.1.object {
            crate::kernel::Object::Directory { path, .. } => Ok(Arc::clone(path)),
            _ => Err(Errno::ENOTDIR),
        }
    }
}
