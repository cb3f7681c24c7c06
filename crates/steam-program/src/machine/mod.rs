//! The machine: a CPU, a kernel and a program, from boot to its end, frozen and thawed.

mod ending;
mod execution;
mod processes;
mod run;
mod standard_output;
mod uninitialised;

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use steam_image::Image;
use steam_libc::Models;
use steam_linux::boot::{self, BootError, STACK_END, STACK_SIZE};
use steam_linux::channels::Channels;
use steam_linux::environments::Environments;
use steam_linux::kernel::{
    Kernel, Loan, Map, Object, ProcessEntry, ProcessEnvironment, Stream, ThreadRecord, Timer,
};
use steam_linux::objects::LockPool;
use steam_linux::shared::Shared;
use steam_linux::stores::GuestStores;
use steam_linux::system::System;
use steam_linux::threads::Threads;
use steam_linux::world::{Host, Input, PARENT_ID, Runner, Stdin, World};
use steam_model::Delta;
use steam_report::CallStacks;
use steam_report::History;
use steam_state::{Component, HeapPool, Key, Reading, Space, Table, ThreadId};
use steam_visibility::{Epoch, Memory, Watch};
use steam_vm::Cpu;

pub use ending::Ending;

use execution::Shelf;

/// Instructions that a thread runs before another one gets the CPU.
pub const QUANTUM: u64 = 100_000;

/// What the guest gets from outside.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Config {
    /// The arguments, the program's name first.
    pub arguments: Vec<Vec<u8>>,
    /// The environment, each as `KEY=VALUE`.
    pub environment: Vec<Vec<u8>>,
    /// The standard input.
    pub stdin: Stdin,
    /// The working directory; ours where there is none.
    pub directory: Option<PathBuf>,
    /// How many freed heap blocks of a size rest before one is used again.
    pub quarantine: u32,
    /// The host's files: whoever has the same ones reads the same.
    pub host: Arc<Host>,
}

/// Which thread runs, and for how long yet: what a state does not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The thread on the CPU.
    pub thread: ThreadId,
    /// Instructions before the next thread's turn.
    pub left: u64,
}

/// A running program.
pub struct Machine {
    pub(crate) image: Arc<Image>,
    pub(crate) cpu: Cpu,
    pub(crate) system: System,
    pub(crate) models: Models,
    pub(crate) history: History,
    /// Instructions before the next thread's turn.
    pub(crate) left: u64,
    /// Whether signals, timers or the schedule may have something to do.
    pub(crate) unsettled: bool,
    pub(crate) stores: Arc<GuestStores>,
    /// The state as it was when the CPU went over to another process, since it was attached.
    pub(crate) midway: Option<Table>,
    /// The programs that other processes run.
    pub(crate) shelf: Shelf,
    /// Whether it is looked at what others do to memory that is lent.
    pub(crate) lends: bool,
}

impl Machine {
    /// Loads a program and stands before its first instruction. States that it freezes share the
    /// components in `stores`.
    pub fn boot(
        image: Arc<Image>,
        config: &Config,
        stores: Arc<GuestStores>,
    ) -> Result<Self, BootError> {
        Self::load_program(image, config, stores, Runner::Once)
    }

    /// The same for a search, which learns what threads share or does not: time stands still, synchronisation is
    /// modelled, and what only makes states differ is left out.
    pub fn boot_for_search(
        image: Arc<Image>,
        config: &Config,
        stores: Arc<GuestStores>,
        learns: bool,
    ) -> Result<Self, BootError> {
        let mut machine = Self::load_program(image, config, stores, Runner::Search { learns })?;
        machine.simplify_library();
        Ok(machine)
    }

