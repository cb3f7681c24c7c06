//! What ends the searches of a check from outside, and who hears how far they are.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use steam_explain::Deadline;
use steam_program::Program;
use steam_search::{End, LimitKind};
use steam_session::{Control, Mismatch, memory};
use steam_trail::Progress;

use crate::config::Bounds;
use crate::error::Error;

/// Hears how far a check is.
pub trait Listener: Send {
    /// A search is so far.
    fn hear(&mut self, progress: &Progress);

    /// A search is over; another one may follow.
    fn search_ends(&mut self);
}

/// No listener.
impl Listener for () {
    fn hear(&mut self, _: &Progress) {}

    fn search_ends(&mut self) {}
}

/// What is around the searches of a check.
pub(crate) struct Outside<'a> {
    /// Set when the end is asked for.
    stop: Arc<AtomicBool>,
    /// Set when there is no memory left.
    full: Arc<AtomicBool>,
    memory: u64,
    /// When the check began.
    pub started: Instant,
    /// When it has to end.
    end: Option<Instant>,
    listener: RefCell<&'a mut dyn Listener>,
}

impl<'a> Outside<'a> {
    /// From now on time and memory are watched.
    pub fn new(bounds: &Bounds, stop: Arc<AtomicBool>, listener: &'a mut dyn Listener) -> Self {
        let started = Instant::now();
        Self {
            stop,
            full: memory::watch(bounds.memory),
            memory: bounds.memory,
            started,
            end: bounds.time.and_then(|time| started.checked_add(time)),
            listener: RefCell::new(listener),
        }
    }

    /// Lets a program give up steps that would go on beyond the end.
    pub fn end(&self, program: &mut Program) {
        program.end_by(self.end, vec![Arc::clone(&self.stop), Arc::clone(&self.full)]);
    }

    /// Searches until something ends it.
    pub fn search<T>(
        &self,
        search: impl FnOnce(&mut Control<'_>) -> Result<T, Mismatch>,
    ) -> Result<T, Error> {
        let (memory, mut listener) = (self.memory, self.listener.borrow_mut());
        let listener: &mut dyn Listener = &mut **listener;
        let mut hear = |progress: &steam_session::Progress| {
            listener.hear(&Progress {
                elapsed: progress.elapsed,
                states: progress.states,
                frontier: progress.frontier,
                depth: progress.depth,
                best_estimate: progress.best_estimate,
                executions: progress.executions,
                done: progress.done,
                bytes: progress.bytes,
                limit: Some(memory),
            });
        };
        let mut control = Control {
            stop: Some(&self.stop),
            full: Some(&self.full),
            progress: Some(&mut hear),
            ..Control::default()
        };
        let found = search(&mut control);
        listener.search_ends();
        Ok(found?)
    }

    /// What ended a search that gave up a step.
    pub fn reason(&self) -> End {
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        match (is_set(&self.stop), is_set(&self.full)) {
            (true, _) => End::Interrupted,
            (_, true) => End::Limit(LimitKind::Memory),
            _ => End::Limit(LimitKind::Time),
        }
    }

    /// Whether the end was asked for, or the time is over.
    pub fn is_over(&self) -> bool {
        is_over(&self.stop, self.end)
    }

    /// Who says that there is no time to go along trails: some time after the search had to end.
    pub fn deadline(&self) -> Deadline {
        let (stop, end) = (Arc::clone(&self.stop), self.end);
        let asked: Cell<Option<Instant>> = Cell::new(None);
        Rc::new(move || {
            if is_over(&stop, end) && asked.get().is_none() {
                asked.set(Some(Instant::now()));
            }
            asked.get().is_some_and(|asked| asked.elapsed() >= GRACE)
        })
    }
}

/// What telling what was found may take when the search has no time left.
const GRACE: Duration = Duration::from_millis(700);

fn is_over(stop: &AtomicBool, end: Option<Instant>) -> bool {
    stop.load(Ordering::Relaxed) || end.is_some_and(|end| Instant::now() >= end)
}
