//! Threads that run for long without a visible operation: when others get a chance, and when it is
//! an error.
//!
//! A thread may wait in a loop for a word of which the search does not know yet that others write
//! it. So after a while the loop is cut: a state is made in the middle of it, from which the others
//! run too, and the search learns what they write. Only what a search loops in that has learned all
//! is endless ([`steam_visibility::Sharing::is_endless`]). The cut is also what keeps the visible operation
//! before the loop: a thread diverges from after it (`past.rs`).
//!
//! A thread that goes on in the middle of a loop is followed for a while, instruction by instruction, and so is now
//! and then one that runs for long. Where everything becomes as it was it loops forever, and does not have to be run
//! up to the limit for that: it is cut there, or, where others had their chance, it is endless.
//!
//! A thread that counts in its loop never comes back to where it was. In the first iterations such a thread is given up
//! soon after it was cut, since others may be about to write what it waits for. The iteration is repeated then, and lets
//! each run for as long as that needs ([`SearchFact::NeedsLongRuns`]).

use steam_libc::Work;
use steam_linux::kernel::Pending;
use steam_state::{Context, PageNumber};
use steam_visibility::{Decision, Operation, OperationFact, SearchFact};
use steam_vm::Stop;
use vm_isa::request::Request;

use super::action::Choice;
use super::deadline::GLANCE;
use super::postponed::Postponed;
use super::run_on::{Next, Start};
use super::step::{Flow, Halt, Worker};
use super::{Granularity, Program};

/// After so many invisible instructions others get a chance.
const CUT: u64 = 4_000_000;
/// The longest loop, in instructions, of which it is seen that it comes back to where it was.
const LONGEST_LOOP: u64 = 20_000;
/// When a thread that runs for long is followed: from so many instructions on, for so many. To follow it takes up to
/// forty times as long as to let it run, so it is done for a small part of all instructions.
const LOOKS: [(u64, u64); 4] =
    [(1 << 12, 1 << 8), (1 << 15, 1 << 10), (1 << 18, 1 << 13), (1 << 21, LONGEST_LOOP)];

/// Where a thread is in its code: all that a loop which writes nothing can change.
pub(super) type Position = ([u32; 8], u32);

/// All that a thread can change by its own instructions.
#[derive(PartialEq)]
struct Moment {
    context: Context,
    written: Vec<(PageNumber, Vec<u8>)>,
}

/// Whether a thread that is looked at after each instruction loops forever: where it was once is
/// remembered and compared with where it comes to, until it has run twice as far (Brent's algorithm for finding a cycle).
#[derive(Default)]
pub(super) struct Cycle {
    looks: u32,
    /// How many instructions ago it was where it is compared with.
    ago: u32,
    known: Option<(Position, Moment)>,
}

/// Whether a thread was seen to loop forever in a step, if it runs alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Looped {
    /// It was not, or it did not run that far.
    Unseen,
    /// It came back to where it went on, with everything as it was.
    Returned,
    /// It came to a loop that does not lead there.
    Elsewhere,
}

/// How it is known that a thread runs on and on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// It came back to where it was.
    Endless,
    /// It has run for as many instructions as it may.
    Limit,
}

/// What was seen of a thread that was looked at after each instruction.
pub(super) enum Seen {
    /// It came back to where it went on.
    AtStart,
    /// Everything is as it was before.
    Looping,
    /// Nothing of the kind, up to this stop.
    Stop(Stop),
}

impl Cycle {
    /// The thread is here now; whether everything is as it was before.
    fn closes(&mut self, here: Position, moment: impl FnOnce() -> Moment) -> bool {
        self.looks += 1;
        self.ago += 1;
        let renews = self.looks.is_power_of_two();
        let alike = self.known.as_ref().is_some_and(|(position, _)| *position == here);
        if !renews && !alike {
            return false;
        }
        let now = moment();
        let closes = alike && self.known.as_ref().is_some_and(|(_, known)| *known == now);
        if renews && !closes {
            self.known = Some((here, now));
            self.ago = 0;
        }
        closes
    }

    /// The number of instructions of the loop that closed.
    fn length(&self) -> u64 {
        u64::from(self.ago)
    }
}

impl Worker {
    /// Looks at what the thread on the CPU has pending, before it is done.
    pub(super) fn prepare(&mut self, program: &Program, choice: Choice) -> Flow {
        self.resumes = false;
        self.resumed = None;
        let (eip, instructions) = (self.machine.cpu.eip, self.machine.cpu.instructions);
        match self.machine.system.own_thread().pending.clone() {
            // It is still pending behind that.
            _ if choice.is_alarm() || choice.takes_signal() => Ok(()),
            _ if matches!(choice, Choice::TimerFile(_)) => Ok(()),
            pending @ (Pending::Continue | Pending::Cut) => {
                self.resumed = Some((eip, instructions));
                self.resumes = pending == Pending::Cut;
                Ok(())
            }
            Pending::Request { number, argument: 0 } => match Request::from_number(number) {
                Some(Request::Assume) => Err(Halt::Infeasible),
                _ => Ok(()),
            },
            Pending::Sync { operation, second_half: false, .. }
                if self.may_change(program, &operation) =>
            {
                self.look_again()
            }
            _ => Ok(()),
        }
    }

