//! Panes in a terminal: source, threads, variables and schedule, above a line for commands.
//!
//! [`Screen`] is what is shown, as plain data; `draw` puts it on a terminal, `keys` says what keys
//! mean. All that a key does is one of the commands.

mod draw;
mod keys;
mod screen;

use std::io;

use ratatui::crossterm::event::{self, Event, KeyEventKind};
use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};

pub use self::draw::draw;
use self::keys::{Deed, deed};
pub use self::screen::Screen;
use crate::commands::{Session, complete};

/// Answers that are kept to be shown, in lines.
const KEPT: usize = 200;

/// Shows panes until the user leaves.
pub fn run(session: &mut Session<'_, '_>) -> io::Result<()> {
    let mut terminal = ratatui::try_init()?;
    let result = Panes::new(session).run(&mut terminal);
    ratatui::restore();
    result
}

/// The panes and what was typed.
struct Panes<'a, 'i, 's> {
    session: &'a mut Session<'i, 's>,
    screen: Screen,
    typed: String,
    answers: Vec<String>,
}

impl<'a, 'i, 's> Panes<'a, 'i, 's> {
    fn new(session: &'a mut Session<'i, 's>) -> Self {
        let answers = session.greeting().lines().map(str::to_owned).collect();
        let screen = Screen::of(session, None);
        Self { session, screen, typed: String::new(), answers }
    }

    fn run(&mut self, terminal: &mut ratatui::DefaultTerminal) -> io::Result<()> {
        while !self.session.is_over() {
            terminal.draw(|frame| draw(frame, &self.screen, &self.typed, &self.answers))?;
            if let Event::Key(key) = event::read()?
                && key.kind == KeyEventKind::Press
            {
                match deed(key, self.typed.is_empty()) {
                    Deed::Leave => break,
                    deed => self.act(deed),
                }
            }
        }
        Ok(())
    }

    fn act(&mut self, deed: Deed) {
        match deed {
            Deed::Type(letter) => self.typed.push(letter),
            Deed::Erase => drop(self.typed.pop()),
            Deed::Clear => self.typed.clear(),
            Deed::Complete => {
                if let [name] = complete(&self.typed)[..] {
                    self.typed = format!("{name} ");
                }
            }
            Deed::Enter => {
                let line = std::mem::take(&mut self.typed);
                self.obey(&line);
            }
            Deed::Command(line) => self.obey(line),
            Deed::Thread(by) => {
                if let Some(thread) = self.screen.beside(by) {
                    self.obey(&format!("thread {thread}"));
                }
            }
            Deed::Leave | Deed::Nothing => {}
        }
    }

    fn obey(&mut self, line: &str) {
        // While a command runs Ctrl-C is a signal again, which ends what takes long. Where that
        // cannot be changed, the command runs all the same.
        let _ = disable_raw_mode();
        let answer = self.session.obey(line).unwrap_or_else(|why| format!("error: {why}"));
        let _ = enable_raw_mode();
        self.answers.push(format!("{}{line}", crate::script::PROMPT).trim_end().to_owned());
        self.answers.extend(answer.lines().map(str::to_owned));
        let surplus = self.answers.len().saturating_sub(KEPT);
        self.answers.drain(..surplus);
        self.screen = Screen::of(self.session, Some(&self.screen));
    }
}
