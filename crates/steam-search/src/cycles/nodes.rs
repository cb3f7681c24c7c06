//! The nodes that were met: their numbers, what is known of them, and how each was reached first.

use super::product::Node;

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// It was met, and nothing more.
    Met,
    /// It is in a component that is not complete; its position among such nodes.
    Live(u32),
    /// No wrong cycle goes through it.
    Dead,
}

const MET: u32 = u32::MAX;
const DEAD: u32 = u32::MAX - 1;
const NONE: u32 = u32::MAX;

/// How a node was reached first: from this node, by this choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) from: u32,
    /// None where the run had ended.
    pub(super) choice: Option<u32>,
}

/// All nodes that were met.
#[derive(Default)]
pub(super) struct Nodes {
    /// For each state of the automaton the numbers of its nodes, by the state of the system.
    numbers: Vec<Vec<u32>>,
    list: Vec<Node>,
    status: Vec<u32>,
    links: Vec<(u32, u32)>,
}

impl Nodes {
    /// The number of a node, and whether it is met for the first time.
    pub(super) fn meet(&mut self, node: Node, link: Option<Link>) -> (u32, bool) {
        let (row, column) = (node.automaton as usize, node.state.0 as usize);
        if self.numbers.len() <= row {
            self.numbers.resize_with(row + 1, Vec::new);
        }
        let numbers = &mut self.numbers[row];
        if numbers.len() <= column {
            numbers.resize(column + 1, NONE);
        }
        if numbers[column] != NONE {
            return (numbers[column], false);
        }
        let number = self.list.len() as u32;
        numbers[column] = number;
        self.list.push(node);
        self.status.push(MET);
        let link = link.map_or((NONE, NONE), |it| (it.from, it.choice.unwrap_or(NONE)));
        self.links.push(link);
        (number, true)
    }

    /// The number of a node that was met.
    pub(super) fn number(&self, node: Node) -> Option<u32> {
        let numbers = self.numbers.get(node.automaton as usize)?;
        numbers.get(node.state.0 as usize).copied().filter(|number| *number != NONE)
    }

    pub(super) fn get(&self, number: u32) -> Node {
        self.list[number as usize]
    }

    pub(super) fn status(&self, number: u32) -> Status {
        match self.status[number as usize] {
            MET => Status::Met,
            DEAD => Status::Dead,
            position => Status::Live(position),
        }
    }

    pub(super) fn set_live(&mut self, number: u32, position: u32) {
        self.status[number as usize] = position;
    }

    pub(super) fn set_dead(&mut self, number: u32) {
        self.status[number as usize] = DEAD;
    }

    /// The choices that lead to a node, as it was reached first.
    pub(super) fn path_to(&self, number: u32) -> Vec<u32> {
        let mut choices = Vec::new();
        let mut at = number;
        while let (from, choice) = self.links[at as usize]
            && from != NONE
        {
            choices.extend((choice != NONE).then_some(choice));
            at = from;
        }
        choices.reverse();
        choices
    }

    /// The memory in use.
    pub(super) fn bytes(&self) -> u64 {
        let rows: usize = self.numbers.iter().map(Vec::capacity).sum();
        let each = size_of::<Node>() + size_of::<u32>() + size_of::<(u32, u32)>();
        (rows * size_of::<u32>() + self.list.capacity() * each) as u64
    }
}

#[cfg(test)]
mod tests {
    use steam_model::StateId;

    use super::*;

    #[test]
    fn nodes_are_known_again_and_keep_their_first_path() {
        let node = |state, automaton| Node { state: StateId(state), automaton };
        let link = |from, choice| Some(Link { from, choice });
        let mut nodes = Nodes::default();
        assert_eq!(nodes.meet(node(7, 1), None), (0, true));
        assert_eq!(nodes.meet(node(2, 0), link(0, Some(4))), (1, true));
        assert_eq!(nodes.meet(node(2, 1), link(1, None)), (2, true));
        assert_eq!(nodes.meet(node(2, 1), link(0, Some(9))), (2, false));
        assert_eq!(nodes.meet(node(3, 1), link(2, Some(5))), (3, true));
        assert_eq!(nodes.path_to(3), [4, 5]);
        assert_eq!((nodes.number(node(2, 1)), nodes.number(node(3, 0))), (Some(2), None));
        nodes.set_live(2, 17);
        nodes.set_dead(1);
        assert_eq!(
            [0, 1, 2].map(|number| nodes.status(number)),
            [Status::Met, Status::Dead, Status::Live(17)]
        );
    }
}