    /// Understands a synchronising call again: since the thread came to it, another one may have freed
    /// or overwritten the object, or made another one of it.
    fn look_again(&mut self) -> Flow {
        // A request stands at no function: its object is no memory of the program's.
        let Some(row) = self.machine.models.row_at(self.machine.cpu.eip) else { return Ok(()) };
        let Work::Sync(synchronisation) = &row.work else { return Ok(()) };
        let operation = self.machine.decode(row, synchronisation).map_err(Halt::Ending)?;
        self.machine.system.own_thread().pending = Pending::sync(operation, Vec::new());
        Ok(())
    }

    /// Where the thread on the CPU is.
    pub(super) fn position(&self) -> Position {
        let cpu = &self.machine.cpu;
        (std::array::from_fn(|register| cpu.gpr[register]), cpu.eip)
    }

    /// For how many instructions the thread on the CPU, which has run `done`, is looked at after each.
    pub(super) fn followed(&self, done: u64) -> u64 {
        let at_once = (0, if self.resumes { 2 * LONGEST_LOOP } else { 0 });
        let within = |&(from, length): &(u64, u64)| (from..from + length).contains(&done);
        let look = LOOKS.iter().chain([&at_once]).find(|look| within(look));
        look.map_or(0, |(from, length)| from + length - done)
    }

    /// Runs the thread on the CPU for so many instructions, and looks after each whether it has come back.
    pub(super) fn follow(&mut self, start: &Start, instructions: u64) -> Seen {
        let read_before = std::mem::take(&mut self.machine.cpu.clock_read);
        let seen = self.follow_each(start, instructions);
        // A loop that reads no clock is endless, whatever was read before it.
        self.machine.cpu.clock_read |= read_before && !matches!(seen, Seen::Looping);
        seen
    }

    fn follow_each(&mut self, start: &Start, instructions: u64) -> Seen {
        for _ in 0..instructions {
            match self.machine.cpu.run(1) {
                Stop::Limit if self.is_back(start) => return Seen::AtStart,
                Stop::Limit if self.comes_back() => return Seen::Looping,
                Stop::Limit => {}
                stop => {
                    // What is answered may change more than registers and memory.
                    self.cycle = Cycle::default();
                    return Seen::Stop(stop);
                }
            }
        }
        Seen::Stop(Stop::Limit)
    }

    /// Whether the thread on the CPU, which was cut, is back where it went on, with everything as it was. Where
    /// it is not seen to loop, it is enough that its registers are the same: it counts in memory.
    fn is_back(&mut self, start: &Start) -> bool {
        if !self.resumes || self.position() != start.position {
            return false;
        }
        let cpu = &mut self.machine.cpu;
        cpu.memory.clear_below(cpu.gpr[Context::ESP]);
        cpu.memory.is_as_frozen() || cpu.instructions - start.instructions >= LONGEST_LOOP
    }

    /// Lets the thread on the CPU come to a loop without anything that others see, and without a clock: how many
    /// instructions long that is.
    pub(super) fn comes_to_loop(&mut self) -> Option<u64> {
        self.cycle = Cycle::default();
        self.machine.cpu.clock_read = false;
        for _ in 0..LONGEST_LOOP {
            match self.machine.cpu.run(1) {
                Stop::Limit if self.comes_back() => {
                    return (!self.machine.cpu.clock_read).then(|| self.cycle.length());
                }
                Stop::Limit => {}
                _ => return None,
            }
        }
        None
    }

    /// Whether the thread on the CPU, which is looked at after each instruction, loops forever. It
    /// need not come back to where it went on from: a register may hold there what the loop has read
    /// before others changed it, and will never hold that again.
    ///
    /// What it has written is compared, and kept for that. Where that is much, the thread is not looked at: it is cut
    /// later, and from there on has written little.
    fn comes_back(&mut self) -> bool {
        const MOST_PAGES: usize = 256;
        let here = self.position();
        let cpu = &self.machine.cpu;
        if cpu.memory.written_pages() > MOST_PAGES {
            return false;
        }
        let moment = || Moment { context: cpu.context(), written: cpu.memory.written() };
        self.cycle.closes(here, moment)
    }

    /// Whether others get a chance, because the thread on the CPU has run `done` instructions.
    pub(super) fn is_cut(&mut self, program: &Program, done: u64) -> bool {
        let divergence = program.options.divergence;
        let patience = match program.options.granularity {
            Granularity::Shared => divergence.min(CUT),
            Granularity::Line | Granularity::Access => divergence,
        };
        done >= patience && !self.resumes && !self.is_within_step(program)
    }