    fn load_program(
        image: Arc<Image>,
        config: &Config,
        stores: Arc<GuestStores>,
        runner: Runner,
    ) -> Result<Self, BootError> {
        let empty = Table::default();
        let mut cpu = Cpu::new(Memory::new(
            Arc::clone(&stores.state),
            &empty,
            Watch::new(Arc::clone(&stores.sharing)),
        ));
        boot::map(&image, 0, STACK_SIZE, &mut cpu.memory)?;
        let (arguments, environment) = (&config.arguments, &config.environment);
        let pointer = boot::fill_stack(&image, arguments, environment, &mut cpu.memory)?;
        let stack = (STACK_END - STACK_SIZE, STACK_END);
        cpu.set_context(&boot::registers(image.entry, pointer));
        cpu.memory.set_stack(stack.0, stack.1);
        let recorder = cpu.memory.recorder().clone();
        let mut threads = Threads::new(Arc::clone(&stores), empty.clone(), recorder.clone());
        let record = ThreadRecord::new(stack, thread_name(arguments));
        threads.insert(ThreadId::FIRST, Space::FIRST, record, cpu.context());
        let directory = directory(config);
        let mut system = System {
            kernel: Shared::new(Kernel { processes: first_process(), ..Kernel::default() }),
            space: Space::FIRST,
            process: Shared::new(environment_of(&image, &directory)),
            others: Environments::new(Arc::clone(&stores), empty.clone(), recorder.clone()),
            threads,
            heap: HeapPool::new(Arc::clone(&stores.state), config.quarantine, recorder.clone()),
            objects: LockPool::new(Arc::clone(&stores), empty.clone(), recorder.clone()),
            channels: Channels::new(Arc::clone(&stores), empty, recorder.clone()),
            current: ThreadId::FIRST,
            recorder,
            world: Arc::new(world(&image, config, &directory, runner)?),
            counted: 0,
            yields: false,
            created: Vec::new(),
        };
        open_standard_files(&mut system, &config.stdin)?;
        let models = steam_libc::install(&image, &mut cpu, runner.searches());
        let history = History::new(CallStacks::new(&image));
        Ok(Self {
            image,
            cpu,
            system,
            models,
            history,
            left: QUANTUM,
            unsettled: true,
            stores,
            midway: None,
            shelf: Shelf::default(),
            lends: false,
        })
    }

    /// Whether a search runs the program.
    pub(crate) fn is_in_search(&self) -> bool {
        self.system.world.runner.searches()
    }

    /// How many instructions were executed, in all threads.
    pub fn instructions(&self) -> u64 {
        self.cpu.instructions
    }

    /// What the user should know: the choice of library models.
    pub fn notes(&self) -> Vec<String> {
        self.models.notes().to_vec()
    }

    /// The program.
    pub fn image(&self) -> &Arc<Image> {
        &self.image
    }

    /// The same as [`Machine::freeze`], and `table` becomes the state as it is now.
    pub fn freeze_into(&mut self, table: &mut Table) -> Delta {
        let mut delta = Delta::new();
        self.freeze(table, &mut delta);
        for change in delta.changes() {
            table.set(change.slot, Component(change.new));
        }
        delta
    }

    /// Interns what changed since the state was attached or frozen last: `delta` gets the slots
    /// that are others than in `table`, the state that was attached. Equal states have equal
    /// futures.
    pub fn freeze(&mut self, table: &Table, delta: &mut Delta) {
        let done = self.freeze_while(table, delta, &|| true);
        assert!(done, "it goes on to the end");
    }

    /// The same for as long as it may go on; whether it came to the end. If not, there is no such state.
    pub fn freeze_while(
        &mut self,
        table: &Table,
        delta: &mut Delta,
        goes_on: &dyn Fn() -> bool,
    ) -> bool {
        // A step that stays in one process, as most do, has no state midway.
        let Some(mut state) = self.midway.take() else {
            let set = |slot, id: Component| {
                let old = table.get(slot);
                if old != id {
                    delta.record(slot, old.0, id.0);
                }
            };
            return self.freeze_parts(set, goes_on);
        };
        let set = |slot, id| {
            state.set(slot, id);
        };
        if !self.freeze_parts(set, goes_on) {
            return false;
        }
        table.differences(&state, &mut |slot| {
            delta.record(slot, table.get(slot).0, state.get(slot).0);
        });
        true
    }

