//! `execve`: a process goes on with another program.
//!
//! A machine keeps what it has found out about each executable file that its processes run: the
//! models of its library functions, and where the CPU stops for them. Which file a process runs is
//! part of its state; the files themselves are not.

use std::collections::BTreeMap;
use std::sync::Arc;

use steam_image::Image;
use steam_libc::Models;
use steam_linux::boot::{self, STACK_END};
use steam_linux::errno::Errno;
use steam_linux::execution::Execution;
use steam_linux::guest::Refusal;
use steam_linux::kernel::{Action, AtomicBlock, Disposition, Executed, Map, ThreadRecord, Timer};
use steam_state::{Component, Key, Notes};
use steam_visibility::Watching;
use steam_vm::Intercepts;

use crate::machine::{Machine, thread_name};

/// The shell for `system` and `popen` where the host's cannot be run, and where it is said to lie.
const SHELL: &[u8] = include_bytes!("../../shell/sh.elf");
const SHELL_PATH: &[u8] = b"/bin/sh (built in)";

/// What a machine knows of an executable file that is not on the CPU.
pub(crate) struct Loaded {
    image: Arc<Image>,
    models: Models,
    intercepts: Intercepts,
}

/// The files that are not on the CPU, and the number of the one that is.
#[derive(Default)]
pub(crate) struct Shelf {
    others: BTreeMap<u32, Loaded>,
    current: u32,
}

impl Machine {
    /// Lets the CPU go on with the file that its process runs.
    pub(crate) fn use_image(&mut self, number: u32) {
        if number == self.shelf.current {
            return;
        }
        let known = self.shelf.others.remove(&number);
        let image = match &known {
            Some(loaded) => Arc::clone(&loaded.image),
            None => self.stores.images.get(number).expect("each file that a process runs is kept"),
        };
        let (models, intercepts) =
            known.map(|it| (Some(it.models), it.intercepts)).unwrap_or_default();
        let intercepts = self.cpu.replace_intercepts(intercepts);
        let in_search = self.is_in_search();
        let models =
            models.unwrap_or_else(|| steam_libc::install(&image, &mut self.cpu, in_search));
        let image = std::mem::replace(&mut self.image, image);
        let models = std::mem::replace(&mut self.models, models);
        self.history.look_into(&self.image);
        self.shelf.others.insert(self.shelf.current, Loaded { image, models, intercepts });
        self.shelf.current = number;
    }

    /// The process on the CPU goes on with another program, if that can be run.
    pub(crate) fn execute(&mut self, execution: &Execution) -> Result<(), Refusal> {
        let (current, space) = (self.system.current, self.system.space);
        if current != space.leader() {
            let detail = "a program run by another thread than the first".to_owned();
            return Err(Refusal::Unknown(detail));
        }
        let path = String::from_utf8_lossy(&execution.path).into_owned();
        let found = self.stores.images.find(&execution.path, || {
            let content =
                self.system.world.host.content(&execution.path).map_err(|_| Errno::EACCES)?;
            Image::parse(&content, &path)
                .map_err(|error| Refusal::Unknown(format!("{path} is to be run: {error}")))
        });
        let built_in = found.is_err() && execution.is_shell();
        let (number, image) = if built_in { self.built_in_shell()? } else { found? };
        self.give_back_memory();
        self.leave_program();
        if let Some(definedness) = self.cpu.memory.definedness_mut() {
            definedness.replace(space);
        }
        let refuse = |error: boot::BootError| Refusal::Unknown(format!("{path}: {error}"));
        let stack_size = self.system.stack_size();
        boot::map(&image, number, stack_size, &mut self.cpu.memory).map_err(refuse)?;
        let (arguments, environment) = (&execution.arguments, &execution.environment);
        let pointer = boot::fill_stack(&image, arguments, environment, &mut self.cpu.memory);
        let pointer = pointer.map_err(refuse)?;
        let stack = (STACK_END - stack_size, STACK_END);
        self.cpu.set_context(&boot::registers(image.entry, pointer));
        self.cpu.shadow_registers_set();
        self.cpu.memory.set_stack(stack.0, stack.1);
        let live = self.system.own_thread();
        let before = std::mem::take(&mut live.record);
        live.record = ThreadRecord {
            mask: before.mask,
            pending: before.pending,
            scheduling: before.scheduling,
            cpu_time: before.cpu_time,
            ..ThreadRecord::new(stack, thread_name(arguments))
        };
        live.atomic_block = AtomicBlock::None;
        live.locks = 0;
        live.held.clear();
        live.fresh.clear();
        live.operations.clear();
        self.begin_program(&image, number);
        self.system.process.built_in = built_in;
        let command_line: Vec<u8> =
            arguments.iter().flat_map(|argument| argument.iter().copied().chain([0])).collect();
        let path = Arc::clone(&execution.path);
        self.system.process.executed =
            Some(Arc::new(Executed { path, command_line: command_line.into() }));
        self.use_image(number);
        if self.is_in_search() {
            self.simplify_library();
        }
        Ok(())
    }

    /// The shell of our own.
    fn built_in_shell(&self) -> Result<(u32, Arc<Image>), Refusal> {
        self.stores.images.find(&SHELL_PATH.into(), || {
            let path = String::from_utf8_lossy(SHELL_PATH);
            Image::parse(SHELL, &path).map_err(|error| Refusal::Unknown(format!("{path}: {error}")))
        })
    }

    /// Nothing stays of a program but its open files, as far as they want to.
    fn leave_program(&mut self) {
        let (current, space) = (self.system.current, self.system.space);
        let descriptors = self.system.process.descriptors.iter();
        let closed: Vec<u32> =
            descriptors.filter(|(_, it)| it.close_on_exec).map(|(&number, _)| number).collect();
        for descriptor in closed {
            // It is open, for it is in the table.
            let _ = self.system.close(descriptor);
        }
        let threads: Vec<_> = self.system.threads.of(space).map(|(thread, _)| thread).collect();
        for thread in threads.into_iter().filter(|thread| *thread != current) {
            self.system.leave_waits(thread);
            self.system.end_thread(thread);
        }
        self.system.hand_on_robust(current);
        let stores = Arc::clone(&self.stores);
        let recorder = self.system.recorder.clone();
        self.go_over(space, |table| {
            let slots = &stores.state.slots;
            let parts =
                slots.in_space(Notes::In(&recorder), space).into_iter().map(|(_, slot)| slot);
            for slot in parts.chain(slots.find(Key::Regions(space))).collect::<Vec<u32>>() {
                table.set(slot, Component(0));
            }
        });
        self.system.collect_segments(&mut self.cpu.memory);
    }

    /// What the kernel keeps for a process that begins with a program.
    fn begin_program(&mut self, image: &Image, number: u32) {
        let process = &mut self.system.process;
        let ignored =
            process.actions.iter().filter(|(_, it)| it.disposition == Disposition::Ignore);
        let ignored = ignored.map(|(&signal, it)| (signal, Action { flags: 0, ..*it }));
        process.actions = ignored.collect();
        process.program_break = boot::program_break(image);
        process.unjoined = 0;
        process.ownership = Arc::default();
        process.detached = false;
        process.created = Default::default();
        process.storages = Map::default();
        process.ended = Vec::new();
        process.timers[1..].fill(Timer::default());
        process.posix_timers = Map::default();
        process.image = number;
        process.locks_future = false;
        process.copied = false;
        self.cpu.memory.set_origins(None);
    }
}