    /// How many instructions the thread on the CPU may run now, having run `done`.
    pub(super) fn portion(&self, program: &Program, done: u64) -> u64 {
        let left = program.options.divergence.saturating_sub(done);
        let left = if done < CUT { left.min(CUT - done) } else { left.min(GLANCE) };
        let look = LOOKS.iter().map(|(from, _)| *from).find(|from| *from > done);
        look.map_or(left, |from| left.min(from - done))
    }

    /// The thread on the CPU was seen to loop forever, if it runs alone. Others get a chance, if they have had none.
    pub(super) fn loops_forever(&mut self, program: &Program) -> Flow<Next> {
        if self.resumes || self.is_within_step(program) {
            // What was answered on the way may have changed what others wait for.
            if self.resumes && self.answers == 0 && !self.machine.cpu.clock_read {
                self.note_looped(Looped::Elsewhere);
            }
            return Err(self.endless(program, Length::Endless));
        }
        Ok(Next::Stands(Pending::Cut))
    }

    /// Whether the thread on the CPU, which has run `done` instructions since it was cut, is given up for this iteration:
    /// others may be about to write what it waits for.
    pub(super) fn is_given_up(&mut self, program: &Program, done: u64) -> bool {
        // Given up is only what was cut before, and has run as far again since.
        let hasty = self.resumes
            && done >= CUT
            // By single accesses, the write for which it waits is a step already.
            && program.options.granularity == Granularity::Shared
            // A search begins again without giving up. A replay begins no iteration, and follows its path to the end.
            && program.iterations() > 0
            && !self.ignores_deadline
            // Within an atomic block, the others cannot write before its end.
            && !self.is_within_step(program);
        let sharing = &self.machine.stores.sharing;
        if !hasty || sharing.knows(SearchFact::NeedsLongRuns) {
            return false;
        }
        sharing.learn(SearchFact::NeedsLongRuns);
        true
    }

    /// The thread on the CPU is about to do what may be its failure; whether it stands there, so that
    /// others can come before it.
    pub(super) fn stands_before_failure(&mut self, program: &Program) -> bool {
        let eip = self.machine.cpu.eip;
        let known = self.machine.stores.sharing.knows(OperationFact::Failure(eip));
        let decision = self.decide(program, &Operation::Failure { known });
        if decision != Decision::Invisible {
            self.failure = Some(eip);
        }
        let here = (eip, self.machine.cpu.instructions);
        decision == Decision::Visible && self.resumed != Some(here)
    }

    /// The program has failed within a step. In other schedules others come before that, who were
    /// not seen here; from the next iteration on the thread stands before it.
    pub(super) fn learn_failure(&mut self) {
        let begun = self.resumed.map(|(eip, _)| eip);
        if let Some(place) = self.failure.filter(|place| begun != Some(*place))
            && !self.alone()
        {
            self.machine.stores.sharing.learn(OperationFact::Failure(place));
        }
    }

    /// What becomes of a thread that runs on and on.
    pub(super) fn endless(&mut self, program: &Program, length: Length) -> Halt {
        // The signal that waits for it comes before that.
        if self.postponed != Postponed::Nothing {
            return Halt::Infeasible;
        }
        let learns =
            program.options.granularity == Granularity::Shared && !self.is_within_step(program);
        if learns && !self.machine.stores.sharing.is_endless() {
            return Halt::Infeasible;
        }
        Halt::Ending(match length {
            Length::Limit if !program.options.long_runs_diverge => {
                self.machine.runs_long(program.options.divergence)
            }
            Length::Limit | Length::Endless => self.machine.diverged(),
        })
    }
}

#[cfg(test)]
mod tests {
    use steam_state::Space;

    use super::*;

    /// After how many looks it is seen that a loop repeats, if a register and a byte of memory are these at
    /// each.
    fn seen_after(look: impl Fn(u32) -> (u32, u8)) -> Option<u32> {
        let mut cycle = Cycle::default();
        (1..100).find(|&number| {
            let (register, byte) = look(number);
            let gpr = [register, 0, 0, 0, 0, 0, 0, 0];
            cycle.closes((gpr, 0), || Moment {
                context: Context { gpr, ..Context::default() },
                written: vec![(Space::FIRST.page(5), vec![byte])],
            })
        })
    }

    #[test]
    fn a_loop_goes_round_if_everything_is_as_it_was() {
        assert_eq!(seen_after(|_| (7, 0)), Some(2));
        assert_eq!(seen_after(|look| (look % 2, 0)), Some(4));
        assert_eq!(seen_after(|look| (7, (look % 6) as u8)), Some(14));
        assert_eq!(seen_after(|look| (look.min(3), 0)), Some(5), "not from the beginning on");
        assert_eq!(seen_after(|look| (look, 0)), None, "it counts in a register");
        assert_eq!(seen_after(|look| (7, look as u8)), None, "it counts in memory");
    }
}