    /// Interns what changed for as long as that may go on, and returns which slots have which components now; whether it
    /// came to the end.
    fn freeze_parts(
        &mut self,
        mut set: impl FnMut(u32, Component),
        goes_on: &dyn Fn() -> bool,
    ) -> bool {
        let system = &mut self.system;
        system.count_time(self.cpu.instructions);
        system.threads.set_context(system.current, self.cpu.context());
        let (slots, near) = (&self.stores.state.slots, system.current);
        let mut put = |key, id: Component| set(slots.slot(key, near), id);
        let done = self.cpu.memory.freeze_while(&mut put, goes_on);
        if done {
            system.freeze(&self.stores, &mut put);
        }
        done
    }

    /// The state as it is now, in the middle of a step, after `change` was made to it; the CPU goes
    /// on with a process of that.
    pub(crate) fn go_over(&mut self, space: Space, change: impl FnOnce(&mut Table)) {
        let attached = self.cpu.memory.table().clone();
        let mut state = self.midway.take().unwrap_or(attached);
        let set = |slot, id| {
            state.set(slot, id);
        };
        // The step goes on: it is asked at its end whether there is room for what it wrote.
        let done = self.freeze_parts(set, &|| true);
        assert!(done, "it goes on to the end");
        change(&mut state);
        self.attach(&state, space);
        self.midway = Some(state);
    }

    fn attach(&mut self, table: &Table, space: Space) {
        self.cpu.memory.attach(table, space);
        self.system.attach(table, space, &self.stores);
        // Who is alone and waits gets all of it at the end, unless a property observes it in every state.
        let loan = self.system.process.loan;
        let counts = loan.is_beside() || self.stores.sharing.observes();
        let lender = self.system.lender().filter(|_| counts);
        let space = lender.map(|(thread, _)| {
            self.system.threads.space(thread).expect("who lends its memory lives")
        });
        self.cpu.memory.set_lender(space);
        self.system.mark_file_ends(&mut self.cpu.memory);
        self.use_image(self.system.process.image);
    }

    /// A state, to be read by what may be part of a step.
    pub(crate) fn reading<'a>(&'a self, table: &'a Table) -> Reading<'a> {
        Reading::recorded(table, &self.system.recorder)
    }

    /// Which thread runs now.
    pub fn schedule(&self) -> Schedule {
        Schedule { thread: self.system.current, left: self.left }
    }

    /// Goes on from a state that was frozen with the same stores, with one of its threads; false
    /// if there is no such thread.
    #[must_use = "nothing runs where there is no such thread"]
    pub fn thaw(&mut self, table: &Table, schedule: Schedule) -> bool {
        let thread = self.stores.state.component(self.reading(table), Key::Thread(schedule.thread));
        let space = self.stores.threads.get(thread).space;
        self.midway = None;
        self.attach(table, space);
        self.system.counted = self.cpu.instructions;
        self.system.yields = false;
        self.left = schedule.left;
        self.unsettled = true;
        self.load(schedule.thread)
    }

    /// Puts a thread on the CPU; false if there is no such thread. The one that was there is not
    /// kept.
    #[must_use = "the thread on the CPU is still the one before where there is no such thread"]
    pub(crate) fn load(&mut self, thread: ThreadId) -> bool {
        if let Some(space) = self.system.threads.space(thread)
            && space != self.system.space
        {
            self.go_over(space, |_| {});
        }
        let Some(live) = self.system.threads.live(thread) else { return false };
        self.cpu.set_context(&live.context);
        self.cpu.memory.set_stack(live.record.stack.0, live.record.stack.1);
        self.cpu.shadow_thread(thread.0);
        self.system.current = thread;
        true
    }
}

/// Threads are called by the first fifteen letters of the program's file name.
pub(crate) fn thread_name(arguments: &[Vec<u8>]) -> [u8; 16] {
    let path = arguments.first().map_or(&[][..], Vec::as_slice);
    let file = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    let mut name = [0; 16];
    let length = file.len().min(15);
    name[..length].copy_from_slice(&file[..length]);
    name
}

