//! The line that says how far a search is.

use std::io::Write;
use std::time::Duration;

use crate::quantity;

/// How often a line is printed where lines cannot be overwritten.
const PLAIN_INTERVAL: Duration = Duration::from_secs(10);

/// Where a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Time since the search began.
    pub elapsed: Duration,
    /// Distinct states so far.
    pub states: u64,
    /// Nodes in the open list.
    pub frontier: u64,
    /// The greatest depth so far.
    pub depth: u32,
    /// The smallest estimate so far, where a heuristic gives one.
    pub best_estimate: Option<i64>,
    /// Executions so far, of a search without a store.
    pub executions: Option<u64>,
    /// About which part of them that is, in millionths.
    pub done: Option<u32>,
    /// Bytes in use.
    pub bytes: u64,
    /// The memory limit.
    pub limit: Option<u64>,
}

impl Progress {
    /// The line: `12.4 s  1.2M states  96k/s  frontier 31k  depth 412  best h 3  1.1/4.0 GiB`.
    pub fn line(&self) -> String {
        let seconds = self.elapsed.as_secs_f64();
        let rate = if seconds > 0.0 { (self.states as f64 / seconds) as u64 } else { 0 };
        let mut parts = vec![
            format!("{seconds:.1} s"),
            format!("{} states", quantity::rounded(self.states, "")),
            format!("{}/s", quantity::rounded(rate, "")),
        ];
        match self.executions {
            Some(executions) => parts.push(self.executions_of(executions)),
            None => parts.push(format!("frontier {}", quantity::rounded(self.frontier, ""))),
        }
        parts.push(format!("depth {}", self.depth));
        parts.extend(self.best_estimate.map(|best| format!("best h {best}")));
        parts.push(match self.limit {
            Some(limit) => quantity::bytes_of(self.bytes, limit),
            None => quantity::bytes(self.bytes),
        });
        parts.join("  ")
    }

    /// `12k executions of about 40k (31 %)`.
    fn executions_of(&self, executions: u64) -> String {
        let so_far = format!("{} executions", quantity::rounded(executions, ""));
        match self.done {
            Some(done) if done > 0 && executions > 0 => {
                let all = (executions as f64 / (f64::from(done) / 1e6)) as u64;
                let percent = f64::from(done) / 1e4;
                format!("{so_far} of about {} ({percent:.0} %)", quantity::rounded(all, ""))
            }
            _ => so_far,
        }
    }
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressMode {
    /// One line that is overwritten.
    Terminal,
    /// A new line every ten seconds.
    Plain,
    /// Not at all.
    None,
}

/// Shows progress on a stream. Where it has no reader, that is no error.
#[derive(Debug)]
pub struct ProgressPrinter<W> {
    stream: W,
    mode: ProgressMode,
    shown: bool,
    next: Duration,
}

impl<W: Write> ProgressPrinter<W> {
    /// A printer that has shown nothing yet.
    pub fn new(stream: W, mode: ProgressMode) -> Self {
        Self { stream, mode, shown: false, next: PLAIN_INTERVAL }
    }

    /// Shows where the search is.
    pub fn show(&mut self, progress: &Progress) {
        match self.mode {
            ProgressMode::Terminal => {
                // Back to the margin, and what is left of the line before is cleared.
                self.write(&format!("\r{}\x1b[K", progress.line()));
                self.shown = true;
            }
            ProgressMode::Plain if progress.elapsed >= self.next => {
                self.write(&format!("{}\n", progress.line()));
                self.next = progress.elapsed + PLAIN_INTERVAL;
            }
            ProgressMode::Plain | ProgressMode::None => {}
        }
    }

    /// Takes the line away, so that other text can follow.
    pub fn clear(&mut self) {
        if self.shown {
            self.write("\r\x1b[K");
            self.shown = false;
        }
    }

    fn write(&mut self, text: &str) {
        // Progress without a reader is no reason to stop.
        let _ = self.stream.write_all(text.as_bytes());
        let _ = self.stream.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Progress {
        Progress {
            elapsed: Duration::from_millis(12_400),
            states: 1_193_000,
            frontier: 31_000,
            depth: 412,
            best_estimate: Some(3),
            executions: None,
            done: None,
            bytes: 1_181_116_006,
            limit: Some(4 << 30),
        }
    }

    #[test]
    fn the_documented_line() {
        assert_eq!(
            sample().line(),
            "12.4 s  1.2M states  96k/s  frontier 31k  depth 412  best h 3  1.1/4.0 GiB"
        );
    }

    #[test]
    fn a_search_without_a_store_tells_how_much_is_left() {
        let progress = Progress {
            executions: Some(12_400),
            done: Some(310_000),
            best_estimate: None,
            ..sample()
        };
        assert_eq!(
            progress.line(),
            "12.4 s  1.2M states  96k/s  12k executions of about 40k (31 %)  depth 412  1.1/4.0 GiB"
        );
        let start = Progress { executions: Some(0), done: Some(0), ..Progress::default() };
        assert_eq!(start.line(), "0.0 s  0 states  0/s  0 executions  depth 0  0 B");
    }

    #[test]
    fn what_is_unknown_is_left_out() {
        let start = Progress { bytes: 512, ..Progress::default() };
        assert_eq!(start.line(), "0.0 s  0 states  0/s  frontier 0  depth 0  512 B");
    }

    #[test]
    fn a_terminal_line_is_overwritten_and_cleared_once() {
        let mut bytes = Vec::new();
        let mut printer = ProgressPrinter::new(&mut bytes, ProgressMode::Terminal);
        printer.show(&sample());
        printer.clear();
        printer.clear();
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text, format!("\r{}\x1b[K\r\x1b[K", sample().line()));
    }

    #[test]
    fn plain_lines_come_every_ten_seconds() {
        let mut bytes = Vec::new();
        let mut printer = ProgressPrinter::new(&mut bytes, ProgressMode::Plain);
        for second in 1..=35 {
            printer.show(&Progress { elapsed: Duration::from_secs(second), ..sample() });
        }
        printer.clear();
        let starts: Vec<String> =
            String::from_utf8(bytes).unwrap().lines().map(|line| line[..4].to_owned()).collect();
        assert_eq!(starts, ["10.0", "20.0", "30.0"]);
    }
}
