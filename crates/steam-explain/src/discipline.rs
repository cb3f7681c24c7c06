//! Violations of the locking discipline as reports show them: what no lock protects, and the accesses
//! that show it.

use std::collections::BTreeSet;

use steam_program::{Breach, Seen};
use steam_report::remembered_stack;
use steam_state::Space;
use steam_trail::quantity::counted;
use steam_trail::{AccessInfo, Point, ViolationInfo};
use steam_visibility::Hold;

use crate::Explainer;
use crate::places::users_place;

/// The name of the kind of these reports.
const KIND: &str = "discipline";

impl Explainer<'_> {
    /// A variable that no lock protects. There is no trail: it takes several accesses, which need not
    /// be on one path.
    pub fn breach(&mut self, breach: &Breach) -> ViolationInfo {
        let place = breach.place;
        let what = match &breach.name {
            Some(name) => format!("`{name}`"),
            None if place.space() == Space::SHARED => {
                format!("shared memory at {:#010x}", place.address())
            }
            None => format!("memory at {:#010x}", place.address()),
        };
        let headline = format!("no lock protects {what}");
        let mut points: Vec<Point> = Vec::new();
        for (index, seen) in breach.accesses.iter().enumerate() {
            let point = self.seen(breach, seen, index + 1 == breach.accesses.len());
            match points.iter_mut().find(|known| known.place == point.place) {
                Some(known) => {
                    known.label = format!("{}; {}", known.label, point.label);
                    known.primary |= point.primary;
                }
                None => points.push(point),
            }
        }
        let accesses: Vec<AccessInfo> = breach
            .accesses
            .iter()
            .map(|seen| AccessInfo {
                thread: seen.thread.0,
                variable: what.trim_matches('`').to_owned(),
                write: seen.write,
                atomic: None,
                place: self.place_of(seen),
                holds: self.locks(breach, &seen.holds),
            })
            .collect();
        let locks: BTreeSet<&String> = accesses.iter().flat_map(|access| &access.holds).collect();
        let hint = match locks.len() {
            0 => "no access shown here holds a lock".to_owned(),
            _ => {
                let locks: Vec<String> =
                    locks.into_iter().map(|lock| format!("`{lock}`")).collect();
                format!(
                    "some accesses hold {}, but no lock is held at all of them",
                    locks.join(", ")
                )
            }
        };
        let last = accesses.last();
        let (location, thread) =
            (last.map(|it| it.place.clone()).unwrap_or_default(), last.map(|it| it.thread));
        ViolationInfo {
            kind: KIND.to_owned(),
            family: KIND.to_owned(),
            message: headline.clone(),
            summary: format!("{headline} at every access"),
            headline,
            location,
            thread,
            step: None,
            threads: Vec::new(),
            accesses,
            excerpts: self.sources.excerpts(&points),
            text: vec![
                format!("note: {hint}"),
                format!(
                    "of {} that differ in thread, line or locks",
                    counted(breach.count as u64, "access", "accesses")
                ),
            ],
            trail: None,
        }
    }

    fn place_of(&self, seen: &Seen) -> steam_trail::Place {
        users_place(&remembered_stack(self.program.image(), seen.instruction, &[]))
    }

    fn locks(&self, breach: &Breach, holds: &[Hold]) -> Vec<String> {
        let member = |hold: &Hold| breach.members.get(&hold.lock).map(String::as_str);
        holds.iter().map(|hold| self.names.member(hold.lock, member(hold))).collect()
    }

    /// One of the accesses in the source.
    fn seen(&self, breach: &Breach, seen: &Seen, primary: bool) -> Point {
        let holding = match self.locks(breach, &seen.holds) {
            none if none.is_empty() => "no lock".to_owned(),
            locks => locks.join(", "),
        };
        let shared = seen.write && seen.holds.iter().any(|hold| !hold.exclusive);
        let mode = if shared { " for reading" } else { "" };
        let verb = if seen.write { "writes" } else { "reads" };
        let label = format!("{} {verb}, holding {holding}{mode}", self.who(seen.thread));
        Point { place: self.place_of(seen), label, primary }
    }
}