/// The working directory, without symbolic links.
fn directory(config: &Config) -> PathBuf {
    let wanted = config.directory.clone().or_else(|| std::env::current_dir().ok());
    let wanted = wanted.unwrap_or_else(|| PathBuf::from("/"));
    std::fs::canonicalize(&wanted).unwrap_or(wanted)
}

/// A path without symbolic links, as far as there is something; the last part of it need not be there.
fn without_links(path: &Path) -> PathBuf {
    let folder = || Some(std::fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?));
    std::fs::canonicalize(path).ok().or_else(folder).unwrap_or_else(|| path.to_owned())
}

fn bytes(path: &Path) -> Arc<[u8]> {
    path.as_os_str().as_bytes().into()
}

fn world(
    image: &Image,
    config: &Config,
    directory: &Path,
    runner: Runner,
) -> Result<World, BootError> {
    let executable = without_links(&directory.join(&image.name));
    // A directory of that name stays what it is.
    let content = image.content.as_ref().filter(|_| !executable.is_dir());
    let executable = bytes(&executable);
    let host = Arc::clone(&config.host);
    match content {
        Some(content) => host.add_executable(&executable, content),
        None => host.grant(&executable),
    }
    // Folders to write to; what is in them is not shown by that.
    for folder in [&bytes(directory), &b"/tmp"[..].into()] {
        host.grant(folder);
    }
    let mut command_line = Vec::new();
    for argument in &config.arguments {
        command_line.extend_from_slice(argument);
        command_line.push(0);
    }
    let (input, more) = match &config.stdin {
        Stdin::Bytes(bytes) => (bytes.clone(), false),
        Stdin::Inherit => (Vec::new(), true),
        Stdin::Empty | Stdin::File(_) => (Vec::new(), false),
    };
    Ok(World {
        host,
        input: Input::new(input, more),
        executable,
        command_line: command_line.into(),
        runner,
    })
}

fn environment_of(image: &Image, directory: &Path) -> ProcessEnvironment {
    ProcessEnvironment {
        descriptors: Map::default(),
        directory: bytes(directory),
        umask: 0o022,
        actions: Map::default(),
        pending: Vec::new(),
        program_break: boot::program_break(image),
        unjoined: 0,
        ownership: Arc::default(),
        created: Epoch::default(),
        detached: false,
        storages: Map::default(),
        ended: Vec::new(),
        timers: [Timer::default(); 3],
        posix_timers: Map::default(),
        busy: 0,
        busy_children: 0,
        limits: Map::default(),
        locks_future: false,
        first_status: 0,
        group: PARENT_ID,
        session: PARENT_ID,
        image: 0,
        built_in: false,
        executed: None,
        loan: Loan::None,
        copied: false,
        observed: 0,
    }
}

/// The table of processes when there is one.
fn first_process() -> Map<ThreadId, ProcessEntry> {
    let mut processes = Map::default();
    let entry = ProcessEntry { parent: None, ended: None, change: None, group: PARENT_ID, busy: 0 };
    processes.insert(ThreadId::FIRST, entry);
    processes
}

fn open_standard_files(system: &mut System, stdin: &Stdin) -> Result<(), BootError> {
    const WRITE_ONLY: u32 = 1;
    let input = match stdin {
        Stdin::File(path) => {
            let path = std::fs::canonicalize(path).map_err(|_| BootError::Input)?;
            let path = bytes(&path);
            system.world.host.grant(&path);
            system.world.host.content(&path).map_err(|_| BootError::Input)?;
            Object::File(steam_linux::kernel::FileName::Host(path))
        }
        _ => Object::Input,
    };
    let files = [
        (input, 0),
        (Object::Output(Stream::Output), WRITE_ONLY),
        (Object::Output(Stream::Error), WRITE_ONLY),
    ];
    for (object, flags) in files {
        system.add_description(object, flags).map_err(|_| BootError::Input)?;
    }
    Ok(())
}
