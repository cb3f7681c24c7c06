//! Which states were seen, in how few bytes.
//!
//! One file for each store, all of them behind [`steam_model::Visited`]:
//!
//! | store | bytes per state | exact | rebuilds states |
//! |---|---|---|---|
//! | [`TreeStore`] | 14 to 20 on product-like models: 8 of nodes, 5 to 10 of index | yes | yes |
//! | [`FullStore`] | 4 per slot, and some 80 | yes | yes |
//! | [`Hash128Store`] | 16, and 5 to 10 of index | but for collisions of 128 bits | no |
//! | [`BitStore`] | a few bits | no | no |
//!
//! Beside a store a search may keep [`Links`] (whence a state was reached) and [`Costs`] (in how
//! few steps), arrays indexed by [`steam_model::StateId`].

mod arena;
mod arrangement;
mod bitstate;
mod costs;
mod fingerprint;
mod full;
mod hash128;
mod layout;
mod links;
mod table;
mod tree;
mod tree_store;

pub use bitstate::{BitKey, BitStore};
pub use costs::Costs;
pub use full::FullStore;
pub use hash128::Hash128Store;
pub use links::{Link, Links};
pub use tree_store::{TreeScratch, TreeStore};
