//! The open lists, one file each.

mod astar;
mod beam;
mod best_first;
mod entry;
mod heap;
mod queue;
mod stack;

pub use astar::AStar;
pub use beam::Beam;
pub use best_first::BestFirst;
pub use queue::Queue;
pub use stack::Stack;
