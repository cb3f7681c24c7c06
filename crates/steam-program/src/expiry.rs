//! Timers behind descriptors (`timerfd`) in a search: when they expire.
//!
//! An armed timer may expire at any moment, but when it has done so matters only to who looks: who reads it,
//! waits for it, or asks how much time is left. So it expires where a thread is about to look, as a step of that
//! thread, which then stands where it stood. A thread that does not look yet could not observe the difference.
//!
//! A timer with an interval expires at most twice before it is read, beyond what the clock says: that it may
//! have expired more than once is what programs forget.

use steam_linux::kernel::{Channel, Kernel, Object, Pending, ProcessEnvironment, Reason};
use steam_linux::syscalls::{self, Role, SystemCall};
use steam_state::{Context, Key, Reading};

use super::Program;
use super::action::Choice;
use super::choices::Frozen;
use super::step::Worker;

/// Which timers a thread looks at.
enum Looks<'a> {
    /// That behind a descriptor.
    At(u32),
    /// Those behind some descriptions.
    AtDescriptions(Vec<u32>),
    /// Those that `epoll` watches.
    AtWatched(u32),
    /// Any: which, is said in memory.
    AtAny,
    /// That for which it waits.
    AtTimer(&'a u32),
    /// None.
    AtNone,
}

impl<'a> Looks<'a> {
    /// What a call looks at, whose first argument this is.
    fn of_call(call: &SystemCall, descriptor: u32) -> Self {
        if call.has(Role::ObservesTimer) {
            Self::At(descriptor)
        } else if call.has(Role::ObservesReadiness) {
            Self::AtAny
        } else {
            Self::AtNone
        }
    }

    /// What a wait looks at.
    fn of_wait(reason: &'a Reason) -> Self {
        match reason {
            Reason::Expired(timer) => Self::AtTimer(timer),
            Reason::Ready(interests) => Self::AtDescriptions(
                interests.iter().map(|interest| interest.description).collect(),
            ),
            Reason::Watch { channel, .. } => Self::AtWatched(*channel),
            _ => Self::AtNone,
        }
    }

    /// The channels of the timers, ascending.
    fn timers<'b>(
        &self,
        kernel: &Kernel,
        process: &ProcessEnvironment,
        channel: impl Fn(u32) -> &'b Channel,
    ) -> Vec<u32> {
        let behind = |description: &u32| match kernel.descriptions.get(description)?.object {
            Object::TimerFile(timer) => Some(timer),
            _ => None,
        };
        let mut timers: Vec<u32> = match self {
            Self::At(descriptor) => {
                let entry = process.descriptors.get(descriptor);
                entry.and_then(|entry| behind(&entry.description)).into_iter().collect()
            }
            Self::AtDescriptions(descriptions) => descriptions.iter().filter_map(behind).collect(),
            Self::AtWatched(watch) => match channel(*watch) {
                Channel::Watch(watch) => {
                    watch.entries().iter().filter_map(|entry| behind(&entry.description)).collect()
                }
                _ => Vec::new(),
            },
            Self::AtAny => kernel.descriptions.keys().filter_map(behind).collect(),
            Self::AtTimer(timer) => vec![**timer],
            Self::AtNone => Vec::new(),
        };
        timers.sort_unstable();
        timers.dedup();
        let may_expire = |timer: &u32| match channel(*timer) {
            Channel::TimerFile(it) => it.may_expire(kernel.clock),
            _ => false,
        };
        timers.retain(may_expire);
        timers
    }
}

impl Program {
    /// The timers that may expire before a thread looks at them, which it is about to do.
    fn expiring(&self, state: Reading<'_>, frozen: &Frozen<'_>) -> Vec<u32> {
        let looks = match &frozen.state.pending {
            Pending::SystemCall => {
                let registers = &frozen.state.registers;
                let call = syscalls::row(registers[Context::EAX]);
                Looks::of_call(call, registers[Context::EBX])
            }
            Pending::Waiting => {
                let waiting = frozen.record.waiting();
                waiting.map_or(Looks::AtNone, |waiting| Looks::of_wait(&waiting.reason))
            }
            _ => Looks::AtNone,
        };
        if matches!(looks, Looks::AtNone) {
            return Vec::new();
        }
        let component = |key| self.stores.state.component(state, key);
        let kernel = self.stores.kernels.get(component(Key::Kernel));
        let process = self.stores.processes.get(component(Key::Process(frozen.state.space)));
        let channel = |number| self.stores.channels.get(component(Key::Channel(number)));
        looks.timers(kernel, process, channel)
    }

    /// Whether a timer may expire by a step of a thread.
    pub(super) fn is_expiring(&self, state: Reading<'_>, frozen: &Frozen<'_>) -> bool {
        !self.expiring(state, frozen).is_empty()
    }

    /// Appends the choices that a timer expires at which a thread looks.
    pub(super) fn offer_expirations(
        &self,
        state: Reading<'_>,
        frozen: &Frozen<'_>,
        choices: &mut Vec<Choice>,
    ) {
        choices.extend(self.expiring(state, frozen).into_iter().map(Choice::TimerFile));
    }
}

impl Worker {
    /// Whether the call before eip looks at a timer that may have expired by then.
    pub(super) fn looks_at_timer(&self, call: &SystemCall) -> bool {
        let system = &self.machine.system;
        let looks = Looks::of_call(call, self.machine.cpu.gpr[Context::EBX]);
        let channel = |number| system.channels.get(number);
        !looks.timers(&system.kernel, &system.process, channel).is_empty()
    }

    /// A timer expires, known by its channel.
    pub(super) fn expire(&mut self, program: &Program, timer: u32) {
        const OFFERED: &str = "a timer that expires is there";
        let file = self.machine.system.channels.timer_file(timer).expect(OFFERED);
        let deadline = file.deadline();
        self.pass_to(program, deadline);
        let now = self.machine.system.kernel.clock;
        self.machine.system.channels.timer_file_mut(timer).expect(OFFERED).expire(now);
    }
}
