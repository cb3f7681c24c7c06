//! What was found: an error of the program, or something of it that is not modelled.

use serde::Serialize;

use crate::place::Place;
use crate::source::Excerpt;
use crate::trail::Trail;

/// A finding with all that a person needs to understand it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViolationInfo {
    /// Its kind, such as `assert`, `deadlock` or `use-after-free`; part of the user interface.
    pub kind: String,
    /// The family of kinds that `error[...]` names, such as `memory`.
    pub family: String,
    /// What stands after the verdict's word: `assertion failed: glob != 8`.
    pub headline: String,
    /// What happened: `` `glob != 8` is false``.
    pub message: String,
    /// What the line for editors says: `` assertion `glob != 8` is false``.
    pub summary: String,
    /// Where it happened.
    pub location: Place,
    /// The thread in which it happened.
    pub thread: Option<u32>,
    /// The step of the trail at which it happened.
    pub step: Option<u32>,
    /// All threads at that moment.
    pub threads: Vec<ThreadInfo>,
    /// The accesses that are in a data race; empty for other errors.
    pub accesses: Vec<AccessInfo>,
    /// The source lines concerned; the first excerpt shows the location.
    pub excerpts: Vec<Excerpt>,
    /// More lines of explanation: where a block was allocated, where it was freed.
    pub text: Vec<String>,
    /// How the program came there.
    pub trail: Option<Recorded>,
}

/// A trail, and where it was kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The file that holds it, if it was written.
    pub file: Option<String>,
    /// The trail.
    pub trail: Trail,
}

/// An access that is in a data race.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AccessInfo {
    /// Whose it is.
    pub thread: u32,
    /// What it touches, as the user would name it.
    pub variable: String,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is atomic; none where the source does not say.
    pub atomic: Option<bool>,
    /// Where it is.
    #[serde(flatten)]
    pub place: Place,
    /// What its thread holds.
    pub holds: Vec<String>,
}

/// A thread at the moment of the error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ThreadInfo {
    /// Its number.
    pub id: u32,
    /// Whether it is the first thread of one of several processes, which has its number.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub process: bool,
    /// Its name: the function or class that it runs.
    pub name: String,
    /// Its state: `running`, `ready`, `waiting`, `looping`, `finished`.
    pub state: String,
    /// Its call stack, innermost first; the first frame is the one to show.
    pub frames: Vec<Frame>,
    /// What it holds.
    pub holds: Vec<Held>,
    /// What it waits for.
    pub waits: Option<Waits>,
    /// The loop that it never leaves, in a hang.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loops: Option<Loops>,
}

/// What a thread is called, which may stand for a process.
pub fn who(thread: u32, process: bool) -> String {
    format!("{} {thread}", if process { "process" } else { "thread" })
}

/// A function of a call stack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Frame {
    /// Where it is.
    #[serde(flatten)]
    pub place: Place,
    /// The address, as numbers of the guest are printed: `0x08049abc`.
    pub pc: String,
}

/// Something that a thread holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Held {
    /// Its name.
    pub what: String,
    /// Where it was taken.
    pub taken: Place,
}

/// A loop that a thread never leaves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Loops {
    /// The lines along it.
    pub places: Vec<Place>,
    /// The variables that it reads again and again.
    pub reads: Vec<Observation>,
}

impl Loops {
    /// What it reads: `flag == 0, turn == 2`.
    pub fn reads(&self) -> String {
        let reads = self.reads.iter().map(|read| format!("{} == {}", read.variable, read.value));
        reads.collect::<Vec<String>>().join(", ")
    }
}

/// A variable and the value that was observed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Observation {
    /// Its name.
    pub variable: String,
    /// The value.
    pub value: String,
}

/// What a thread waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Waits {
    /// Its name, such as `fork[1]` or `thread 2`.
    pub what: String,
    /// The function by which it waits, where that is not plain from what it waits for.
    pub via: Option<String>,
    /// Where it waits.
    pub place: Place,
    /// The threads that would all have to let go before it could go on; none if any might.
    #[serde(rename = "for")]
    pub threads: Vec<u32>,
}

impl ThreadInfo {
    /// What it is called: `thread 2`, or `process 2`.
    pub fn who(&self) -> String {
        who(self.id, self.process)
    }

    /// Whether the thread can still do something or wait for it.
    pub fn is_live(&self) -> bool {
        self.state != "finished"
    }

    /// Where the thread is.
    pub fn place(&self) -> Place {
        self.frames.first().map(|frame| frame.place.clone()).unwrap_or_default()
    }
}
