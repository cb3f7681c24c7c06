//! The threads at the end of a trail: where they are, what they hold, what they wait for.

use steam_linux::kernel::{Children, Object, Reason, SemaphoreOperation, Waiting};
use steam_program::{ThreadView, Wait};
use steam_report::Location;
use steam_state::ThreadId;
use steam_sync::{Address, Call, ConditionCall};
use steam_trail::{Frame, Held, ThreadInfo, Waits};

use crate::retrace::Retraced;
use crate::{Explainer, places};

impl Explainer<'_> {
    /// All threads; `culprit` is the one that ran into the error, and its call stack.
    pub fn threads(
        &self,
        retraced: &Retraced,
        culprit: Option<(ThreadId, &[Location])>,
    ) -> Vec<ThreadInfo> {
        let views = self.program.view(&retraced.state);
        let mut threads: Vec<ThreadInfo> =
            views.iter().map(|view| self.live(retraced, view, culprit)).collect();
        let gone = retraced
            .finished
            .iter()
            .filter(|(thread, _)| views.iter().all(|view| view.thread != **thread));
        threads.extend(gone.map(|(thread, finished)| ThreadInfo {
            id: thread.0,
            process: self.program.is_process(*thread),
            name: name(retraced, *thread),
            state: "finished".to_owned(),
            frames: vec![Frame { place: finished.place.clone(), pc: String::new() }],
            // A thread may end without giving up what it holds.
            holds: self.holds(retraced, *thread),
            waits: None,
            loops: None,
        }));
        threads.sort_by_key(|thread| thread.id);
        threads
    }

    fn live(
        &self,
        retraced: &Retraced,
        view: &ThreadView,
        culprit: Option<(ThreadId, &[Location])>,
    ) -> ThreadInfo {
        let own = culprit.filter(|(thread, _)| *thread == view.thread);
        let there = retraced.stacks.get(&view.thread).map(Vec::as_slice).unwrap_or_default();
        let stack = own.map_or(there, |(_, stack)| stack);
        let waits = if own.is_some() { None } else { self.waits(retraced, view, stack) };
        let state = match (&own, &waits) {
            (Some(_), _) => "running",
            (None, Some(_)) => "waiting",
            (None, None) => "ready",
        };
        ThreadInfo {
            id: view.thread.0,
            process: self.program.is_process(view.thread),
            name: name(retraced, view.thread),
            state: state.to_owned(),
            frames: places::frames(stack),
            holds: self.holds(retraced, view.thread),
            waits,
            loops: None,
        }
    }

    fn holds(&self, retraced: &Retraced, thread: ThreadId) -> Vec<Held> {
        let held = retraced.holdings.of(thread).map(|(address, taken)| Held {
            what: self.object(retraced, address),
            taken: taken.clone(),
        });
        held.collect()
    }

    fn waits(&self, retraced: &Retraced, view: &ThreadView, stack: &[Location]) -> Option<Waits> {
        let (what, via) = match view.waits.as_ref()? {
            Wait::Operation(operation) => {
                // Whoever was woken, but does not get the mutex back, waits for that one.
                let objects = operation.objects();
                let relocks = matches!(
                    operation.call,
                    Call::Condition(ConditionCall::Return(_) | ConditionCall::Relock(..))
                ) && !self.program.blockers(&retraced.state, view).is_empty();
                let address = match objects[1].filter(|_| relocks) {
                    Some(mutex) => mutex,
                    None => operation.address,
                };
                let plain = operation.name() == "pthread_mutex_lock";
                let via = (!plain).then(|| operation.name().to_owned());
                (self.object(retraced, address), via)
            }
            Wait::Thread(thread) => (self.who(*thread), Some("pthread_join".to_owned())),
            Wait::Stopped => ("a SIGCONT".to_owned(), Some("it was stopped".to_owned())),
            Wait::SystemCall => {
                let waiting = self.program.waiting_in(&retraced.state, view.thread);
                let told = waiting.map(|waiting| self.call(waiting));
                let (what, via) = told.unwrap_or(("something".to_owned(), None));
                let ends = waiting.map(|waiting| self.ends(retraced, view, waiting));
                (what + &ends.unwrap_or_default(), via)
            }
        };
        let threads = self.program.blockers(&retraced.state, view);
        let threads = threads.into_iter().map(|thread| thread.0).collect();
        Some(Waits { what, via, place: self.place(stack), threads })
    }

    /// What an object is called.
    fn object(&self, retraced: &Retraced, address: Address) -> String {
        let named = retraced.objects.get(&address).cloned();
        named.unwrap_or_else(|| self.names.object(address))
    }

    /// By which descriptors a thread waits at a pipe or a socket, and who could still write to it.
    fn ends(&self, retraced: &Retraced, view: &ThreadView, waiting: &Waiting) -> String {
        let openers = |is_meant: &dyn Fn(&Object) -> bool| {
            self.program.openers(&retraced.state, |object| is_meant(object))
        };
        let (here, writers) = match waiting.reason {
            Reason::PipeFilled(pipe) => {
                let writers = openers(&|object| *object == Object::PipeWriter(pipe));
                (openers(&|object| *object == Object::PipeReader(pipe)), Some(writers))
            }
            Reason::PipeDrained { pipe, .. } => {
                (openers(&|object| *object == Object::PipeWriter(pipe)), None)
            }
            Reason::Arrival { socket, .. }
            | Reason::Departure { socket, .. }
            | Reason::Connection(socket)
            | Reason::Backlog(socket) => {
                (openers(&|object| *object == Object::Socket(socket)), None)
            }
            _ => return String::new(),
        };
        let own = here.iter().filter(|(leader, _)| *leader == view.space.leader());
        let own: Vec<String> = own.map(|(_, descriptor)| descriptor.to_string()).collect();
        let mut text = match &own[..] {
            [] => String::new(),
            descriptors => format!(" (descriptor {})", descriptors.join(", ")),
        };
        if let Some(writers) = writers {
            let whose = |(leader, descriptor): &(ThreadId, u32)| {
                format!("{} as {descriptor}", self.who(*leader))
            };
            let writers: Vec<String> = writers.iter().map(whose).collect();
            text += &format!(", whose writing end is open in {}", writers.join(" and "));
        }
        text
    }

    /// A system call that may have to wait, with what it is about.
    pub fn call_in_words(&self, waiting: &Waiting) -> Option<String> {
        let (what, call) = self.call(waiting);
        call.map(|call| format!("{call} ({what})"))
    }

    /// What a system call waits for, and its name.
    fn call(&self, waiting: &Waiting) -> (String, Option<String>) {
        let (what, call) = match &waiting.reason {
            Reason::Futex { place, .. } => (self.names.object(*place), "futex"),
            Reason::Time { .. } => ("a time".to_owned(), "sleep"),
            Reason::PipeFilled(_) => ("bytes in a pipe".to_owned(), "read"),
            Reason::PipeDrained { .. } => ("room in a pipe".to_owned(), "write"),
            Reason::Splice { from, to } => {
                let what = match (from, to) {
                    (Some(_), Some(_)) => "bytes in a pipe and room in another one",
                    (Some(_), None) => "bytes in a pipe",
                    (None, _) => "room in a pipe",
                };
                (what.to_owned(), "splice")
            }
            Reason::OtherEnd { .. } => ("the other end of a fifo".to_owned(), "open"),
            Reason::Counted(_) => ("an event".to_owned(), "read"),
            Reason::Expired(_) => ("a timer to expire".to_owned(), "read"),
            Reason::CounterRoom { .. } => ("room for an event".to_owned(), "write"),
            Reason::Mail(_) => ("a message".to_owned(), "mq_receive"),
            Reason::MailRoom(_) => ("room in a message queue".to_owned(), "mq_send"),
            Reason::Arrival { .. } => ("what arrives at a socket".to_owned(), "recv"),
            Reason::Departure { .. } => ("room at a socket".to_owned(), "send"),
            Reason::Connection(_) => ("a connection".to_owned(), "accept"),
            Reason::Backlog(_) => ("room for a connection".to_owned(), "connect"),
            Reason::Watch { .. } => ("a file".to_owned(), "epoll_wait"),
            Reason::Ready(_) => ("a file".to_owned(), "poll"),
            Reason::Semaphores { id, operations, .. } => (semaphores(*id, operations), "semop"),
            Reason::Message { id, .. } => (format!("a message in queue {id}"), "msgrcv"),
            Reason::Room { id, .. } => (format!("room in queue {id}"), "msgsnd"),
            Reason::FileLock(request) if request.parts => ("a lock on a file".to_owned(), "fcntl"),
            Reason::FileLock(_) => ("a lock on a file".to_owned(), "flock"),
            Reason::Child(Children::One(child)) => (format!("process {}", child.0), "waitpid"),
            Reason::Child(_) => ("a child".to_owned(), "wait"),
            Reason::ChildChange { which: Children::One(child), .. } => {
                (format!("process {}", child.0), "waitpid")
            }
            Reason::ChildChange { .. } => ("a child".to_owned(), "waitpid"),
            Reason::Borrowed(child) => (format!("process {}", child.0), "vfork"),
            Reason::Signal { suspends: true } => ("a signal".to_owned(), "sigsuspend"),
            Reason::Signal { suspends: false } => ("a signal".to_owned(), "pause"),
            Reason::SignalOf { .. } => ("a signal".to_owned(), "sigwait"),
            Reason::SignalRead(_) => ("a signal".to_owned(), "read"),
        };
        (what, Some(call.to_owned()))
    }
}

/// The semaphores that a row of operations is about.
fn semaphores(id: u32, operations: &[SemaphoreOperation]) -> String {
    let numbers: Vec<String> =
        operations.iter().map(|operation| operation.number.to_string()).collect();
    match &numbers[..] {
        [number] => format!("semaphore {number} of set {id}"),
        numbers => format!("semaphores {} of set {id}", numbers.join(", ")),
    }
}

fn name(retraced: &Retraced, thread: ThreadId) -> String {
    retraced.names.get(&thread).cloned().unwrap_or_else(|| "thread".to_owned())
}
