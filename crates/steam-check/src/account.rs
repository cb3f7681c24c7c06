//! From the outcomes of searches to the report: findings told, sorted and merged, the verdict, notes.

use std::collections::BTreeSet;

use steam_explain::{Deadline, Explainer};
use steam_program::{Program, Violation};
use steam_props::Failure;
use steam_report::Kind;
use steam_trail::{AccessInfo, Decision, Report, Verdict, ViolationInfo, relate};

use crate::about::{about, version};
use crate::choice::Mld;
use crate::claimed::Claimed;
use crate::conclusion::{Judged, PATHS_END};
use crate::config::Config;
use crate::error::Error;
use crate::executable::Executable;
use crate::notes::{lock_orders, notes};
use crate::phases::Phase;
use crate::recorded::broken_claims;
use crate::retelling::{Certainty, Retelling};
use crate::setup::Setup;
use crate::suppressed::Suppressed;

/// What a report is made of, beside the outcome of the searches.
pub(crate) struct Account<'a> {
    pub config: &'a Config,
    pub executable: &'a Executable,
    pub setup: &'a Setup,
    /// The program that was searched.
    pub program: &'a Program,
    pub claimed: Option<&'a Claimed>,
    pub suppressed: &'a Suppressed,
    /// Who says that there is no time to go along trails.
    pub deadline: Deadline,
}

impl Account<'_> {
    /// The report of searches.
    pub fn report(&self, phases: &[Phase]) -> Result<Report, Error> {
        let Self { config, executable, program, claimed, .. } = *self;
        let Sorted { mut violations, unconfirmed, mut unknowns } = self.findings(phases)?;
        self.add_open_questions(phases, &violations, &mut unknowns);
        let judged = Judged { config, claimed, phases };
        merge_races(&mut violations);
        relate(&mut violations);
        violations.extend(self.breaches());
        let verdict = match (violations.is_empty(), unconfirmed.is_empty()) {
            (true, false) => Verdict::Unconfirmed,
            (sound, _) => self.unless_suppressed(judged.verdict(!sound, !unknowns.is_empty())),
        };
        Ok(Report {
            version: version(),
            program: about(executable, &config.scenario.guest, &config.command, Some(program)),
            configuration: config.described(),
            verdict,
            claims: doubted(judged.decisions(&violations), &unconfirmed),
            violations,
            unconfirmed,
            unknowns,
            statistics: judged.statistics(),
            notes: self.notes(phases),
            exits: program.exits(),
            own_errors: Vec::new(),
        })
    }

    /// What the searches found, explained and sorted by how sure it is.
    fn findings(&self, phases: &[Phase]) -> Result<Sorted, Error> {
        let subject = (self.config, self.executable.sha256.as_str());
        let retelling = Retelling::new(subject, (self.setup, self.program), self.deadline.clone());
        let mut told = Sorted::default();
        for phase in phases {
            let outcome = &phase.checked.outcome;
            // Among the iterations of the program, which count pilot runs.
            let position =
                |iteration: u32| phase.before + iteration as usize + usize::from(phase.piloted);
            for (finding, &iteration) in
                outcome.violations.iter().zip(&phase.checked.violation_iterations)
            {
                let one = retelling.violation(finding, position(iteration))?;
                let suppressed = matches!(one.1, Certainty::Sure)
                    && self.suppressed.has_reported(&finding.what, &one.0);
                if !suppressed {
                    told.add(one);
                }
            }
            for (finding, &iteration) in
                outcome.unknowns.iter().zip(&phase.checked.unknown_iterations)
            {
                // Also where its trail is lost: what is not modelled leaves the answer open.
                told.unknowns.push(retelling.unknown(finding, position(iteration))?.0);
            }
        }
        Ok(told)
    }

    /// Adds what leaves the answer open although no schedule leads there.
    fn add_open_questions(
        &self,
        phases: &[Phase],
        violations: &[ViolationInfo],
        unknowns: &mut Vec<ViolationInfo>,
    ) {
        let running = phases.iter().filter_map(|phase| phase.running.as_ref());
        let running = running.map(|it| Explainer::new(self.program).without_trail(&it.report));
        let passed = phases.iter().filter_map(|phase| phase.passed.as_ref());
        let passed = passed.filter(|_| violations.is_empty()).map(|it| self.cut_off(it));
        let without_value = self.claimed.into_iter().flat_map(without_value);
        for unknown in running.chain(passed).chain(without_value) {
            if unknowns.iter().all(|known| known.headline != unknown.headline) {
                unknowns.push(unknown);
            }
        }
    }

    /// A verdict, where errors that the user suppresses may come after it.
    fn unless_suppressed(&self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Complete if self.suppressed.errors() > 0 => Verdict::Suppressed {
                errors: self.suppressed.errors(),
                cuts: self.suppressed.cuts(),
            },
            verdict => verdict,
        }
    }

    fn notes(&self, phases: &[Phase]) -> Vec<String> {
        let mut notes = notes(&self.executable.image, self.program, self.claimed, phases);
        notes.extend(self.program.note_of_intended(&self.suppressed.names_of_races()));
        let options = self.program.options();
        notes.extend(self.suppressed.notes(&[&options.intended[..], &options.atomic].concat()));
        notes.extend(lock_orders(self.program, phases));
        notes
    }

    /// An error that is not looked for, at which paths end although the real program may go on there.
    fn cut_off(&self, error: &Violation) -> ViolationInfo {
        let told = Explainer::new(self.program).without_trail(&error.report);
        let headline = format!("{PATHS_END}: {}", told.message);
        ViolationInfo { message: headline.clone(), summary: headline.clone(), headline, ..told }
    }

    /// What violates the locking discipline, if that is asked.
    fn breaches(&self) -> Vec<ViolationInfo> {
        if !matches!(self.config.mld, Mld::Check | Mld::Plain) {
            return Vec::new();
        }
        let mut explainer = Explainer::new(self.program);
        self.program.breaches().iter().map(|breach| explainer.breach(breach)).collect()
    }
}

