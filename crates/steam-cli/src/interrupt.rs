//! Ctrl-C, SIGTERM and SIGHUP: the first one asks for the end, the second one is the end. What a limit of file sizes
//! sends is no end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, bail};
use signal_hook::consts::{SIGHUP, SIGXFSZ, TERM_SIGNALS};
use signal_hook::low_level::unregister;
use signal_hook::{SigId, flag};

/// Who handles the signals that ask for the end.
#[derive(Default)]
struct Handlers {
    /// A flag is set by them, for good.
    flagged: bool,
    /// Else, these give the signals their usual effect again after [`outlive`].
    usual: Vec<SigId>,
}

static HANDLERS: Mutex<Handlers> = Mutex::new(Handlers { flagged: false, usual: Vec::new() });

fn handlers() -> MutexGuard<'static, Handlers> {
    HANDLERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The signals that ask for the end. Who was started by `nohup` stays when the terminal goes.
fn signals() -> impl Iterator<Item = i32> {
    let hang_up = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    TERM_SIGNALS.iter().copied().chain(hang_up)
}

/// Does something at whose end there is something to clean up: a signal that asks for the end meanwhile is an error
/// after it.
pub fn outlive<T>(work: impl FnOnce() -> T) -> anyhow::Result<T> {
    if handlers().flagged {
        return Ok(work());
    }
    let earlier = std::mem::take(&mut handlers().usual);
    let (asked, over) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    for signal in signals() {
        let usual = flag::register_conditional_default(signal, Arc::clone(&over));
        let usual = usual.and_then(|usual| {
            flag::register(signal, Arc::clone(&asked))?;
            Ok(usual)
        });
        handlers().usual.push(usual.with_context(|| format!("signal {signal} cannot be watched"))?);
    }
    forget(earlier);
    let done = work();
    over.store(true, Ordering::SeqCst);
    if asked.load(Ordering::SeqCst) {
        bail!("interrupted");
    }
    Ok(done)
}

/// A flag that is set by the first signal that asks for the end.
pub fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let mut handlers = handlers();
    handlers.flagged = true;
    for signal in signals() {
        // In this order: the first signal finds the flag not set yet, the second one does.
        flag::register_conditional_default(signal, Arc::clone(&stop))
            .and_then(|_| flag::register(signal, Arc::clone(&stop)))
            .with_context(|| format!("signal {signal} cannot be watched"))?;
    }
    // Only now: at no time does a signal have no effect.
    forget(std::mem::take(&mut handlers.usual));
    Ok(stop)
}

/// Lets a write beyond a limit of file sizes fail like any other: by its usual effect the signal ends the process, and
/// the report is lost.
pub fn let_large_files_fail() -> anyhow::Result<()> {
    let exceeded = Arc::new(AtomicBool::new(false));
    flag::register(SIGXFSZ, exceeded).context("signal SIGXFSZ cannot be watched")?;
    Ok(())
}

fn forget(handlers: Vec<SigId>) {
    for id in handlers {
        let known = unregister(id);
        debug_assert!(known, "a handler is forgotten once");
    }
}

/// Whether this process was started with a signal ignored.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
