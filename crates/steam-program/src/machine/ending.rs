//! How a run ends, and the reports about it.

use steam_linux::kernel::{Reason, SignalInfo, Waiting};
use steam_linux::signals;
use steam_report::{Cause, Report, Scene};
use steam_report::{Failure, FailureProblem};
use steam_state::{AccessError, Space, ThreadId};
use steam_visibility::OthersFact;
use steam_vm::Trap;

use crate::machine::Machine;

/// How a run ended.
#[derive(Clone, Debug)]
pub enum Ending {
    /// The program ended with a status.
    Exited(i32),
    /// A signal ended the program.
    Killed {
        /// The signal's number.
        signal: u8,
        /// What led to it.
        report: Box<Report>,
    },
    /// The program did wrong.
    Violation(Box<Report>),
    /// The program did something that is not modelled.
    Unknown(Box<Report>),
}

impl Machine {
    fn scene(&mut self) -> Scene<'_> {
        Scene {
            image: &self.image,
            cpu: &mut self.cpu,
            heap: &self.system.heap,
            history: &self.history,
            thread: self.system.current,
        }
    }

    fn report(&mut self, cause: &Cause) -> Box<Report> {
        Box::new(steam_report::build(cause, &mut self.scene()))
    }

    pub(crate) fn violation(&mut self, cause: &Cause) -> Ending {
        Ending::Violation(self.report(cause))
    }

    pub(crate) fn unknown(&mut self, cause: &Cause) -> Ending {
        Ending::Unknown(self.report(cause))
    }

    /// A signal that was sent ends the process; how the program has ended, if it has. That another
    /// process ends it is no error of the program; nor is what ends a child without a core file, such
    /// as a pipe without a reader: its parent observes that.
    pub(crate) fn killed(&mut self, info: SignalInfo) -> Option<Ending> {
        let own = self.system.process_number();
        let by_other = info.code == signals::CODE_USER && info.fields[0] != own;
        let is_child = self.system.space != Space::FIRST;
        // It is unknown whether there was time enough before.
        let by_timer = self.is_in_search()
            && (info.number, info.code) == (signals::number::ALRM, signals::CODE_KERNEL);
        if by_timer && !self.system.is_only_process() {
            self.stores.sharing.learn(OthersFact::EndsProcess);
        }
        if by_other || by_timer || is_child && !signals::leaves_core(info.number) {
            return self.process_ends(u32::from(info.number)).map(Ending::Exited);
        }
        let (number, name) = (u32::from(info.number), signals::name(info.number));
        let report = self.report(&Cause::Signal { number, name });
        Some(Ending::Killed { signal: info.number, report })
    }

    /// An exception of the CPU ends the program.
    pub(crate) fn killed_by(&mut self, trap: Trap, info: SignalInfo) -> Ending {
        let report = self.report(&Cause::Trap(trap));
        Ending::Killed { signal: info.number, report }
    }

    /// A signal would stop the program, and no process is there to continue it.
    pub(crate) fn stopped(&mut self, info: SignalInfo) -> Ending {
        self.unknown(&Cause::Stopped { name: signals::name(info.number) })
    }

    /// A system call got a buffer that the guest must not pass.
    pub(crate) fn bad_buffer(&mut self, call: &'static str, error: AccessError) -> Ending {
        self.violation(&Cause::Buffer { call, error })
    }

    /// `VASSERT` found its condition false.
    pub(crate) fn failed_assertion(&mut self) -> Ending {
        self.violation(&Cause::Assertion)
    }

    /// A synchronising function met bytes that the program may not touch.
    pub(crate) fn model_failed(&mut self, failure: Failure) -> Ending {
        match failure.problem {
            FailureProblem::NotModelled(_) | FailureProblem::Limit(_) => {
                self.unknown(&Cause::Model(failure))
            }
            FailureProblem::Access(_)
            | FailureProblem::Free { .. }
            | FailureProblem::Overlap { .. }
            | FailureProblem::Mismatch { .. }
            | FailureProblem::Misuse(_)
            | FailureProblem::Uninitialised { .. } => self.violation(&Cause::Model(failure)),
        }
    }

    /// A thread does nothing that others could see, and does not end. In the real world time passes for one that has
    /// read a clock.
    pub(crate) fn diverged(&mut self) -> Ending {
        match self.cpu.clock_read {
            true => self.unknown(&Cause::StandingClock),
            false => self.violation(&Cause::Divergence),
        }
    }

    /// A thread has run for so many instructions without anything that others could see: it may end later.
    pub(crate) fn runs_long(&mut self, instructions: u64) -> Ending {
        match self.cpu.clock_read {
            true => self.unknown(&Cause::StandingClock),
            false => self.violation(&Cause::LongRun { instructions }),
        }
    }

    /// The program ended with a status that is an error.
    pub(crate) fn status_report(&mut self, status: i32) -> Box<Report> {
        self.report(&Cause::Status(status))
    }

    /// The return addresses of the thread on the CPU, the innermost first.
    pub(crate) fn callers(&mut self) -> Vec<u32> {
        self.history.callers(&mut self.cpu, usize::MAX)
    }

    /// No thread can ever go on.
    pub(crate) fn deadlock(&mut self) -> Ending {
        let current = self.system.current;
        self.system.threads.set_context(current, self.cpu.context());
        let waits: Vec<(ThreadId, String)> = self
            .system
            .threads
            .iter()
            .map(|(thread, record)| (thread, record.waiting().map(describe).unwrap_or_default()))
            .collect();
        let waits = waits
            .into_iter()
            .map(|(thread, what)| {
                format!("thread {} waits for {what}{}", thread.0, self.place_of(thread))
            })
            .collect();
        // It may have ended: then the report is about where another one waits.
        let _ = self.load(current);
        self.violation(&Cause::Deadlock { waits })
    }

    /// The source line in which a thread waits. The thread is on the CPU afterwards.
    fn place_of(&mut self, thread: ThreadId) -> String {
        assert!(self.load(thread), "a thread that is listed is there");
        let place = steam_report::location(&mut self.scene());
        place.map(|place| format!(" at {}", place.line_position())).unwrap_or_default()
    }
}

