//! From formulas to automata: a tableau with acceptance on transitions (Couvreur, FM 1999; Gerth,
//! Peled, Vardi and Wolper, PSTV 1995).
//!
//! A state is a set of formulas that the rest of the run must fulfil. Each formula is a choice of
//! branches that fulfil it: literals for the state that is read, formulas for the run after it, and
//! promises. `a U b` can be fulfilled by `b`, or by `a` with `a U b` once more, which promises `b`.
//! A branch that promises the same for ever and never keeps it is not accepted: for each `U` there is
//! an acceptance set, the transitions that do not promise it.

use std::fmt;
use std::rc::Rc;

use ahash::{HashMap, RandomState};

use super::{Automaton, Cube, Marks, StateId, Transition};
use crate::atoms::Atoms;
use crate::formula::{Formula, Formulas, Node};

/// The most branches that fulfil one set of formulas, the most states, and the most transitions. Real
/// formulas stay far below; beyond, memory and time would explode.
const MOST_BRANCHES: usize = 2_048;
const MOST_STATES: usize = 5_000;
const MOST_TRANSITIONS: usize = 100_000;
/// The most comparisons of branches: about two seconds.
const MOST_WORK: usize = 200_000_000;

/// Why a formula has no automaton: it would be too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "the automaton of this formula is too large; \
             check the parts of a conjunction as formulas of their own",
        )
    }
}

impl std::error::Error for TooLarge {}

/// A branch of the tableau: one of the conjunctions that fulfil a set of formulas.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Branch {
    label: Cube,
    next: Vec<Formula>,
    promises: u64,
}

impl Branch {
    const NOTHING: Branch = Branch { label: Cube::TRUE, next: Vec::new(), promises: 0 };

    /// Whether this branch can be taken wherever the other can, and asks for no more.
    fn replaces(&self, other: &Branch) -> bool {
        self.label.covers(other.label)
            && self.promises & !other.promises == 0
            && self.next.iter().all(|one| other.next.binary_search(one).is_ok())
    }

    fn and(&self, other: &Branch) -> Option<Branch> {
        let label = self.label.and(other.label)?;
        let mut next = [&self.next[..], &other.next[..]].concat();
        next.sort_unstable();
        next.dedup();
        Some(Branch { label, next, promises: self.promises | other.promises })
    }
}

/// Returns the automaton that accepts the runs that fulfil a formula, made small.
pub fn translate(
    formulas: &mut Formulas,
    formula: Formula,
    atoms: &Atoms,
) -> Result<Automaton, TooLarge> {
    let simple = formulas.simplify(formula);
    Ok(translate_plainly(formulas, simple, atoms)?.reduce())
}

/// Returns the automaton as the tableau gives it: the twin that [`translate`] is compared with.
pub fn translate_plainly(
    formulas: &mut Formulas,
    formula: Formula,
    atoms: &Atoms,
) -> Result<Automaton, TooLarge> {
    let mut tableau =
        Tableau { formulas, branches: table(), untils: Vec::new(), work: Work(MOST_WORK) };
    let mut sets_of_formulas = vec![tableau.obligations(formula)];
    let mut numbers = table();
    numbers.insert(sets_of_formulas[0].clone(), StateId(0));
    let mut found: Vec<Vec<(Branch, StateId)>> = Vec::new();
    let mut transitions = 0;
    while let Some(obligations) = sets_of_formulas.get(found.len()) {
        let mut branches = tableau.branches_of_all(&obligations.clone())?;
        branches.iter_mut().for_each(|branch| tableau.drop_repeated(&mut branch.next));
        tableau.work.prune(&mut branches)?;
        transitions += branches.len();
        let mut out = Vec::new();
        for branch in branches {
            let new = StateId(sets_of_formulas.len() as u32);
            let target = *numbers.entry(branch.next.clone()).or_insert(new);
            if target == new {
                sets_of_formulas.push(branch.next.clone());
            }
            out.push((branch, target));
        }
        if sets_of_formulas.len() > MOST_STATES || transitions > MOST_TRANSITIONS {
            return Err(TooLarge);
        }
        found.push(out);
    }
    let sets = tableau.untils.len() as u32;
    let all = Marks::all(sets);
    let transition = |(branch, target): (Branch, StateId)| Transition {
        target,
        marks: Marks(all.0 & !branch.promises),
        label: branch.label,
    };
    let states = found.into_iter().map(|out| out.into_iter().map(transition).collect()).collect();
    let name = |obligations: &Vec<Formula>| {
        let all = formulas.and(obligations.iter().copied());
        formulas.syntax(all).display(atoms).to_string()
    };
    let names = sets_of_formulas.iter().map(name).collect();
    Ok(Automaton { initial: StateId(0), sets, states, names })
}

fn table<K, V>() -> HashMap<K, V> {
    HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 4))
}

