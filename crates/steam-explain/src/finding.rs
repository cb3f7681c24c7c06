//! What was found at the end of a trail, as reports show it.

use steam_program::{Unknown, Violation};
use steam_report::{BlockStory, Kind, Location, Report, Site};
use steam_trail::{Place, Point, Step, ThreadInfo, ViolationInfo, deadlock_headline, wait_cycle};

use crate::retrace::Retraced;
use crate::{Explainer, places, points};

/// Functions of a call stack that are reported.
const FRAMES: usize = 16;
/// How messages of failed assertions begin.
const FAILED: &str = "assertion failed: ";

impl Explainer<'_> {
    pub(crate) fn error(&mut self, retraced: &Retraced, error: &Violation) -> ViolationInfo {
        if error.kind == Kind::Deadlock {
            return self.deadlock(retraced, error);
        }
        if error.kind == Kind::Hang {
            return self.hang(retraced, error);
        }
        if let Some(racing) = &retraced.race {
            return self.race(retraced, racing);
        }
        if error.claim.is_some() && retraced.cycle.is_none() {
            return self.broken(retraced, error);
        }
        if let Some(begins) = retraced.cycle {
            return self.cycle(retraced, error, begins);
        }
        let steps = self.steps(retraced);
        let threads = self.threads(retraced, Some((error.thread, &error.report.stack)));
        ViolationInfo { threads, ..self.told(&error.report, &steps) }
    }

    pub(crate) fn unknown(&mut self, retraced: &Retraced, unknown: &Unknown) -> ViolationInfo {
        let report = &unknown.report;
        let threads = self.threads(retraced, Some((report.thread, &report.stack)));
        ViolationInfo { threads, ..self.told(report, &self.steps(retraced)) }
    }

    /// What a report says by itself, without the threads around.
    pub(crate) fn plain(&mut self, report: &Report) -> ViolationInfo {
        self.told(report, &[])
    }

    fn told(&mut self, report: &Report, steps: &[Step]) -> ViolationInfo {
        let (headline, message, summary) = words(report);
        let location = report.location().map(places::place).unwrap_or_default();
        let line = self.text_of(&location);
        let points = points::of_error(&location, &self.who(report.thread), &line, steps);
        ViolationInfo {
            kind: report.kind.name().to_owned(),
            family: report.kind.family().to_owned(),
            headline,
            message,
            summary,
            location,
            thread: Some(report.thread.0),
            step: steps.last().map(|step| step.number),
            threads: Vec::new(),
            accesses: Vec::new(),
            excerpts: self.sources.excerpts(&points),
            text: details(report),
            trail: None,
        }
    }

    fn deadlock(&mut self, retraced: &Retraced, error: &Violation) -> ViolationInfo {
        let threads = self.threads(retraced, None);
        let headline = deadlock_headline(&threads);
        let concerned = concerned(&threads, error);
        let points = points::of_deadlock(&threads, &concerned);
        let location = points.first().map(|point| point.place.clone()).unwrap_or_default();
        ViolationInfo {
            kind: error.kind.name().to_owned(),
            family: error.kind.family().to_owned(),
            message: headline.clone(),
            summary: format!("deadlock: {headline}"),
            headline,
            location,
            thread: concerned.first().copied(),
            step: u32::try_from(retraced.steps.len()).ok(),
            excerpts: self.sources.excerpts(&points),
            threads,
            accesses: Vec::new(),
            text: Vec::new(),
            trail: None,
        }
    }

    /// A cycle that may repeat for ever.
    fn cycle(&mut self, retraced: &Retraced, error: &Violation, begins: u32) -> ViolationInfo {
        let steps = self.steps(retraced);
        let points = points::of_cycle(&steps[begins as usize..]);
        let location = points.first().map(|point| point.place.clone());
        // Where nothing more happens, the last thing that did is shown.
        let location = location.or_else(|| steps.last().map(|step| step.place.clone()));
        let location = location.unwrap_or_default();
        let message = error.report.message.clone();
        ViolationInfo {
            kind: error.kind.name().to_owned(),
            family: error.kind.family().to_owned(),
            headline: match error.claim {
                Some(_) => format!("formula {message}"),
                None => message.clone(),
            },
            summary: format!("{}: {message}", error.kind.name()),
            message,
            location,
            thread: steps.get(begins as usize).map(|step| step.thread),
            step: Some(begins + 1),
            excerpts: self.sources.excerpts(&points),
            threads: self.threads(retraced, None),
            accesses: Vec::new(),
            text: Vec::new(),
            trail: None,
        }
    }

    /// The text of a place's line.
    pub(crate) fn text_of(&mut self, place: &Place) -> String {
        let point = Point { place: place.clone(), ..Point::default() };
        let excerpts = self.sources.excerpts(&[point]);
        let line = excerpts.first().and_then(|excerpt| excerpt.lines.first());
        line.map(|line| line.text.clone()).unwrap_or_default()
    }
}

/// The threads that a deadlock is about: the cycle, or those that wait for no living thread, for
/// which the others wait.
fn concerned(threads: &[ThreadInfo], error: &Violation) -> Vec<u32> {
    let cycle = wait_cycle(threads);
    if !cycle.is_empty() {
        return cycle;
    }
    let lives = |id: &u32| threads.iter().any(|thread| thread.id == *id && thread.is_live());
    let is_root = |thread: &&ThreadInfo| {
        thread.waits.as_ref().is_some_and(|waits| !waits.threads.iter().any(lives))
    };
    let roots: Vec<u32> = threads.iter().filter(is_root).map(|thread| thread.id).collect();
    if roots.is_empty() { error.places.iter().map(|(thread, _)| thread.0).collect() } else { roots }
}

/// What stands after the verdict's word, after `error[...]`, and on the line for editors.
fn words(report: &Report) -> (String, String, String) {
    let message = report.message.clone();
    if let Some(condition) = message.strip_prefix(FAILED) {
        let is_false = format!("`{condition}` is false");
        return (message.clone(), is_false.clone(), format!("assertion {is_false}"));
    }
    let name = match report.kind {
        Kind::UseAfterFree => "heap-use-after-free",
        kind => kind.name(),
    };
    if report.is_violation() {
        let full = format!("{name}: {message}");
        return (full.clone(), message, full);
    }
    (message.clone(), message.clone(), message)
}

/// Call stack and block of an error.
fn details(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    if report.stack.iter().filter(|location| location.is_users()).count() > 1 {
        lines.push(format!("call stack of thread {}", report.thread.0));
        frames(&mut lines, &report.stack);
    }
    if let Some(block) = &report.block {
        self::block(&mut lines, block);
    }
    lines
}

pub(crate) fn block(lines: &mut Vec<String>, block: &BlockStory) {
    lines.push(format!("block of {} bytes at {:#010x}", block.size, block.address));
    let mut site = |verb: &str, site: Option<&Site>| {
        if let Some(site) = site {
            lines.push(format!("{verb} by thread {}", site.thread.0));
            frames(lines, &site.stack);
        }
    };
    site("allocated", block.allocated.as_ref());
    site("freed", block.freed.as_ref());
}

/// A call stack up to the outermost function whose line is known.
pub(crate) fn frames(lines: &mut Vec<String>, stack: &[Location]) {
    let known = stack.iter().rposition(Location::has_line).map_or(stack.len(), |last| last + 1);
    lines.extend(stack[..known].iter().take(FRAMES).map(|location| format!("    {location}")));
    if known > FRAMES {
        lines.push(format!("    ... {} more", known - FRAMES));
    }
}
