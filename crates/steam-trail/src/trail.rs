//! Trails: the schedule that leads to an error, with what happened at each step.

use serde::Serialize;

use crate::place::Place;

/// A schedule and all that is needed to run the program along it again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// The program, as it was named on the command line.
    pub program: String,
    /// The SHA-256 of the executable, in lower-case hexadecimal digits.
    pub sha256: String,
    /// The guest's arguments, without its own name.
    pub arguments: Vec<Vec<u8>>,
    /// The seed of the search.
    pub seed: u64,
    /// The granularity of steps: `lgc`, `line` or `instr`.
    pub atomic: String,
    /// What else a replay must know, such as the environment; in the order given.
    pub settings: Vec<Setting>,
    /// The steps, numbered from one without gaps.
    pub steps: Vec<Step>,
    /// After how many steps the others are a cycle that repeats, if they are.
    pub cycle: Option<u32>,
    /// What the trail leads to.
    pub end: End,
}

/// Something that a replay must know. Names may occur more than once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    /// A word of lower-case letters, digits and hyphens, such as `env`.
    pub name: String,
    /// Its value, any bytes.
    pub value: Vec<u8>,
}

/// What a trail leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// The kind of the error, such as `assert`.
    pub kind: String,
    /// Where it shows.
    pub place: Place,
}

/// One step of one thread. What a trail file does not keep is empty after reading one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Its number, from one.
    pub number: u32,
    /// The thread that ran.
    pub thread: u32,
    /// Whether it is the first thread of one of several processes; not kept in files.
    pub process: bool,
    /// Which of the thread's possible continuations was taken; 0 is the usual one.
    pub choice: u32,
    /// The address of the instruction with which the step began.
    pub pc: u32,
    /// The source of that instruction; a trail file keeps file and line.
    pub place: Place,
    /// The threads that could have run; not kept in files.
    pub enabled: Vec<u32>,
    /// The values that the step changed; not kept in files.
    pub changes: Vec<Change>,
    /// What the step did to a lock, a condition or another thread; not kept in files.
    pub sync: Option<String>,
    /// What the step printed; not kept in files.
    pub output: Option<String>,
}

/// A value that a step changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The variable, in the language of the program.
    #[serde(rename = "expr")]
    pub expression: String,
    /// Its value before the step.
    pub from: String,
    /// Its value after the step.
    pub to: String,
}

impl Trail {
    /// Whether the step at an index belongs to another thread than the one before it.
    pub fn is_switch(&self, index: usize) -> bool {
        let before = index.checked_sub(1).and_then(|before| self.steps.get(before));
        let (Some(before), Some(step)) = (before, self.steps.get(index)) else { return false };
        before.thread != step.thread
    }

    /// How often another thread goes on than the one that ran before.
    pub fn switches(&self) -> usize {
        self.steps.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
    }

    /// The values of all settings of a name.
    pub fn settings_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> {
        let named = self.settings.iter().filter(move |setting| setting.name == name);
        named.map(|setting| setting.value.as_slice())
    }
}
