//! Where the user stands and why, in words: what is printed after each move.

use steam_image::demangle;
use steam_state::ThreadId;
use steam_trail::render::{View, happened, human_finding, step_line};
use steam_trail::{Place, who};

use crate::moves::{Changed, Stop, Went};
use crate::points::Point;
use crate::simulation::Simulation;

/// Steps of a long move that are shown: the last ones.
const SHOWN: usize = 20;
/// Bytes of the longest instruction.
const LONGEST_INSTRUCTION: usize = 15;
/// The room before what a step did.
const GAP: &str = "      ";

impl Simulation<'_> {
    /// Shows what a move did, and where the user stands now.
    pub fn tell(&mut self, went: &Went) -> String {
        let mut text = self.tell_steps(went);
        text.push_str(&self.tell_stop(&went.stop));
        if !matches!(went.stop, Stop::Finding | Stop::Exited(_)) {
            text.push_str(&self.tell_place());
        }
        text
    }

    fn tell_steps(&self, went: &Went) -> String {
        let mut text = String::new();
        let hidden = went.made.len().saturating_sub(SHOWN);
        if hidden > 0 {
            text.push_str(&format!("... {hidden} steps more, `schedule` shows all ...\n"));
        }
        for index in went.made.clone().skip(hidden) {
            text.push_str(&self.tell_step(index));
        }
        text
    }

    /// A step and what it did, as trails show it.
    pub fn tell_step(&self, index: usize) -> String {
        let Some(step) = self.told(index) else { return String::new() };
        match happened(&step) {
            what if what.is_empty() => format!("{}\n", step_line(&step)),
            what => format!("{}{GAP}{what}\n", step_line(&step)),
        }
    }

    /// What a thread is called: `thread 2`, or `process 2`.
    pub fn who(&self, thread: ThreadId) -> String {
        who(thread.0, self.program.is_process(thread))
    }

    /// Why a move ended, or could not begin.
    pub fn tell_stop(&mut self, stop: &Stop) -> String {
        match stop {
            Stop::Done => String::new(),
            Stop::Break(number) => format!("Breakpoint {number}, {}\n", self.who(self.thread)),
            Stop::Watch(changed) => changed.iter().map(tell_changed).collect(),
            Stop::Finding => self.tell_finding(),
            Stop::Exited(status) => format!("the program ended with status {status}\n"),
            Stop::Infeasible => {
                "an assumption does not hold: this path does not count; `back` goes to before\n"
                    .to_owned()
            }
            Stop::ThreadEnded(thread) => {
                format!("{} has ended: choose another with `t N`\n", self.who(*thread))
            }
            Stop::Over => {
                "the program has ended: `back` goes to before, `goto 0` to the start\n".to_owned()
            }
            Stop::Waits(thread) => {
                let waits = self.waits(*thread).unwrap_or_else(|| "waits".to_owned());
                let hint = match self.enabled().is_empty() {
                    true => "no thread can go on, `back` goes to before",
                    false => "choose another with `t N`",
                };
                format!("{} {waits}: {hint}\n", self.who(*thread))
            }
            Stop::Choices(thread) => format!(
                "{} can go on in several ways: `choices` lists them, `choose N` takes one\n",
                self.who(*thread)
            ),
            Stop::Limit => "it goes on and on; `c` again goes on\n".to_owned(),
            Stop::Interrupted => "interrupted\n".to_owned(),
            Stop::Start => "this is the start: nothing is before it\n".to_owned(),
        }
    }

    /// What is wrong here, in the words of `steam check`; empty if nothing is.
    pub fn tell_finding(&mut self) -> String {
        let Some((finding, not_modelled)) = self.finding() else { return String::new() };
        let text = human_finding(&finding, not_modelled, &View::default());
        format!("{text}next: p EXPR, bt, back, or save FILE\n")
    }

    /// What a thread waits for, and who has it; none if it can go on.
    pub fn waits(&mut self, thread: ThreadId) -> Option<String> {
        let threads = self.threads();
        let info = threads.into_iter().find(|info| info.id == thread.0)?;
        let waits = info.waits?;
        let holders = waits.threads.iter().map(|thread| self.who(ThreadId(*thread)));
        let holders: Vec<String> = holders.collect();
        let held = match holders.is_empty() || waits.what.starts_with("thread ") {
            true => String::new(),
            false => format!(", held by {}", holders.join(", ")),
        };
        Some(format!("waits for {}{held}", waits.what))
    }

    /// Thread, step and line where the user stands, what is displayed.
    pub fn tell_place(&mut self) -> String {
        if self.state().is_none() {
            return String::new();
        }
        let thread = self.thread;
        if self.has_ended() {
            return String::new();
        }
        if !self.lives(thread) && self.inside.is_none() {
            return format!("{} is no more: choose another with `t N`\n", self.who(thread));
        }
        let place = self.place_of(thread);
        let moment = self.moment();
        let when = match moment.turns {
            0 => format!("after step {}", moment.steps),
            _ => format!("in step {}", moment.steps + 1),
        };
        let name = self.thread_name(thread).map(|name| format!(" {name}")).unwrap_or_default();
        let (function, line) = (place.function_name(), place.line_position());
        let next = self.tell_next().map(|next| format!(", {next}")).unwrap_or_default();
        let who = self.who(thread);
        let mut text = format!("{who}{name}, {when}: {function} at {line}{next}\n");
        text.push_str(&self.source_line(&place));
        text.push_str(&self.tell_displays());
        text
    }

    /// What the chosen thread waits for, or does next; none where that is plain from its line.
    fn tell_next(&mut self) -> Option<String> {
        if self.inside.is_some() {
            return None;
        }
        self.waits(self.thread).or_else(|| {
            let deed = self.next_deed().filter(|deed| deed != "goes on")?;
            Some(format!("next: {deed}"))
        })
    }

    /// What a thread is called, if it is known.
    pub fn thread_name(&mut self, thread: ThreadId) -> Option<String> {
        self.look_around();
        self.known().names.get(&thread).cloned()
    }

    /// The text of a line with its number, as gdb shows it.
    pub fn source_line(&mut self, place: &Place) -> String {
        let (Some(file), Some(number)) = (&place.file, place.line) else { return String::new() };
        let text = (number as usize).checked_sub(1).and_then(|index| {
            let lines = self.sources.lines(file)?;
            lines.get(index).map(|text| text.replace('\t', "    "))
        });
        text.map(|text| format!("{number:<8}{text}\n")).unwrap_or_default()
    }

    /// The expressions that are shown at each stop.
    pub fn tell_displays(&mut self) -> String {
        let displays: Vec<(u32, String, Option<char>)> = self
            .points
            .iter()
            .filter_map(|(number, point)| match point {
                Point::Display { text, format } => Some((number, text.clone(), *format)),
                _ => None,
            })
            .collect();
        let mut text = String::new();
        for (number, expression, format) in displays {
            let value = match self.evaluate(&expression, format) {
                Ok((value, _)) => value,
                Err(_) => "<not known here>".to_owned(),
            };
            text.push_str(&format!("{number}: {expression} = {value}\n"));
        }
        text
    }

    /// The next instruction of the chosen thread: address, function, what it does.
    pub fn tell_instruction(&mut self) -> String {
        let Some(eip) = self.eip() else { return String::new() };
        let place = self.image.symbols.at(eip).map_or_else(String::new, |(symbol, offset)| {
            format!(" <{}+{offset}>", demangle(&symbol.name))
        });
        let segment = self.image.segment_at(eip);
        let bytes =
            segment.and_then(|segment| segment.data.get((eip - segment.address) as usize..));
        let op = bytes
            .and_then(|bytes| vm_isa::decode(&bytes[..bytes.len().min(LONGEST_INSTRUCTION)], eip));
        let op = op.map(|decoded| format!("  {}", decoded.op)).unwrap_or_default();
        format!("=> {eip:#010x}{place}:{op}\n")
    }
}

fn tell_changed(changed: &Changed) -> String {
    let Changed { number, text, from, to } = changed;
    format!("Watchpoint {number}: {text}\nOld value = {from}\nNew value = {to}\n")
}
