//! One call of a modelled function: its arguments, its accesses to memory, its return.

use steam_linux::objects::LockPool;
use steam_report::FailureProblem;
use steam_report::History;
use steam_state::{AccessError, AccessKind, Context, Fault, HeapPool, Problem, ThreadId};
use steam_sync::Address;
use steam_vm::Cpu;

use super::Variables;
use super::operators::Operators;
use super::origin::Library;

/// Why a handler stops early. A refused access is reported by memory itself.
#[derive(Clone, Copy, Debug)]
pub enum Stop {
    /// Memory refused an access and knows why.
    Fault,
    /// Something else is wrong.
    Problem(FailureProblem),
}

impl From<Fault> for Stop {
    fn from(Fault: Fault) -> Self {
        Self::Fault
    }
}

/// What a handler answers: the function's result, or why it has none.
pub type Answer = Result<u32, Stop>;

/// A call of a modelled function, with all that it may touch.
pub struct LibraryCall<'a> {
    /// The CPU of the calling thread, at the function's first byte.
    pub cpu: &'a mut Cpu,
    /// The heap blocks of the process.
    pub heap: &'a mut HeapPool,
    /// The calling thread.
    pub thread: ThreadId,
    /// The synchronisation objects of the process.
    pub objects: &'a mut LockPool,
    /// Where allocations are noted for reports.
    pub history: &'a mut History,
    /// The program's C++ operators for the heap, if it has some.
    pub operators: Option<&'a Operators>,
    /// The lowest limit of memory that the process has, in bytes.
    pub limit: u64,
    pub(super) library: Library,
    pub(super) variables: Variables,
}

impl<'a> LibraryCall<'a> {
    /// A call by `thread`, whose CPU stopped at an intercept.
    pub fn new(
        cpu: &'a mut Cpu,
        heap: &'a mut HeapPool,
        objects: &'a mut LockPool,
        thread: ThreadId,
        history: &'a mut History,
    ) -> Self {
        Self {
            cpu,
            heap,
            objects,
            thread,
            history,
            operators: None,
            limit: u64::MAX,
            library: Library::Glibc,
            variables: Variables::default(),
        }
    }

    /// Where the object at an address lies, among those of all processes.
    pub(super) fn place(&self, address: u32) -> Address {
        self.cpu.memory.place(address).number()
    }

    /// The stack pointer.
    pub(super) fn esp(&self) -> u32 {
        self.cpu.gpr[Context::ESP]
    }

    /// The argument at a position, counted from 0.
    pub(super) fn argument(&mut self, position: u32) -> Answer {
        self.decisive_word(self.esp().wrapping_add(4 + 4 * position))
    }

    /// The first two arguments.
    pub(super) fn two(&mut self) -> Result<(u32, u32), Stop> {
        Ok((self.argument(0)?, self.argument(1)?))
    }

    /// The first three arguments.
    pub(super) fn three(&mut self) -> Result<(u32, u32, u32), Stop> {
        Ok((self.argument(0)?, self.argument(1)?, self.argument(2)?))
    }

    /// The return address.
    pub(super) fn site(&mut self) -> Answer {
        self.word(self.esp())
    }

    /// Four bytes of the program's memory, whether they were written or not: those of synchronisation
    /// objects are kept elsewhere.
    pub(super) fn word(&mut self, address: u32) -> Answer {
        let esp = self.esp();
        Ok(u32::from_le_bytes(self.cpu.memory.load(address, esp)?))
    }

    /// Four bytes on which the function's result depends.
    pub(super) fn decisive_word(&mut self, address: u32) -> Answer {
        let word = self.word(address)?;
        self.examine(address, 4)?;
        Ok(word)
    }

    /// An argument that is only passed on.
    pub(super) fn passed_argument(&mut self, position: u32) -> Answer {
        self.word(self.esp().wrapping_add(4 + 4 * position))
    }

