//! Strongly connected components of a graph (Tarjan 1972), without recursion.

/// What is known of a node while the graph is walked through.
struct Visit {
    /// The order in which nodes were met; zero for those that were not.
    met: Vec<usize>,
    lowest: Vec<usize>,
    component: Vec<usize>,
    /// Nodes that were met and have no component yet.
    waiting: Vec<usize>,
}

const NONE: usize = usize::MAX;

/// Returns the number of the component of each node of a graph. A component has a higher number
/// than those that can be reached from it.
pub fn components(count: usize, mut successors: impl FnMut(usize, &mut Vec<usize>)) -> Vec<usize> {
    let mut visit = Visit {
        met: vec![0; count],
        lowest: vec![0; count],
        component: vec![NONE; count],
        waiting: Vec::new(),
    };
    let (mut clock, mut found) = (0, 0);
    for root in 0..count {
        if visit.met[root] != 0 {
            continue;
        }
        // Each entry is a node with the successors that are still to be looked at.
        let mut path: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(node) = enter.take() {
                clock += 1;
                visit.met[node] = clock;
                visit.lowest[node] = clock;
                visit.waiting.push(node);
                let mut out = Vec::new();
                successors(node, &mut out);
                path.push((node, out));
            }
            let Some((node, out)) = path.last_mut() else { break };
            let node = *node;
            match out.pop() {
                Some(next) if visit.met[next] == 0 => enter = Some(next),
                Some(next) if visit.component[next] == NONE => {
                    visit.lowest[node] = visit.lowest[node].min(visit.met[next]);
                }
                Some(_) => {}
                None => {
                    path.pop();
                    if let Some((parent, _)) = path.last() {
                        visit.lowest[*parent] = visit.lowest[*parent].min(visit.lowest[node]);
                    }
                    if visit.lowest[node] == visit.met[node] {
                        visit.close(node, found);
                        found += 1;
                    }
                }
            }
        }
    }
    visit.component
}

impl Visit {
    /// All that waits since a node was met is one component.
    fn close(&mut self, node: usize, number: usize) {
        while let Some(member) = self.waiting.pop() {
            self.component[member] = number;
            if member == node {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_of_a_small_graph() {
        let edges: [&[usize]; 6] = [&[1], &[2, 3], &[0], &[4], &[3, 4], &[5, 0]];
        let found = components(6, |node, out| out.extend_from_slice(edges[node]));
        assert_eq!(found[0], found[1]);
        assert_eq!(found[1], found[2]);
        assert_eq!(found[3], found[4]);
        assert!(found[3] < found[0] && found[0] < found[5]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let found = components(1_000_000, |node, out| out.push((node + 1).min(999_999)));
        assert_eq!((found[0], found[999_999]), (999_999, 0));
    }
}