struct Tableau<'a> {
    formulas: &'a mut Formulas,
    branches: HashMap<Formula, Rc<[Branch]>>,
    /// All `U` that were promised so far; each has an acceptance set.
    untils: Vec<Formula>,
    work: Work,
}

impl Tableau<'_> {
    /// A formula as a set of formulas that must all be fulfilled.
    fn obligations(&self, formula: Formula) -> Vec<Formula> {
        match self.formulas.node(formula) {
            Node::True => Vec::new(),
            Node::And(all) => all.to_vec(),
            _ => vec![formula],
        }
    }

    /// Drops from a set what another formula of the set asks for at once anyway, as `G F a` does
    /// for `F a`: with and without it the set has the same branches.
    fn drop_repeated(&self, all: &mut Vec<Formula>) {
        let mut asked = Vec::new();
        for one in all.iter() {
            if let Node::Release(_, right) = self.formulas.node(*one) {
                self.ask(*right, &mut asked);
            }
        }
        all.retain(|one| !asked.contains(one));
    }

    /// All that a formula asks for at once.
    fn ask(&self, formula: Formula, asked: &mut Vec<Formula>) {
        asked.push(formula);
        match self.formulas.node(formula) {
            Node::And(all) => all.iter().for_each(|one| self.ask(*one, asked)),
            Node::Release(_, right) => self.ask(*right, asked),
            _ => {}
        }
    }

    fn branches_of_all(&mut self, all: &[Formula]) -> Result<Vec<Branch>, TooLarge> {
        let mut branches = vec![Branch::NOTHING];
        for one in all {
            let more = self.branches(*one)?;
            branches = self.work.product(&branches, &more)?;
        }
        Ok(branches)
    }

    fn branches(&mut self, formula: Formula) -> Result<Rc<[Branch]>, TooLarge> {
        if let Some(known) = self.branches.get(&formula) {
            return Ok(known.clone());
        }
        let mut branches = match self.formulas.node(formula).clone() {
            Node::True => vec![Branch::NOTHING],
            Node::False => Vec::new(),
            Node::Literal(atom, positive) => {
                vec![Branch { label: Cube::literal(atom, positive), ..Branch::NOTHING }]
            }
            Node::And(all) => self.branches_of_all(&all)?,
            Node::Or(all) => {
                let mut branches = Vec::new();
                for one in all {
                    branches.extend_from_slice(&self.branches(one)?);
                }
                branches
            }
            Node::Next(inner) => {
                vec![Branch { next: self.obligations(inner), ..Branch::NOTHING }]
            }
            Node::Until(left, right) => {
                let promise = self.promise(formula)?;
                let again = Branch { next: vec![formula], promises: promise, ..Branch::NOTHING };
                let left = self.branches(left)?;
                let mut branches = self.work.product(&left, &[again])?;
                branches.extend_from_slice(&self.branches(right)?);
                branches
            }
            Node::Release(left, right) => {
                let right = self.branches(right)?;
                let again = Branch { next: vec![formula], ..Branch::NOTHING };
                let mut branches = self.work.product(&right, &[again])?;
                let left = self.branches(left)?;
                branches.extend(self.work.product(&right, &left)?);
                branches
            }
        };
        self.work.prune(&mut branches)?;
        let branches: Rc<[Branch]> = branches.into();
        self.branches.insert(formula, branches.clone());
        Ok(branches)
    }

    /// The bit of a `U`.
    fn promise(&mut self, until: Formula) -> Result<u64, TooLarge> {
        let known = self.untils.iter().position(|known| *known == until);
        let index = known.unwrap_or(self.untils.len());
        if index == self.untils.len() {
            self.untils.push(until);
        }
        1u64.checked_shl(index as u32).ok_or(TooLarge)
    }
}

/// How many comparisons of branches may still be made.
struct Work(usize);

impl Work {
    /// All branches that fulfil both.
    fn product(&mut self, left: &[Branch], right: &[Branch]) -> Result<Vec<Branch>, TooLarge> {
        let mut branches = Vec::new();
        for one in left {
            branches.extend(right.iter().filter_map(|other| one.and(other)));
            // In between, so that a large product of few different branches needs little memory.
            if branches.len() > 2 * MOST_BRANCHES {
                self.prune(&mut branches)?;
            }
        }
        self.prune(&mut branches)?;
        Ok(branches)
    }

    /// Drops each branch that another one replaces.
    fn prune(&mut self, branches: &mut Vec<Branch>) -> Result<(), TooLarge> {
        branches.sort_unstable();
        branches.dedup();
        self.0 = self.0.checked_sub(branches.len() * branches.len()).ok_or(TooLarge)?;
        let replaced: Vec<bool> = branches
            .iter()
            .map(|branch| branches.iter().any(|other| other != branch && other.replaces(branch)))
            .collect();
        let mut index = 0;
        branches.retain(|_| {
            index += 1;
            !replaced[index - 1]
        });
        if branches.len() > MOST_BRANCHES { Err(TooLarge) } else { Ok(()) }
    }
}
