//! Ctrl-C and SIGTERM: the first one asks for the end, the second one is the end.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use signal_hook::consts::TERM_SIGNALS;
use signal_hook::flag;

/// A flag that is set by the first signal that asks for the end.
pub fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for &signal in TERM_SIGNALS {
        // In this order: the first signal finds the flag not set yet, the second one does.
        flag::register_conditional_default(signal, Arc::clone(&stop))
            .and_then(|_| flag::register(signal, Arc::clone(&stop)))
            .with_context(|| format!("signal {signal} cannot be watched"))?;
    }
    Ok(stop)
}
