//! What was said along a run, as a table: the form of Table 2 in the paper.

use super::{Checker, Master, Message, Moment, Positions, Role};
use crate::atoms::Atoms;

/// Returns a table for one checker: a column for each state, and one for the end; a row for each
/// condition checker and each worker, numbered as they were made. `T` and `F` are about the state
/// of the column unless they name others; `-` stands where nothing was said.
pub fn table(master: &Master, checker: &Checker, atoms: &Atoms) -> String {
    let mut columns: Vec<Moment> = (0..master.states().len()).map(Moment::State).collect();
    if master.is_finished() {
        columns.push(Moment::End);
    }
    let mut rows = vec![vec![String::new()]];
    rows[0].extend(columns.iter().map(|moment| match moment {
        Moment::State(number) => format!("s{number}"),
        Moment::End => "end".to_owned(),
    }));
    let (mut conditions, mut operators) = (0, 0);
    for worker in checker.workers() {
        let name = match worker.role {
            Role::Constant(value) => value.to_string(),
            Role::Condition(atom) => atoms.text(atom).to_owned(),
            Role::Unary(operator) => operator.sign().to_owned(),
            Role::Binary(operator) => operator.sign().to_owned(),
        };
        let title = match worker.role {
            Role::Constant(_) | Role::Condition(_) => {
                conditions += 1;
                format!("condition checker {conditions}: {name}")
            }
            Role::Unary(_) | Role::Binary(_) => {
                operators += 1;
                format!("worker {operators}: {name}")
            }
        };
        let mut row = vec![title];
        row.extend(columns.iter().map(|moment| cell(worker.messages(), *moment)));
        rows.push(row);
    }
    aligned(&rows)
}

/// What was said at one moment.
fn cell(messages: &[Message], moment: Moment) -> String {
    let said = messages.iter().filter(|message| message.when == moment);
    let words: Vec<String> = said
        .map(|message| {
            let letter = if message.value { "T" } else { "F" };
            match moment {
                Moment::State(own) if message.about == Positions::single(own) => letter.to_owned(),
                _ => format!("{letter}({})", message.about),
            }
        })
        .collect();
    if words.is_empty() { "-".to_owned() } else { words.join(" ") }
}

/// Rows with columns of equal width.
fn aligned(rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}
