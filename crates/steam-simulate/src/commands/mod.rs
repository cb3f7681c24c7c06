//! The commands: a table, and a file for each family. gdb's words where gdb has them.

mod back;
mod diff;
mod explore;
mod frames;
mod help;
mod info;
mod moving;
mod points;
mod print;
mod schedule;
mod source;
mod threads;

use crate::around::Surroundings;
use crate::simulation::Simulation;

/// What a command answers: text for the user, or what is wrong and what to do about it.
pub type Answer = Result<String, String>;

/// A simulation with the commands of the user.
pub struct Session<'i, 's> {
    /// The simulation.
    pub simulation: Simulation<'i>,
    pub(crate) around: &'s mut dyn Surroundings,
    /// Repeated by an empty line.
    last: String,
    /// Where `list` goes on.
    pub(crate) listed: Option<(String, u32)>,
    /// Whether the user wants to leave.
    pub(crate) is_over: bool,
}

/// One command.
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// Other names; those of gdb are there in full and in short.
    pub aliases: &'static [&'static str],
    /// What stands after the name.
    pub arguments: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
    run: fn(&mut Session<'_, '_>, &str) -> Answer,
}

/// The families, with what unites them.
const FAMILIES: &[(&str, &[Command])] = &[
    ("going on", moving::COMMANDS),
    ("going back", back::COMMANDS),
    ("threads", threads::COMMANDS),
    ("stopping", points::COMMANDS),
    ("values", print::COMMANDS),
    ("call stacks", frames::COMMANDS),
    ("looking", info::COMMANDS),
    ("source", source::COMMANDS),
    ("changes", diff::COMMANDS),
    ("schedules", schedule::COMMANDS),
    ("searching", explore::COMMANDS),
    ("this program", help::COMMANDS),
];

fn all() -> impl Iterator<Item = &'static Command> {
    FAMILIES.iter().flat_map(|(_, commands)| commands.iter())
}

/// The command that a word means: its name, another name, or an unambiguous beginning.
fn find(word: &str) -> Result<&'static Command, String> {
    let is_named = |command: &&Command| command.name == word || command.aliases.contains(&word);
    if let Some(command) = all().find(is_named) {
        return Ok(command);
    }
    let begun: Vec<&Command> = all().filter(|command| command.name.starts_with(word)).collect();
    match begun[..] {
        [command] => Ok(command),
        [] => Err(format!("there is no command `{word}`: `help` lists all")),
        _ => {
            let names: Vec<&str> = begun.iter().map(|command| command.name).collect();
            Err(format!("`{word}` may be {}: write more of it", names.join(", ")))
        }
    }
}

/// The names with which a line may go on, for completion.
pub fn complete(begun: &str) -> Vec<&'static str> {
    let names = all().map(|command| command.name);
    names.filter(|name| name.starts_with(begun)).collect()
}

impl<'i, 's> Session<'i, 's> {
    /// Begins a session.
    pub fn new(simulation: Simulation<'i>, around: &'s mut dyn Surroundings) -> Self {
        Self { simulation, around, last: String::new(), listed: None, is_over: false }
    }

    /// Whether the user wants to leave.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Does what a line says; an empty one repeats the last. What follows `#` is a remark.
    pub fn obey(&mut self, line: &str) -> Answer {
        let line = match line.trim() {
            "" => self.last.clone(),
            line if line.starts_with('#') => return Ok(String::new()),
            line => line.to_owned(),
        };
        self.last.clone_from(&line);
        // `p/x 5` and `b*0x8049000` stand for two words each.
        let end = line.find(|c: char| !c.is_alphanumeric() && c != '+' && c != '-');
        let (word, rest) = line.split_at(end.unwrap_or(line.len()));
        if word.is_empty() {
            return match line.is_empty() {
                true => Ok(String::new()),
                false => Err(format!("`{line}` begins with no command: `help` lists all")),
            };
        }
        self.simulation.begin_command();
        (find(word)?.run)(self, rest.trim())
    }

    /// Where the user stands, for the beginning of a session.
    pub fn greeting(&mut self) -> String {
        let recorded = self.simulation.schedule().len();
        let recorded = match recorded {
            0 => String::new(),
            1 => "1 step is recorded: `c` follows it\n".to_owned(),
            steps => format!("{steps} steps are recorded: `c` and `goto N` follow them\n"),
        };
        recorded + &self.simulation.tell_place()
    }
}

/// A number that a command is given.
fn number<N: std::str::FromStr>(text: &str, what: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("`{text}` is no {what}: write a number"))
}

/// How often a command is to be done: once where nothing is said.
fn count(text: &str) -> Result<usize, String> {
    if text.is_empty() { Ok(1) } else { number(text, "count") }
}

/// Refuses words after a command that takes none.
fn nothing(text: &str, command: &str) -> Result<(), String> {
    match text {
        "" => Ok(()),
        text => Err(format!("`{command}` takes nothing after it: leave `{text}` out")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> =
            all().flat_map(|it| it.aliases.iter().copied().chain([it.name])).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn beginnings_are_enough_where_they_are_clear() {
        let name = |word: &str| find(word).map(|command| command.name);
        assert_eq!(name("s"), Ok("step"));
        assert_eq!(name("b"), Ok("break"));
        assert_eq!(name("rc"), Ok("reverse-continue"));
        assert_eq!(name("cho"), Err("`cho` may be choices, choose: write more of it".to_owned()));
        assert_eq!(name("xyz"), Err("there is no command `xyz`: `help` lists all".to_owned()));
        assert_eq!(complete("reverse-s"), ["reverse-step", "reverse-stepi"]);
    }
}