/// Findings by how sure they are.
#[derive(Default)]
struct Sorted {
    violations: Vec<ViolationInfo>,
    unconfirmed: Vec<ViolationInfo>,
    unknowns: Vec<ViolationInfo>,
}

impl Sorted {
    fn add(&mut self, (told, certainty): (ViolationInfo, Certainty)) {
        match certainty {
            Certainty::Sure => self.violations.push(told),
            Certainty::WithoutValue => self.unknowns.push(told),
            Certainty::Lost => self.unconfirmed.push(told),
        }
    }
}

/// The answers to claims, of which none holds that a finding breaks, be it unconfirmed.
fn doubted(mut claims: Vec<Decision>, unconfirmed: &[ViolationInfo]) -> Vec<Decision> {
    let trails = unconfirmed.iter().filter_map(|it| it.trail.as_ref());
    for number in trails.flat_map(|it| broken_claims(&it.trail)) {
        let claim = claims.get_mut(number);
        if let Some(claim) = claim.filter(|claim| claim.verdict == "holds") {
            claim.verdict = "unknown".to_owned();
            claim.reason = Some("a violation was met, and not confirmed".to_owned());
        }
    }
    claims
}

/// Leaves out races that read like others: of instructions of a library, which are reported by the lines
/// that called it.
fn merge_races(violations: &mut Vec<ViolationInfo>) {
    let mut seen = BTreeSet::new();
    violations.retain(|violation| {
        let [one, other] = &violation.accesses[..] else { return true };
        let line = |access: &AccessInfo| {
            let place = &access.place;
            (place.file.clone(), place.line)
        };
        let mut lines = [line(one), line(other)];
        lines.sort();
        violation.kind != Kind::Race.name() || seen.insert((one.variable.clone(), lines))
    });
}

/// Atoms that had no value in some state.
fn without_value(claimed: &Claimed) -> Vec<ViolationInfo> {
    let told = |failure: &Failure| ViolationInfo {
        kind: "atom".to_owned(),
        family: "atom".to_owned(),
        headline: failure.to_string(),
        message: failure.to_string(),
        summary: failure.to_string(),
        ..ViolationInfo::default()
    };
    claimed.propositions.failures().iter().map(told).collect()
}
