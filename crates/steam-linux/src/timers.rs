//! What timers do when their time has come: in a run by the clock, in a search at any moment.

use steam_state::ThreadId;

use crate::cpu_time::Busy;
use crate::kernel::{Notice, PosixTimer, SignalInfo, Timer, TimerClock};
use crate::signals::number;
use crate::system::System;

/// `si_code` of a signal that a timer of `timer_create` sends.
const OF_TIMER: i32 = -2;
/// More firings that were not noticed are not counted.
const MOST_OVERRUNS: u32 = i32::MAX as u32;

impl System {
    /// Whether a timer of the process on the CPU may send its signal at any moment, or has just sent it.
    pub(crate) fn is_timed(&self) -> bool {
        self.process.has_timer()
            || self.process.timers[0].fired
            || self.process.posix_timers.values().any(|it| it.timer.fired)
    }

    /// Whether a timer tells the thread on the CPU when it fires.
    pub(crate) fn is_signalled_by_timer(&self) -> bool {
        let told =
            |it: &PosixTimer| matches!(it.signal(), Some((_, Some(it))) if it == self.current);
        self.process.posix_timers.values().any(told)
    }

    /// The first thread of the process on the CPU has done something that is no answer to a signal: its timers
    /// may fire again.
    pub(crate) fn let_timers_fire(&mut self) {
        if self.process.timers[0].fired {
            self.process.timers[0].fired = false;
        }
        let fired = self.process.posix_timers.iter().filter(|(_, it)| it.timer.fired);
        let fired: Vec<u32> = fired.map(|(&id, _)| id).collect();
        for id in fired {
            if let Some(it) = self.process.posix_timers.get_mut(&id) {
                it.timer.fired = false;
            }
        }
    }

    /// The timer of the process on the CPU sends its signal. How long others take is unknown: in a search
    /// that may be at any moment, and again and again if it has an interval.
    pub fn fire_timer(&mut self) {
        fire_in_search(&mut self.process.timers[0]);
        self.send_to_process(self.space, SignalInfo::of_kernel(number::ALRM));
    }

    /// The same for a timer of `timer_create`, known by its number.
    pub fn fire_posix_timer(&mut self, id: u32) {
        let it = self.process.posix_timers.get_mut(&id).expect("a timer that fires is there");
        fire_in_search(&mut it.timer);
        it.again = it.timer.deadline.is_some();
        self.send_notice(id, 0);
    }

    /// Sends what a timer tells that it has fired, and so often more since.
    fn send_notice(&mut self, id: u32, overrun: u32) {
        let it = self.process.posix_timers.get(&id).expect("a timer that fires is there");
        // The program wants to hear of it, or asks for the time that is left.
        let Notice::Signal { number, value, thread } = it.notice else { return };
        let fields = [id, overrun, value];
        let info = SignalInfo { number, code: OF_TIMER, fields, trap: [0; 3] };
        match thread {
            Some(thread) => self.send_to_thread(thread, info),
            None => self.send_to_process(self.space, info),
        }
    }

    /// The signal of a timer that no thread has taken yet.
    fn waiting_notice(&mut self, id: u32, thread: Option<ThreadId>) -> Option<&mut SignalInfo> {
        let pending = match thread {
            Some(thread) => &mut self.threads.get_mut(thread)?.pending,
            None => &mut self.process.pending,
        };
        pending.iter_mut().find(|info| info.code == OF_TIMER && info.fields[0] == id)
    }

    /// A signal was taken: if a timer sent it, `timer_getoverrun` says what came with it.
    pub(crate) fn note_taken(&mut self, info: &SignalInfo) {
        let [id, overrun, _] = info.fields;
        if info.code == OF_TIMER
            && let Some(it) = self.process.posix_timers.get_mut(&id)
        {
            it.overrun = overrun;
        }
    }

