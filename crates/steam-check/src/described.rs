//! How a program is checked, as reports show it.

use steam_session::Bound;
use steam_trail::{Configuration, Limits};

use crate::choice::{AlgorithmName, Atomic, Choice};
use crate::class::ErrorClass;
use crate::config::Config;

impl Config {
    /// How the program is checked, as reports show it.
    pub fn described(&self) -> Configuration {
        let (search, judgement) = (&self.search, &self.scenario.judgement);
        let leaves_out =
            search.algorithm == AlgorithmName::Stateless || search.uses_stubborn_sets();
        Configuration {
            algo: search.algorithm.name().to_owned(),
            heur: search.heuristic.map(|named| named.name.to_owned()),
            atomic: judgement.atomic.name().to_owned(),
            por: leaves_out.then(|| search.reduction.name().to_owned()),
            store: self.store.name().to_owned(),
            seed: search.seed,
            jobs: search.jobs as u32,
            find: names(&judgement.find),
            scope: self.scope(),
            fair: self.claims().is_about_runs().then(|| self.claims().fair.name().to_owned()),
            limits: self.limits(),
        }
    }

    fn limits(&self) -> Limits {
        let (search, bounds) = (&self.search, &self.bounds);
        Limits {
            memory: Some(bounds.memory),
            time_ms: bounds.time.map(|time| time.as_millis() as u64),
            states: bounds.states,
            depth: bounds.depth,
            width: (search.algorithm == AlgorithmName::Beam).then_some(search.width),
            preemptions: match search.bound {
                Some(Bound::Preemptions(most)) => Some(most),
                _ => None,
            },
            delays: match search.bound {
                Some(Bound::Delays(most)) => Some(most),
                _ => None,
            },
        }
    }

    /// The options because of which an answer is about less than usual.
    fn scope(&self) -> Option<String> {
        let judgement = &self.scenario.judgement;
        let looked_for = ErrorClass::usual().all(|class| self.looks_for(class));
        let find = (!looked_for).then(|| format!("--find {}", names(&judgement.find).join(",")));
        let line = (judgement.atomic == Atomic::Line).then(|| "--atomic line".to_owned());
        let still = judgement.still.then(|| "--still-clock".to_owned());
        let written = self.uninitialised || !self.looks_for(ErrorClass::Memory);
        let written = (!written).then(|| "--no-uninitialised".to_owned());
        let options = find.into_iter().chain(line).chain(still).chain(written);
        let options: Vec<String> = options.collect();
        (!options.is_empty()).then(|| options.join(" "))
    }
}

/// The names of classes, as reports list them.
pub(crate) fn names(classes: &[ErrorClass]) -> Vec<String> {
    classes.iter().map(|class| class.name().to_owned()).collect()
}
