//! Atoms about threads: where one stands, what it holds, whether it waits.
//!
//! | atom | holds if |
//! |---|---|
//! | `thread(2) at file.c:17` | the innermost line of thread 2 that has a source is that one |
//! | `in(f)`, `in(2, f)` | `f` is on the call stack of some thread, or of thread 2 |
//! | `holds(2, &m)` | thread 2 holds the lock at that address |
//! | `alive(2)` | there is a thread 2: it was created and has not ended |
//! | `ended()` | the program has ended |
//! | `enabled(2)`, `blocked(2)` | it is alive, and can do its next operation, or cannot |

use std::sync::atomic::{AtomicBool, Ordering};

use steam_expr::{Expression, ProgramNames, is_file};
use steam_program::{Program, Worker};
use steam_report::users_line;
use steam_state::{Space, Table, ThreadId};

use crate::error::PropsError;
use crate::functions;
use crate::known::Trace;
use crate::lines::line_starts;
use crate::value;

/// What an atom says about a thread.
#[derive(Debug)]
pub enum ThreadAtom {
    /// It stands at a line.
    At {
        /// The thread.
        thread: ThreadId,
        /// The end of the file's path.
        file: String,
        /// The line.
        line: u32,
    },
    /// A function is on its call stack.
    In {
        /// The thread; any where there is none.
        thread: Option<ThreadId>,
        /// The function.
        function: String,
    },
    /// It holds the lock whose address an expression gives.
    Holds {
        /// The thread.
        thread: ThreadId,
        /// The address.
        lock: Expression,
        /// Whether there ever was a lock.
        met: AtomicBool,
    },
    /// It was created and has not ended.
    Alive(ThreadId),
    /// It can do its next operation.
    Enabled(ThreadId),
    /// It is alive and cannot.
    Blocked(ThreadId),
    /// There is no thread any more: the program has ended.
    Ended,
}

impl ThreadAtom {
    /// Understands an atom; nothing if it is not about threads.
    pub(crate) fn parse(
        program: &Program,
        names: &mut ProgramNames<'_>,
        text: &str,
    ) -> Result<Option<ThreadAtom>, PropsError> {
        let Some((word, inside, rest)) = call(text) else { return Ok(None) };
        let wrong = |what: &str| PropsError::new(text, &format!("{text}\n^\n{what}"));
        let number = |of: &str| {
            let known = of.trim().parse::<u32>().ok().filter(|number| *number > 0);
            known.map(ThreadId).ok_or_else(|| {
                wrong("a thread is named by its number: main is 1, then in order of creation")
            })
        };
        if word == "thread" {
            let place = rest.trim().strip_prefix("at").map(str::trim);
            let place = place.and_then(|place| place.rsplit_once(':'));
            let Some((file, line)) = place else {
                return Err(wrong("of a thread it is said where it is: `thread(2) at file.c:17`"));
            };
            let line = line.trim().parse();
            let line = line.map_err(|_| wrong("a line is a number, as in `file.c:17`"))?;
            line_starts(program.image(), file, line).map_err(|why| wrong(&why))?;
            let (thread, file) = (number(inside)?, file.to_owned());
            return Ok(Some(ThreadAtom::At { thread, file, line }));
        }
        if !matches!(word, "in" | "holds" | "alive" | "enabled" | "blocked" | "ended") {
            return Ok(None);
        }
        if !rest.trim().is_empty() {
            return Err(wrong(
                "what is said about a thread is an atom of its own: join it with \
                others by `&&`, `||` and `!`",
            ));
        }
        let atom = match (word, inside.split_once(',')) {
            ("in", pair) => {
                let thread = pair.map(|(thread, _)| number(thread)).transpose()?;
                let function = pair.map_or(inside, |(_, function)| function).trim();
                functions::is_known(program.image(), function).map_err(|why| wrong(&why))?;
                ThreadAtom::In { thread, function: function.to_owned() }
            }
            ("holds", Some((thread, lock))) => {
                let thread = number(thread)?;
                let lock = lock.trim();
                let lock = names
                    .compile(&format!("(unsigned long)({lock})"), None)
                    .map_err(|error| wrong(&format!("{lock}: {error}")))?;
                ThreadAtom::Holds { thread, lock, met: AtomicBool::new(false) }
            }
            ("holds", None) => return Err(wrong("a thread and a lock are meant: `holds(2, &m)`")),
            ("ended", _) if inside.trim().is_empty() => ThreadAtom::Ended,
            ("ended", _) => return Err(wrong("it is the program that ends: `ended()`")),
            ("alive", _) => ThreadAtom::Alive(number(inside)?),
            ("enabled", _) => ThreadAtom::Enabled(number(inside)?),
            _ => ThreadAtom::Blocked(number(inside)?),
        };
        Ok(Some(atom))
    }