    /// Forgets the signal of a timer that no thread has taken yet.
    pub(crate) fn withdraw_notice(&mut self, id: u32) {
        let signal = self.process.posix_timers.get(&id).and_then(|timer| timer.signal());
        let is_its = |info: &SignalInfo| info.code == OF_TIMER && info.fields[0] == id;
        let pending = match signal {
            Some((_, Some(thread))) => {
                self.threads.get_mut(thread).map(|thread| &mut thread.pending)
            }
            Some((_, None)) => Some(&mut self.process.pending),
            None => None,
        };
        if let Some(pending) = pending.filter(|pending| pending.iter().any(is_its)) {
            pending.retain(|info| !is_its(info));
        }
    }

    /// What a timer's clock shows now, as the kernel counts.
    pub(crate) fn timer_time(&self, clock: TimerClock) -> u64 {
        match clock {
            TimerClock::Elapsed { .. } => self.kernel.clock,
            TimerClock::Busy(whose) => self.busy(whose),
        }
    }

    /// All timers of the process on the CPU: when they fire next and what their clocks show now.
    pub fn armed_timers(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let clocks = [self.kernel.clock, self.busy_process(), self.busy_process()];
        let own = self.process.timers.iter().zip(clocks);
        let own = own.filter_map(|(timer, clock)| Some((timer.deadline?, clock)));
        let posix = self.process.posix_timers.values();
        // The CPU time of a thread stands still while others run.
        let goes_on = |it: &&PosixTimer| match it.clock {
            TimerClock::Busy(Busy::Thread(thread)) => thread == self.current,
            TimerClock::Busy(Busy::Process(_)) | TimerClock::Elapsed { .. } => true,
        };
        let posix = posix.filter(goes_on);
        own.chain(posix.filter_map(|it| Some((it.timer.deadline?, self.timer_time(it.clock)))))
    }

    /// Sends the signals of timers whose time has come.
    pub fn fire_timers(&mut self) {
        let clocks = [self.kernel.clock, self.busy_process(), self.busy_process()];
        let signals = [number::ALRM, number::VTALRM, number::PROF];
        for (which, (clock, signal)) in clocks.into_iter().zip(signals).enumerate() {
            let timer = &mut self.process.timers[which];
            let Some(deadline) = timer.deadline.filter(|&deadline| deadline <= clock) else {
                continue;
            };
            timer.deadline = (timer.interval > 0).then(|| deadline.max(clock) + timer.interval);
            self.send_to_process(self.space, SignalInfo::of_kernel(signal));
        }
        let due = self.process.posix_timers.iter().filter(|(_, it)| {
            it.timer.deadline.is_some_and(|deadline| deadline <= self.timer_time(it.clock))
        });
        let due: Vec<u32> = due.map(|(&id, _)| id).collect();
        due.into_iter().for_each(|id| self.fire_due(id));
    }

    /// A timer of `timer_create` fires, as often as its time has come; all but the first firing that the program has not
    /// noticed yet are only counted.
    fn fire_due(&mut self, id: u32) {
        let it = *self.process.posix_timers.get(&id).expect("a timer that is due is there");
        let deadline = it.timer.deadline.expect("a timer that is due has a deadline");
        let interval = it.timer.interval;
        let late = self.timer_time(it.clock).saturating_sub(deadline);
        let missed = late.checked_div(interval).unwrap_or(0);
        if let Some(place) = self.process.posix_timers.get_mut(&id) {
            place.timer.deadline = (interval > 0).then(|| deadline + (missed + 1) * interval);
        }
        // It notifies by nothing (`SIGEV_NONE`).
        let Some((_, thread)) = it.signal() else { return };
        let missed = missed.min(MOST_OVERRUNS.into()) as u32;
        match self.waiting_notice(id, thread) {
            Some(info) => {
                info.fields[1] = (info.fields[1] + missed + 1).min(MOST_OVERRUNS);
            }
            None => self.send_notice(id, missed),
        }
    }
}

fn fire_in_search(timer: &mut Timer) {
    timer.fired = true;
    timer.deadline = timer.deadline.filter(|_| timer.interval > 0);
}
