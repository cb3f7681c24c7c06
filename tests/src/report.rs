//! Works through a list of guests on two cores and prints one line each, failures last.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Guests at a time: the smallest usual test machine has two cores.
const JOBS: usize = 2;

/// What became of one guest.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Variants that were run and compared.
    pub compared: usize,
    /// Variants that this machine cannot build, each with its reason.
    pub skipped: Vec<String>,
    /// One text for each variant that went wrong.
    pub failures: Vec<String>,
}

/// Judges every item, prints the report, and says whether nothing failed.
///
/// An item is one job as a whole, so that two variants of a program never run at once and
/// cannot meet in the file system.
pub fn judge_all<T: Sync>(
    items: &[T],
    name: impl Fn(&T) -> &str + Sync,
    judge: impl Fn(&T) -> Verdict + Sync,
) -> bool {
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..JOBS {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let verdict = judge(item);
                    print_line(name(item), &verdict);
                    if let Ok(mut all) = verdicts.lock() {
                        all.push((name(item).to_owned(), verdict));
                    }
                }
            });
        }
    });
    let mut verdicts = verdicts.into_inner().unwrap_or_default();
    verdicts.sort_by(|a, b| a.0.cmp(&b.0));
    // A judge that panicked took its verdict with it: that is a failure too.
    summarise(&verdicts) && verdicts.len() == items.len()
}

fn print_line(name: &str, verdict: &Verdict) {
    let word = if verdict.failures.is_empty() { "ok" } else { "FAILED" };
    println!("{name:<32} {:>2} compared  {word}", verdict.compared);
}

fn summarise(verdicts: &[(String, Verdict)]) -> bool {
    for (name, verdict) in verdicts {
        for reason in &verdict.skipped {
            println!("skipped: {name}: {reason}");
        }
    }
    let compared: usize = verdicts.iter().map(|(_, verdict)| verdict.compared).sum();
    let failed: usize = verdicts.iter().map(|(_, verdict)| verdict.failures.len()).sum();
    for (name, verdict) in verdicts {
        for failure in &verdict.failures {
            println!("\nFAILED {name}: {failure}");
        }
    }
    println!("\n{} programs, {compared} runs compared, {failed} failed", verdicts.len());
    failed == 0
}
