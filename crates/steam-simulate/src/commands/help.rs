//! What the commands are, and how to leave.

use super::{Answer, Command, FAMILIES, Session, find, nothing};

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "help",
        aliases: &["h"],
        arguments: "[COMMAND]",
        help: "list the commands, or describe one",
        run: help,
    },
    Command { name: "quit", aliases: &["q", "exit"], arguments: "", help: "leave", run: quit },
];

fn spelled(command: &Command) -> String {
    format!("{} {}", command.name, command.arguments).trim_end().to_owned()
}

fn help(_: &mut Session<'_, '_>, text: &str) -> Answer {
    if !text.is_empty() {
        let command = find(text)?;
        let others = match command.aliases.is_empty() {
            true => String::new(),
            false => format!(" (also {})", command.aliases.join(", ")),
        };
        return Ok(format!("{}{others}\n    {}\n", spelled(command), command.help));
    }
    let mut text = String::new();
    for (family, commands) in FAMILIES {
        text.push_str(&format!("{family}\n"));
        for command in *commands {
            let short = command.aliases.first().filter(|alias| alias.len() <= 3);
            let short = short.copied().unwrap_or_default();
            text.push_str(&format!("  {short:<4}{:<18}{}\n", command.name, command.help));
        }
    }
    text.push_str("An empty line repeats the last command; `help COMMAND` says what it takes.\n");
    Ok(text)
}

fn quit(session: &mut Session<'_, '_>, text: &str) -> Answer {
    nothing(text, "quit")?;
    session.is_over = true;
    Ok(String::new())
}
