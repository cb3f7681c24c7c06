//! A hang, as reports describe it: the loop of each thread that spins, what it waits to see, and who wrote
//! that and has ended.

use std::collections::BTreeMap;

use steam_linux::kernel::Pending;
use steam_model::Model;
use steam_program::{Granularity, Loop, Program, Violation, Worker};
use steam_state::{Access, Space, Table, ThreadId};
use steam_trail::{Loops, Place, Point, Step, ThreadInfo, ViolationInfo, who};

use crate::names::Names;
use crate::owned::{Bytes, owned};
use crate::places::users_place;
use crate::retrace::Retraced;
use crate::steps::value;
use crate::{Explainer, points};

impl Explainer<'_> {
    pub(crate) fn hang(&mut self, retraced: &Retraced, error: &Violation) -> ViolationInfo {
        let mut threads = self.threads(retraced, None);
        let mut worker = self.program.worker();
        let hang = self.program.hang_in(&mut worker, &retraced.state);
        for spinning in hang.iter().flat_map(|hang| &hang.loops) {
            let loops = self.loops(spinning, &retraced.awaited);
            if let Some(info) = threads.iter_mut().find(|info| info.id == spinning.thread.0) {
                "looping".clone_into(&mut info.state);
                info.loops = Some(loops);
            }
        }
        let steps = self.steps(retraced);
        let headline = headline(&threads);
        let points = points::of_hang(&threads, &steps);
        let location = points.first().map(|point: &Point| point.place.clone()).unwrap_or_default();
        ViolationInfo {
            kind: error.kind.name().to_owned(),
            family: error.kind.family().to_owned(),
            message: headline.clone(),
            summary: format!("hang: {headline}"),
            headline,
            location,
            thread: Some(error.thread.0),
            step: u32::try_from(retraced.steps.len()).ok(),
            excerpts: self.sources.excerpts(&points),
            text: writers(&threads, &steps, &retraced.awaited),
            threads,
            accesses: Vec::new(),
            trail: None,
        }
    }

    /// Where a loop leads along, and what it reads there.
    fn loops(&self, spinning: &Loop, awaited: &Awaited) -> Loops {
        let mut looker = self.program.worker();
        let mut loops = Loops::default();
        for state in &spinning.states {
            let stack = self.program.stack_of(&mut looker, state, spinning.thread);
            let place = self.place(&stack);
            if !loops
                .places
                .iter()
                .any(|known: &Place| known.line_position() == place.line_position())
            {
                loops.places.push(place);
            }
            let Some(Pending::Access { access, .. }) = self.program.pending(state, spinning.thread)
            else {
                continue;
            };
            let Some(view) = self.program.view_of(state, spinning.thread) else { continue };
            let mut bytes = vec![0; access.size as usize];
            let mut memory = self.program.memory_of(&mut looker, state, view.space);
            if !memory.read(access.address, &mut bytes) {
                continue;
            }
            let named = awaited.get(&(spinning.thread, access.address)).cloned();
            if let Some(variable) = self.variable(access.address).or(named)
                && !loops.reads.iter().any(|read| read.variable == variable)
            {
                loops.reads.push(steam_trail::Observation { variable, value: value(&bytes) });
            }
        }
        loops.places.sort_by_key(Place::line_position);
        loops
    }
}

/// What words are called that are no variables, by the thread that reads them and their address.
type Awaited = BTreeMap<(ThreadId, u32), String>;

/// The names of the words that threads in a hang read, as far as they are not variables: those of another thread by
/// its name for them, others by the member that an instruction reads, and by the memory in which they lie. The first
/// worker made the steps, and makes no more of them; the second one only looks.
pub(crate) fn awaited(
    program: &Program,
    (worker, looker): (&mut Worker, &mut Worker),
    state: &Table,
) -> Awaited {
    let names = Names { image: program.image(), source: program.atomics() };
    let hang = program.hang_in(looker, state);
    let mut awaited = Awaited::new();
    for spinning in hang.iter().flat_map(|hang| &hang.loops) {
        for along in &spinning.states {
            let Some(Pending::Access { access, .. }) = program.pending(along, spinning.thread)
            else {
                continue;
            };
            if names.variable(access.address).is_some() {
                continue;
            }
            let view = program.view_of(along, spinning.thread);
            let member = view.and_then(|view| program.atomics().member(view.eip));
            let name = name_of(program, (worker, looker), state, spinning.thread, *access, member);
            awaited.extend(name.map(|name| ((spinning.thread, access.address), name)));
        }
    }
    awaited
}

