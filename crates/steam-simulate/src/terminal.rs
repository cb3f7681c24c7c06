//! Commands from a person: line editing, history and completion.

use std::io::{self, Write};

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

use crate::commands::{Session, complete};
use crate::script::PROMPT;

/// Completes the names of commands.
struct Commands;

impl Completer for Commands {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let pair = |name: &str| Pair { display: name.to_owned(), replacement: name.to_owned() };
        let names = complete(&line[..position]);
        Ok((0, names.into_iter().map(pair).collect()))
    }
}

impl Hinter for Commands {
    type Hint = String;
}

impl Highlighter for Commands {}
impl Validator for Commands {}
impl Helper for Commands {}

/// Asks for commands until the user leaves. Ctrl-C gives up the line, Ctrl-D leaves.
pub fn run(session: &mut Session<'_, '_>) -> io::Result<()> {
    let config = Config::builder().auto_add_history(true).build();
    let mut editor: Editor<Commands, DefaultHistory> =
        Editor::with_config(config).map_err(io::Error::other)?;
    editor.set_helper(Some(Commands));
    let mut output = io::stdout();
    writeln!(output, "{}`help` lists the commands", session.greeting())?;
    while !session.is_over() {
        match editor.readline(PROMPT) {
            Ok(line) => match session.obey(&line) {
                Ok(text) => write!(output, "{text}")?,
                Err(why) => writeln!(output, "error: {why}")?,
            },
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(io::Error::other(error)),
        }
    }
    Ok(())
}