fn describe(waiting: &Waiting) -> String {
    match &waiting.reason {
        Reason::Futex { place, .. } => format!("a futex at {:#x}", *place as u32),
        Reason::Time { .. } => "a time".to_owned(),
        Reason::PipeFilled(_) => "bytes in a pipe".to_owned(),
        Reason::PipeDrained { .. } => "room in a pipe".to_owned(),
        Reason::Splice { .. } => "bytes in a pipe or room in one".to_owned(),
        Reason::OtherEnd { .. } => "another process at the other end of a fifo".to_owned(),
        Reason::Counted(_) => "an event".to_owned(),
        Reason::Expired(_) => "a timer to expire".to_owned(),
        Reason::CounterRoom { .. } => "room for an event".to_owned(),
        Reason::Mail(_) => "a message".to_owned(),
        Reason::MailRoom(_) => "room in a message queue".to_owned(),
        Reason::Arrival { .. } => "something to arrive at a socket".to_owned(),
        Reason::Departure { .. } => "room at a socket".to_owned(),
        Reason::Connection(_) => "a connection".to_owned(),
        Reason::Backlog(_) => "room for a connection".to_owned(),
        Reason::Watch { .. } => "one of several files to become ready".to_owned(),
        Reason::Ready(_) => "a file to become ready".to_owned(),
        Reason::Semaphores { .. } => "semaphores".to_owned(),
        Reason::Message { .. } => "a message".to_owned(),
        Reason::Room { .. } => "room in a message queue".to_owned(),
        Reason::FileLock(_) => "a lock on a file".to_owned(),
        Reason::Child(_) | Reason::ChildChange { .. } | Reason::Borrowed(_) => "a child".to_owned(),
        Reason::Signal { .. } | Reason::SignalOf { .. } | Reason::SignalRead(_) => {
            "a signal".to_owned()
        }
    }
}
