//! Locks that threads take in different orders, as a warning reports them.

use steam_program::LockOrder;
use steam_sync::Address;

use crate::Explainer;

impl Explainer<'_> {
    /// Threads that take locks in a cycle: who takes what while it holds what, and where.
    pub fn lock_cycle(&self, cycle: &[LockOrder]) -> String {
        let lock = |address: Address| {
            let order = cycle.iter().find(|order| order.wanted == address);
            self.lock(address, order.and_then(|order| order.member.as_deref()))
        };
        let one = |order: &LockOrder| {
            format!(
                "{} takes {} at {} while it holds {}",
                self.who(order.thread),
                lock(order.wanted),
                self.place(&order.stack).line_position(),
                lock(order.held)
            )
        };
        let orders: Vec<String> = cycle.iter().map(one).collect();
        format!(
            "locks are taken in different orders: {}; where these meet, it is a deadlock, which \
             nothing but the rest of the program prevents",
            orders.join(", ")
        )
    }

    fn lock(&self, address: Address, member: Option<&str>) -> String {
        let name = self.names.member(address, member);
        if name.contains(' ') { name } else { format!("`{name}`") }
    }
}
