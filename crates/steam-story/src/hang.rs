//! A hang, as reports describe it: the loop of each thread that spins, what it waits to see, and who wrote
//! that and has ended.

use steam_linux::kernel::Pending;
use steam_linux::program::{Loop, Violation as Error};
use steam_model::Model;
use steam_trail::{Loops, Place, Point, Step, ThreadInfo, Violation, who};

use crate::retrace::Retraced;
use crate::steps::value;
use crate::{Teller, points};

impl Teller<'_> {
    pub(crate) fn hang(&mut self, retraced: &Retraced, error: &Error) -> Violation {
        let mut threads = self.threads(retraced, None);
        let mut worker = self.program.worker();
        let hang = self.program.hang_in(&mut worker, &retraced.state);
        for spinning in hang.iter().flat_map(|hang| &hang.loops) {
            let loops = self.loops(spinning);
            if let Some(info) = threads.iter_mut().find(|info| info.id == spinning.thread.0) {
                "looping".clone_into(&mut info.state);
                info.loops = Some(loops);
            }
        }
        let steps = self.steps(retraced);
        let headline = headline(&threads);
        let points = points::of_hang(&threads, &steps);
        let location = points.first().map(|point: &Point| point.place.clone()).unwrap_or_default();
        Violation {
            kind: error.kind.name().to_owned(),
            family: error.kind.family().to_owned(),
            message: headline.clone(),
            summary: format!("hang: {headline}"),
            headline,
            location,
            thread: Some(error.thread.0),
            step: u32::try_from(retraced.steps.len()).ok(),
            excerpts: self.sources.excerpts(&points),
            text: writers(&threads, &steps),
            threads,
            accesses: Vec::new(),
            trail: None,
        }
    }

    /// Where a loop leads along, and what it reads there.
    fn loops(&self, spinning: &Loop) -> Loops {
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
            if let Some(variable) = self.variable(access.address)
                && !loops.reads.iter().any(|read| read.variable == variable)
            {
                loops.reads.push(steam_trail::Observation { variable, value: value(&bytes) });
            }
        }
        loops.places.sort_by_key(Place::line_position);
        loops
    }
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
            format!("{} loop forever, and nobody is left to end that", several.join(" and "))
        }
        several => format!("{} loop forever, and all others wait", several.join(" and ")),
    }
}

/// For each variable that a loop waits to see change: who wrote it last, and who wrote it and has ended.
fn writers(threads: &[ThreadInfo], steps: &[Step]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut seen = Vec::new();
    let reads = threads.iter().filter_map(|thread| thread.loops.as_ref()).flat_map(|it| &it.reads);
    for read in reads {
        if seen.contains(&&read.variable) {
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
        let has_ended = |id: u32| threads.iter().any(|it| it.id == id && !it.is_live());
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