fn name_of(
    program: &Program,
    (worker, looker): (&mut Worker, &mut Worker),
    state: &Table,
    thread: ThreadId,
    access: Access,
    member: Option<String>,
) -> Option<String> {
    let (address, size) = (access.address, access.size);
    if access.place.space() == Space::SHARED {
        let lies = format!("shared memory at {address:#010x}");
        return Some(member.map_or(lies.clone(), |member| format!("{member} ({lies})")));
    }
    if let Some(owned) = owned(program, looker, state, Bytes { thread, address, size }) {
        // Where each access is a step, a loop reads its own variables, too.
        let each = program.options().granularity == Granularity::Access;
        return (!each || owned.owner != thread).then_some(owned.name);
    }
    let block = program.block_at(worker, state, thread, address)?;
    let site = block.allocated.map(|site| users_place(&site.stack));
    let site = site.filter(|site| site.line.is_some()).map(|site| site.line_position());
    let site = site.map_or(String::new(), |site| format!(" of {site}"));
    let lies = format!("the heap block{site}");
    Some(member.map_or(lies.clone(), |member| format!("{member} in {lies}")))
}

/// Who loops forever.
fn headline(threads: &[ThreadInfo]) -> String {
    let live = threads.iter().filter(|thread| thread.is_live()).count();
    let looping: Vec<String> =
        threads.iter().filter(|thread| thread.loops.is_some()).map(ThreadInfo::who).collect();
    match looping.as_slice() {
        [one] if live == 1 => format!("{one} loops forever, and no other is left to end its loop"),
        [one] => format!("{one} loops forever, and all others wait"),
        several if several.len() == live => {
            format!("{} loop forever, and no thread is left to end that", several.join(" and "))
        }
        several => format!("{} loop forever, and all others wait", several.join(" and ")),
    }
}

/// For each variable that a loop waits to see change: who wrote it last, and who wrote it and has ended. Steps
/// name no other words.
fn writers(threads: &[ThreadInfo], steps: &[Step], awaited: &Awaited) -> Vec<String> {
    let mut lines = Vec::new();
    let mut seen = Vec::new();
    let reads = threads.iter().filter_map(|thread| thread.loops.as_ref()).flat_map(|it| &it.reads);
    for read in reads {
        let is_variable = !awaited.values().any(|name| *name == read.variable);
        if !is_variable || seen.contains(&&read.variable) {
            continue;
        }
        seen.push(&read.variable);
        let is_write =
            |step: &&Step| step.changes.iter().any(|change| change.expression == read.variable);
        let writes: Vec<&Step> = steps.iter().filter(is_write).collect();
        let Some(last) = writes.last() else {
            lines.push(format!("{} was never changed on this trail", read.variable));
            continue;
        };
        lines.push(format!(
            "{} got its value {} from {} at {} (step {})",
            read.variable,
            read.value,
            who(last.thread, last.process),
            last.place.line_position(),
            last.number
        ));
        let has_ended = |id: u32| threads.iter().any(|thread| thread.id == id && !thread.is_live());
        let others = writes.iter().rev().filter(|write| write.thread != last.thread);
        let ended = others.clone().find(|write| has_ended(write.thread));
        if let Some(ended) = ended {
            lines.push(format!(
                "{}, which wrote it at {} (step {}), has ended",
                who(ended.thread, ended.process),
                ended.place.line_position(),
                ended.number
            ));
        }
    }
    lines
}