    /// The function's result depends on bytes: they must have been written.
    pub(super) fn examine(&mut self, address: u32, size: u32) -> Result<(), Stop> {
        match self.cpu.memory.first_undefined(address, size) {
            None => Ok(()),
            Some(byte) => {
                let birth = self.cpu.birth_at(byte);
                // It is reported once.
                self.cpu.memory.make_defined(address, size);
                Err(Stop::Problem(FailureProblem::Uninitialised { birth }))
            }
        }
    }

    /// Writes four bytes of the program's memory.
    pub(super) fn set_word(&mut self, address: u32, value: u32) -> Result<(), Stop> {
        self.check(address, 4, AccessKind::Write)?;
        self.save(address, &value.to_le_bytes())
    }

    /// Reads bytes, run by run.
    pub(super) fn load(&mut self, source: u32, bytes: &mut [u8]) -> Result<(), Stop> {
        let mut done = 0;
        while done < bytes.len() {
            let rest = &mut bytes[done..];
            let run = self.readable(source.wrapping_add(done as u32), rest.len() as u32)?;
            rest[..run.len()].copy_from_slice(run);
            done += run.len();
        }
        Ok(())
    }

    /// Writes bytes that are the model's own.
    pub(super) fn save(&mut self, target: u32, bytes: &[u8]) -> Result<(), Stop> {
        self.write(target, bytes)?;
        self.cpu.memory.make_defined(target, bytes.len() as u32);
        Ok(())
    }

    /// Writes bytes, run by run.
    pub(super) fn write(&mut self, target: u32, bytes: &[u8]) -> Result<(), Stop> {
        let mut done = 0;
        while done < bytes.len() {
            let rest = &bytes[done..];
            let run = self.writable(target.wrapping_add(done as u32), rest.len() as u32)?;
            run.copy_from_slice(&rest[..run.len()]);
            done += run.len();
        }
        Ok(())
    }

    /// Readable bytes at an address, see [`steam_state::LiveMemory::readable`].
    pub(super) fn readable(&mut self, address: u32, limit: u32) -> Result<&[u8], Stop> {
        let esp = self.esp();
        Ok(self.cpu.memory.readable(address, limit, esp)?)
    }

    /// Writable bytes at an address.
    pub(super) fn writable(&mut self, address: u32, limit: u32) -> Result<&mut [u8], Stop> {
        let esp = self.esp();
        Ok(self.cpu.memory.writable(address, limit, esp)?)
    }

    /// Checks an access of `size` bytes as a whole; the error reports the whole access.
    pub(super) fn check(&mut self, address: u32, size: u32, kind: AccessKind) -> Result<(), Stop> {
        let mut done = 0;
        while done < size {
            let at = address.wrapping_add(done);
            let run = match kind {
                AccessKind::Write => self.writable(at, size - done).map(|run| run.len()),
                _ => self.readable(at, size - done).map(<[u8]>::len),
            };
            match run {
                Ok(length) => done += length as u32,
                Err(Stop::Fault) => {
                    let error = self.error();
                    let whole = AccessError { address, size, ..error };
                    return Err(Stop::Problem(FailureProblem::Access(whole)));
                }
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    /// Why memory refused the last access.
    fn error(&mut self) -> AccessError {
        // Memory always knows, but for changed code, which runs of bytes deal with by themselves.
        self.cpu.memory.take_error().unwrap_or(AccessError {
            problem: Problem::Unmapped,
            kind: AccessKind::Read,
            byte: 0,
            address: 0,
            size: 1,
        })
    }

    /// What to tell the caller of the model about an early stop.
    pub(super) fn problem(&mut self, stop: Stop) -> FailureProblem {
        match stop {
            Stop::Fault => FailureProblem::Access(self.error()),
            Stop::Problem(problem) => problem,
        }
    }

    /// Returns to the caller with a result. The other registers that a callee may change become
    /// zero, so that states do not differ in what no program may look at.
    pub(super) fn finish(&mut self, value: u32) -> Result<(), Stop> {
        let site = self.site()?;
        let registers = &mut self.cpu.gpr;
        registers[Context::EAX] = value;
        registers[Context::ECX] = 0;
        registers[Context::EDX] = 0;
        registers[Context::ESP] = registers[Context::ESP].wrapping_add(4);
        self.cpu.eip = site;
        Ok(())
    }
}
