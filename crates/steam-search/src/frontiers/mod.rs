//! The open lists, one file each.

mod astar;
mod best_first;
mod heap;
mod queue;
mod stack;

pub use astar::AStar;
pub use best_first::BestFirst;
pub use queue::Queue;
pub use stack::Stack;
