//! The steps of a trail in words: where, what was changed, what was done to locks, what was printed.

use std::collections::BTreeMap;

use steam_linux::kernel::{Reason, Waiting};
use steam_linux::signals::name as signal_name;
use steam_program::{Choice, Event};
use steam_report::{Location, remembered_stack};
use steam_sync::{Address, Operation, SyncChoice};
use steam_trail::{Change, Step};

use crate::Explainer;
use crate::objects::briefly;
use crate::retrace::Traced;

/// Operations of one step that are reported.
const SHOWN: usize = 4;

impl Explainer<'_> {
    /// A step that was made, with its number.
    pub fn step(&self, number: u32, traced: &Traced) -> Step {
        self.step_among(number, traced, &BTreeMap::new())
    }

    /// The same where objects have names that are not those of variables.
    pub(crate) fn step_among(
        &self,
        number: u32,
        traced: &Traced,
        objects: &BTreeMap<Address, String>,
    ) -> Step {
        Step {
            number,
            thread: traced.action.thread.0,
            process: self.program.is_process(traced.action.thread),
            choice: traced.action.choice,
            pc: traced.eip,
            place: self.place(&traced.stack),
            enabled: traced.enabled.clone(),
            changes: traced.events.iter().filter_map(|event| self.change(event)).collect(),
            sync: self.synchronisation(traced, objects),
            output: output(&traced.events),
        }
    }

    /// A variable that got another value.
    pub(crate) fn change(&self, event: &Event) -> Option<Change> {
        let Event::Wrote { address, old, new } = event else { return None };
        if old == new {
            return None;
        }
        let expression = self.variable(*address)?;
        Some(Change { expression, from: value(old), to: value(new) })
    }

    /// A variable, where all processes have the same ones.
    pub(crate) fn variable(&self, address: u32) -> Option<String> {
        self.names.variable(address).filter(|_| self.program.is_only_image())
    }

    fn synchronisation(
        &self,
        traced: &Traced,
        objects: &BTreeMap<Address, String>,
    ) -> Option<String> {
        let call = traced.waited.as_ref().filter(|_| traced.action.choice == 0);
        let call = call.filter(|waiting| is_named(waiting));
        let call = call.and_then(|waiting| self.call_in_words(waiting));
        let told = call.is_some();
        let events = traced.events.iter();
        let events = events.filter(|event| !told || !matches!(event, Event::Called(_)));
        let deeds = events.filter_map(|event| self.deed(event, objects));
        let mut parts: Vec<String> = call.into_iter().chain(deeds).collect();
        let more = parts.len().saturating_sub(SHOWN);
        parts.truncate(SHOWN);
        if more > 0 {
            parts.push(format!("{more} more"));
        }
        match traced.action.chosen() {
            Choice::Operation(SyncChoice::TimeOver) => parts.push("time over".to_owned()),
            Choice::Operation(SyncChoice::Spurious) => parts.push("spurious wake-up".to_owned()),
            Choice::Leap => parts.insert(0, "ten minutes later".to_owned()),
            Choice::Interruption => parts.push("ends its wait".to_owned()),
            Choice::Alarm => parts.push("its timer sends SIGALRM".to_owned()),
            Choice::Cancellation => parts.push("is cancelled".to_owned()),
            Choice::Timer(_) | Choice::TimerFile(_) => parts.push("a timer expires".to_owned()),
            // What was done says it.
            Choice::Operation(SyncChoice::Usual(_)) | Choice::Delivery => {}
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// What an event did to a lock, a condition or a thread.
    fn deed(&self, event: &Event, objects: &BTreeMap<Address, String>) -> Option<String> {
        match event {
            Event::Synchronised { operation, eip, callers, .. } => {
                let users = self.is_called_by_user(*eip, callers);
                users.then(|| self.operation_on(operation, objects))
            }
            Event::Called(call) => Some(call.clone()),
            Event::Signalled(signal) => Some(format!("takes {}", signal_name(*signal))),
            Event::Created { thread, .. } => Some(format!("creates {}", self.who(*thread))),
            Event::Ended(thread) => Some(format!("{} ends", self.who(*thread))),
            Event::Exited(status) => Some(format!("exits with status {status}")),
            Event::Read { address, bytes } => {
                let variable = self.variable(*address)?;
                Some(format!("reads {variable} = {}", value(bytes)))
            }
            Event::Wrote { address, old, new } if old == new => {
                let variable = self.variable(*address)?;
                Some(format!("writes {variable} = {}", value(new)))
            }
            Event::Begins { .. } | Event::Wrote { .. } | Event::Output(..) => None,
        }
    }

    /// Whether a function was called, or a request made, in a line that is known: what a library
    /// does with its own locks is of no interest.
    fn is_called_by_user(&self, eip: u32, callers: &[u32]) -> bool {
        let nearest = &callers[..callers.len().min(1)];
        let stack = remembered_stack(self.program.image(), eip, nearest);
        stack.iter().any(Location::has_line)
    }

    /// An operation as a call in C.
    pub fn operation(&self, operation: &Operation) -> String {
        self.operation_on(operation, &BTreeMap::new())
    }

    fn operation_on(&self, operation: &Operation, objects: &BTreeMap<Address, String>) -> String {
        let name = |address| match objects.get(&address) {
            Some(name) => briefly(name),
            None => self.names.object(address),
        };
        let names: Vec<String> = operation.objects().into_iter().flatten().map(name).collect();
        format!("{}({})", operation.name(), names.join(", "))
    }
}

/// Whether what a call waits for has a name of its own, which says more than its arguments.
fn is_named(waiting: &Waiting) -> bool {
    matches!(
        waiting.reason,
        Reason::Semaphores { .. }
            | Reason::Message { .. }
            | Reason::Room { .. }
            | Reason::Child(_)
            | Reason::ChildChange { .. }
            | Reason::Borrowed(_)
    )
}

/// Bytes of memory as a number: signed and decimal, as most variables are.
pub(crate) fn value(bytes: &[u8]) -> String {
    match *bytes {
        [a] => i8::from_le_bytes([a]).to_string(),
        [a, b] => i16::from_le_bytes([a, b]).to_string(),
        [a, b, c, d] => i32::from_le_bytes([a, b, c, d]).to_string(),
        [a, b, c, d, e, f, g, h] => i64::from_le_bytes([a, b, c, d, e, f, g, h]).to_string(),
        _ => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

/// All that a step printed.
fn output(events: &[Event]) -> Option<String> {
    let bytes: Vec<u8> = events
        .iter()
        .filter_map(|event| match event {
            Event::Output(_, bytes) => Some(bytes.as_slice()),
            _ => None,
        })
        .collect::<Vec<&[u8]>>()
        .concat();
    (!bytes.is_empty()).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_decimal_and_signed() {
        assert_eq!(value(&[255]), "-1");
        assert_eq!(value(&[3, 1]), "259");
        assert_eq!(value(&[8, 0, 0, 0]), "8");
        assert_eq!(value(&[0, 0, 0, 0, 1, 0, 0, 0]), "4294967296");
        assert_eq!(value(&[1, 2, 3]), "010203");
    }

    #[test]
    fn output_is_joined() {
        use steam_linux::kernel::Stream;
        let part = |text: &str| Event::Output(Stream::Output, text.as_bytes().to_vec());
        assert_eq!(output(&[part("a"), Event::Exited(0), part("b\n")]), Some("ab\n".to_owned()));
        assert_eq!(output(&[Event::Exited(0)]), None);
    }
}
