//! Watches how much memory this process really has, beside what a search counts.
//!
//! A search counts its states and components; buffers of single steps, the allocator's gaps and what is
//! forgotten in the count are memory, too. So the limit holds for what the system says.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use steam_host::resident_memory;

/// How often the system is asked.
const INTERVAL: Duration = Duration::from_millis(4);
/// So much growth is always allowed: what a search needs before it has a state.
const LEAST: u64 = 24 << 20;

/// A flag that is set as soon as this process has more memory than `limit`, until the end of the process.
pub fn watch(limit: u64) -> Arc<AtomicBool> {
    let full = Arc::new(AtomicBool::new(false));
    let Some(now) = resident_memory() else { return full };
    let most = limit.max(now.saturating_add(LEAST));
    let flag = Arc::clone(&full);
    std::thread::spawn(move || {
        // The search that waited for the flag has ended when only this thread has it.
        while Arc::strong_count(&flag) > 1 {
            if resident_memory().is_some_and(|bytes| bytes >= most) {
                flag.store(true, Ordering::Relaxed);
                return;
            }
            std::thread::sleep(INTERVAL);
        }
    });
    full
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_memory_is_seen() {
        let full = watch(0);
        let mut held = Vec::new();
        while !full.load(Ordering::Relaxed) {
            assert!(held.len() < 100, "the flag is never set");
            held.push(vec![1u8; 4 << 20]);
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(held.len() as u64 * (4 << 20) >= LEAST / 2);
    }
}
