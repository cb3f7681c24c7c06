//! Ctrl-C, SIGTERM and SIGHUP: the first one asks for the end, the second one is the end.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use signal_hook::consts::{SIGHUP, TERM_SIGNALS};
use signal_hook::flag;

/// A flag that is set by the first signal that asks for the end.
pub fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    // Who was started by `nohup` stays when the terminal goes.
    let hang_up = (!is_ignored(SIGHUP)).then_some(&SIGHUP);
    for &signal in TERM_SIGNALS.iter().chain(hang_up) {
        // In this order: the first signal finds the flag not set yet, the second one does.
        flag::register_conditional_default(signal, Arc::clone(&stop))
            .and_then(|_| flag::register(signal, Arc::clone(&stop)))
            .with_context(|| format!("signal {signal} cannot be watched"))?;
    }
    Ok(stop)
}

/// Whether this process was started with a signal ignored.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