    /// The thread that it is about, if it is about one.
    pub(crate) fn thread(&self) -> Option<ThreadId> {
        match self {
            ThreadAtom::At { thread, .. } | ThreadAtom::Holds { thread, .. } => Some(*thread),
            ThreadAtom::Alive(thread)
            | ThreadAtom::Enabled(thread)
            | ThreadAtom::Blocked(thread) => Some(*thread),
            ThreadAtom::In { thread, .. } => *thread,
            ThreadAtom::Ended => None,
        }
    }

    /// Whether it holds in a state; the error says why that is not known.
    pub(crate) fn holds(
        &self,
        program: &Program,
        worker: &mut Worker,
        state: &Table,
    ) -> Result<bool, String> {
        let lives = |thread: ThreadId| program.view_of(state, thread).is_some();
        Ok(match self {
            ThreadAtom::Ended => program.view(state).is_empty(),
            ThreadAtom::Alive(thread) => lives(*thread),
            ThreadAtom::Enabled(thread) => program.is_enabled(worker, state, *thread),
            ThreadAtom::Blocked(thread) => {
                lives(*thread) && !program.is_enabled(worker, state, *thread)
            }
            ThreadAtom::Holds { thread, .. } if !lives(*thread) => false,
            ThreadAtom::Holds { thread, lock, met } => {
                let mut trace = Trace::default();
                let address = value(program, worker, state, lock, &mut trace)? as u32;
                let place = program.memory_of(worker, state, Space::FIRST).place(address);
                if !met.load(Ordering::Relaxed) && program.had_object(place) {
                    met.store(true, Ordering::Relaxed);
                }
                program.holds(state, *thread, place)
            }
            ThreadAtom::At { thread, file, line } => {
                let stack = program.stack_of(worker, state, *thread);
                let place = users_line(&stack).and_then(|at| stack.get(at));
                place.is_some_and(|it| {
                    it.line == Some(*line) && it.file.as_deref().is_some_and(|it| is_file(it, file))
                })
            }
            ThreadAtom::In { thread, function } => {
                let threads = match thread {
                    Some(thread) => vec![*thread],
                    None => program.view(state).into_iter().map(|view| view.thread).collect(),
                };
                threads.into_iter().any(|thread| {
                    let stack = program.stack_of(worker, state, thread);
                    let mut names = stack.iter().filter_map(|it| it.function.as_deref());
                    names.any(|name| functions::is_meant(name, function))
                })
            }
        })
    }
}

/// Whether a text may have atoms about threads in it.
pub fn mentions_threads(text: &str) -> bool {
    ["thread", "in", "holds", "alive", "enabled", "blocked", "ended"].iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
            !before.is_some_and(is_word) && text[at + word.len()..].trim_start().starts_with('(')
        })
    })
}

/// `word(inside) rest`, if a text is of that form.
fn call(text: &str) -> Option<(&str, &str, &str)> {
    let (word, behind) = text.trim().split_once('(')?;
    let mut depth = 1usize;
    let end = behind.char_indices().find(|(_, letter)| {
        depth = match letter {
            '(' => depth + 1,
            ')' => depth - 1,
            _ => depth,
        };
        depth == 0
    })?;
    Some((word.trim(), &behind[..end.0], &behind[end.0 + 1..]))
}
