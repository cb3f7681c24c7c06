//! Threads that run for long without a visible operation: when others get a chance, and when it is
//! an error.
//!
//! A thread may wait in a loop for a word of which the search does not know yet that others write
//! it. So after a while the loop is cut: a state is made in the middle of it, from which the others
//! run too, and the search learns what they write. Only what a search loops in that has learned all
//! is endless ([`steam_state::Sharing::is_endless`]). The cut is also what keeps the visible operation
//! before the loop: a thread diverges from behind it (`past.rs`).
//!
//! A thread that goes on in the middle of a loop is followed for a while. Where everything becomes as it was
//! it goes round for ever, and does not have to be run up to the limit for that.

use steam_state::{Context, PageNumber, Site};
use vm_isa::request::Request;

use super::action::{DELIVERY, INTERRUPTION, expired_file, is_alarm};
use super::hurry::GLANCE;
use super::step::{Flow, Halt, Worker};
use super::{Granularity, Program};
use crate::kernel::Pending;
use crate::models::Work;

/// After so many invisible instructions others get a chance.
const CUT: u64 = 4_000_000;
/// The longest loop, in instructions, of which it is seen that it comes back to where it was.
const LONGEST_LOOP: u64 = 20_000;

/// Where a thread is in its code: all that a loop which writes nothing can change.
pub(super) type Position = ([u32; 8], u32);

/// All that a thread can change by its own instructions.
#[derive(PartialEq)]
struct Moment {
    context: Context,
    written: Vec<(PageNumber, Vec<u8>)>,
}

/// Whether a thread that is looked at after each instruction goes round for ever: where it was once is
/// remembered and compared with where it comes to, until it has run twice as far (Brent's way to find a cycle).
#[derive(Default)]
pub(super) struct Circle {
    looks: u32,
    known: Option<(Position, Moment)>,
}

impl Circle {
    /// The thread is here now; whether everything is as it was before.
    fn closes(&mut self, here: Position, moment: impl FnOnce() -> Moment) -> bool {
        self.looks += 1;
        let renews = self.looks.is_power_of_two();
        let alike = self.known.as_ref().is_some_and(|(position, _)| *position == here);
        if !renews && !alike {
            return false;
        }
        let now = moment();
        let closes = alike && self.known.as_ref().is_some_and(|(_, known)| *known == now);
        if renews {
            self.known = Some((here, now));
        }
        closes
    }
}

impl Worker {
    /// Looks at what the thread on the CPU has pending, before it is done.
    pub(super) fn prepare(&mut self, choice: u32) -> Flow {
        self.resumes = false;
        self.resumed = None;
        let (eip, instructions) = (self.machine.cpu.eip, self.machine.cpu.instructions);
        let system = &mut self.machine.system;
        let Some(live) = system.threads.live(system.current) else { return Ok(()) };
        match live.pending.clone() {
            _ if is_alarm(choice) || matches!(choice, DELIVERY | INTERRUPTION) => Ok(()),
            _ if expired_file(choice).is_some() => Ok(()),
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
                if self.may_vanish(operation.address) =>
            {
                self.look_again()
            }
            _ => Ok(()),
        }
    }

    /// Understands a synchronising call again: since the thread came to it, somebody may have freed
    /// the object or made another one of it.
    fn look_again(&mut self) -> Flow {
        let Some(row) = self.machine.models.row_at(self.machine.cpu.eip) else { return Ok(()) };
        let Work::Sync(synchronisation) = &row.work else { return Ok(()) };
        let operation = self.machine.decode(row, synchronisation).map_err(Halt::Ending)?;
        let system = &mut self.machine.system;
        if let Some(live) = system.threads.live(system.current) {
            live.pending = Pending::sync(operation, Vec::new());
        }
        Ok(())
    }

    /// Where the thread on the CPU is.
    pub(super) fn position(&self) -> Position {
        let cpu = &self.machine.cpu;
        (std::array::from_fn(|register| cpu.gpr[register]), cpu.eip)
    }

    /// Whether the thread on the CPU, which has run `done` instructions, is looked at after each.
    pub(super) fn is_followed(&self, done: u64) -> bool {
        self.resumes && done < LONGEST_LOOP
    }

    /// Whether the thread on the CPU, which is looked at after each instruction, goes round for ever. It
    /// need not come back to where it went on from: a register may hold there what the loop has read
    /// before others changed it, and will never hold that again.
    pub(super) fn goes_round(&mut self) -> bool {
        let here = self.position();
        let cpu = &self.machine.cpu;
        let moment = || Moment { context: cpu.context(), written: cpu.memory.written() };
        self.circle.closes(here, moment)
    }

    /// Whether others get a chance, because the thread on the CPU has run `done` instructions.
    pub(super) fn is_cut(&mut self, program: &Program, done: u64) -> bool {
        let divergence = program.options.divergence;
        let patience = match program.options.granularity {
            Granularity::Shared => divergence.min(CUT),
            Granularity::Line | Granularity::Access => divergence,
        };
        done >= patience && !self.resumes && !self.within()
    }

    /// How many instructions the thread on the CPU may run now, having run `done`.
    pub(super) fn portion(&self, program: &Program, done: u64) -> u64 {
        let left = program.options.divergence.saturating_sub(done);
        if done < CUT { left.min(CUT - done) } else { left.min(GLANCE) }
    }

    /// The thread on the CPU is about to do what may be its failure; whether it stands there, so that
    /// others can come before it.
    pub(super) fn stands_before_failure(&mut self, program: &Program) -> bool {
        if program.options.granularity != Granularity::Shared || self.within() {
            return false;
        }
        let eip = self.machine.cpu.eip;
        let here = (eip, self.machine.cpu.instructions);
        self.failure = Some(eip);
        let known = self.machine.stores.state.sharing.is_marked(Site::Failure(eip));
        known && self.resumed != Some(here)
    }

    /// The program has failed within a step. In other schedules others come before that, who were
    /// not seen here; from the next round on the thread stands before it.
    pub(super) fn learn_failure(&mut self) {
        let begun = self.resumed.map(|(eip, _)| eip);
        if let Some(place) = self.failure.filter(|place| begun != Some(*place))
            && !self.alone()
        {
            self.machine.stores.state.sharing.mark(Site::Failure(place));
        }
    }

    /// What becomes of a thread that runs on and on.
    pub(super) fn endless(&mut self, program: &Program) -> Halt {
        let learns = program.options.granularity == Granularity::Shared && !self.within();
        if learns && !self.machine.stores.state.sharing.is_endless() {
            return Halt::Infeasible;
        }
        Halt::Ending(self.machine.diverged())
    }
}

#[cfg(test)]
mod tests {
    use steam_state::Space;

    use super::*;

    /// After how many looks it is seen that a loop goes round, if a register and a byte of memory are these at
    /// each.
    fn seen_after(look: impl Fn(u32) -> (u32, u8)) -> Option<u32> {
        let mut circle = Circle::default();
        (1..100).find(|&number| {
            let (register, byte) = look(number);
            let gpr = [register, 0, 0, 0, 0, 0, 0, 0];
            circle.closes((gpr, 0), || Moment {
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
