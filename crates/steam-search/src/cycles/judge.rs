//! Whether a component has a wrong cycle, and what is reported of it.

use std::collections::HashMap;
use std::ops::ControlFlow;

use steam_model::{Automaton, Model, Property, StateId, Visited};

use super::components::Moves;
use super::lasso::{Finder, Members};
use super::product::Stop;
use super::strong::Piece;
use super::{Fairness, Path, Requirements, Search, full};
use crate::outcome::End;

impl<M, V, P, A> Search<'_, '_, M, V, P, A>
where
    M: Model,
    V: Visited<Key = StateId>,
    P: Property<M> + ?Sized,
    A: Automaton<M> + ?Sized,
{
    /// Whether the last component has become wrong as a whole.
    pub(super) fn judge(&mut self) -> ControlFlow<End> {
        let Requirements { marks, fairness } = self.wanted;
        if !self.components.is_wrong(marks, fairness) {
            return ControlFlow::Continue(());
        }
        let Some(frame) = self.frames.last() else { return ControlFlow::Continue(()) };
        let base = (self.nodes.get(frame.number).state, frame.state.clone());
        let members = Members::From(self.components.first().unwrap_or_default());
        self.components.set_reported();
        self.tell(members, base)
    }

    /// Whether a part of the last component is wrong, which is complete and begins at a position. Only
    /// strong fairness makes parts better than the whole.
    pub(super) fn judge_parts(
        &mut self,
        position: u32,
        base: (StateId, M::State),
    ) -> ControlFlow<End> {
        let Requirements { marks, fairness } = self.wanted;
        if fairness != Fairness::Strong || !self.components.may_be_wrong(marks) {
            return ControlFlow::Continue(());
        }
        let nodes = self.live[position as usize..].to_vec();
        let (piece, base) = match self.piece(&nodes, base) {
            Ok(found) => found,
            Err(stop) => return self.stopped(stop),
        };
        match piece.fair_part(marks) {
            Some(part) => {
                self.tell(Members::Only(part.into_iter().map(|at| nodes[at]).collect()), base)
            }
            None => ControlFlow::Continue(()),
        }
    }

    /// The nodes of a component with their moves; and the last state that was rebuilt.
    fn piece(
        &mut self,
        nodes: &[u32],
        mut base: (StateId, M::State),
    ) -> Result<(Piece, (StateId, M::State)), Stop> {
        let places: HashMap<u32, usize> = nodes.iter().copied().zip(0..).collect();
        let mut piece = Piece::default();
        for number in nodes {
            let node = self.nodes.get(*number);
            base = (node.state, self.product.state((base.0, &base.1), node.state));
            let expansion = self.product.expand_in_time(node, &base.1)?;
            let inner = expansion.edges.iter().filter(|edge| !edge.onward).filter_map(|edge| {
                let place = *places.get(&self.nodes.number(edge.to)?)?;
                let process = edge.action.map(|action| self.product.model.justice(action));
                Some((place, Moves::one(edge.marks, process)))
            });
            piece.moves.push(inner.collect());
            piece.able.push(expansion.able);
        }
        Ok((piece, base))
    }

    /// Reports a wrong cycle through some nodes, which all reach each other.
    fn tell(&mut self, members: Members, base: (StateId, M::State)) -> ControlFlow<End> {
        let finder = Finder { base, members, nodes: &self.nodes, product: &mut self.product };
        let Ok(lasso) = finder.lasso(0, self.wanted) else { return full() };
        let violation = self.product.automaton.violation(self.product.model, &lasso.cycle);
        let begins = lasso.prefix.len() as u32;
        let mut steps = lasso.prefix;
        steps.extend(lasso.cycle.iter().filter_map(|(_, action)| *action));
        let cost = steps.len() as u32;
        self.found.violations.record(violation, true, cost, || Path::Lasso(steps, begins));
        self.stops_unless(self.config.all)
    }
}
