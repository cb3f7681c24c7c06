//! Puts a screen on a terminal.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};

use super::screen::{Screen, SourceRow};
use crate::script::PROMPT;

/// What stands at the bottom of the window.
const KEYS: &str =
    " ←→ step · ↑↓ thread · F5/F6 run/back · F10/F11 next/step · help · Ctrl-D leaves ";

/// Draws all panes, what was answered, and what is typed.
pub fn draw(frame: &mut Frame<'_>, screen: &Screen, typed: &str, answers: &[String]) {
    let rows = Layout::vertical([Constraint::Fill(3), Constraint::Fill(2), Constraint::Length(1)]);
    let [upper, lower, input] = rows.areas(frame.area());
    let [source, side] =
        Layout::horizontal([Constraint::Fill(3), Constraint::Fill(2)]).areas(upper);
    let [threads, variables] =
        Layout::vertical([Constraint::Fill(2), Constraint::Fill(3)]).areas(side);
    let [schedule, told] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).areas(lower);
    draw_source(frame, source, screen);
    pane(frame, threads, "threads", thread_lines(screen), chosen_row(screen));
    pane(frame, variables, "variables", variable_lines(screen), 0);
    let title = match screen.inside {
        true => format!("schedule: in step {}", screen.steps + 1),
        false => format!("schedule: after step {}", screen.steps),
    };
    pane(frame, schedule, &title, schedule_lines(screen), here_row(screen));
    let width = usize::from(told.width.saturating_sub(2)).max(1);
    let answers: Vec<Line<'_>> =
        answers.iter().flat_map(|line| wrapped(line, width)).map(Line::raw).collect();
    let last = answers.len();
    pane(frame, told, "answers", answers, last);
    frame.render_widget(Paragraph::new(format!("{PROMPT}{typed}")), input);
    let keys = KEYS.chars().count() as u16;
    let used = (PROMPT.len() + typed.chars().count()) as u16;
    if used + keys < input.width {
        let area = Rect { x: input.right() - keys, width: keys, ..input };
        frame.render_widget(Paragraph::new(KEYS).style(Style::new().fg(Color::DarkGray)), area);
    }
    frame.set_cursor_position(Position { x: input.x + used.min(input.width), y: input.y });
}

/// A line in parts that are no longer than a pane is wide.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let letters: Vec<char> = line.chars().collect();
    match letters.is_empty() {
        true => vec![String::new()],
        false => letters.chunks(width).map(|part| part.iter().collect()).collect(),
    }
}

/// A pane with a frame, scrolled so that a row is seen.
fn pane(frame: &mut Frame<'_>, area: Rect, title: &str, lines: Vec<Line<'_>>, row: usize) {
    let height = usize::from(area.height.saturating_sub(2)).max(1);
    let most = lines.len().saturating_sub(height);
    let first = row.saturating_sub(height / 2).min(most);
    let shown: Vec<Line<'_>> = lines.into_iter().skip(first).take(height).collect();
    let block = Block::bordered().title(format!(" {title} "));
    frame.render_widget(Paragraph::new(shown).block(block), area);
}

fn draw_source(frame: &mut Frame<'_>, area: Rect, screen: &Screen) {
    let lines = screen.source.iter().map(|row| source_line(row, screen)).collect();
    let row = screen.line.map_or(0, |line| line as usize - 1);
    let title = if screen.file.is_empty() { "source" } else { &screen.file };
    pane(frame, area, title, lines, row);
}

/// A line with the numbers of the threads that are there.
fn source_line(row: &SourceRow, screen: &Screen) -> Line<'static> {
    let threads: Vec<String> = row.threads.iter().map(u32::to_string).collect();
    let stop = if row.stops { '●' } else { ' ' };
    let is_here = screen.line == Some(row.number);
    let arrow = if is_here { '>' } else { ' ' };
    let style = match (is_here, row.threads.first()) {
        (true, _) => Style::new().add_modifier(Modifier::REVERSED),
        (false, Some(thread)) => Style::new().fg(color(*thread)),
        (false, None) => Style::new(),
    };
    let margin = format!("{:>7}{stop}{:>4}{arrow}", threads.join(","), row.number);
    Line::from(vec![
        Span::styled(margin, Style::new().fg(Color::DarkGray)),
        Span::styled(row.text.clone(), style),
    ])
}

/// Colours that are distinguished by those who do not see all of them; the number stands beside.
fn color(thread: u32) -> Color {
    const COLORS: [Color; 5] =
        [Color::Cyan, Color::Yellow, Color::Magenta, Color::Blue, Color::LightRed];
    COLORS[thread as usize % COLORS.len()]
}

fn thread_lines(screen: &Screen) -> Vec<Line<'static>> {
    let line = |row: &super::screen::ThreadRow| {
        let mark = if row.id == screen.chosen { "* " } else { "  " };
        let style = Style::new().fg(color(row.id));
        let style = if row.waits { style.add_modifier(Modifier::DIM) } else { style };
        Line::styled(format!("{mark}{}", row.text), style)
    };
    screen.threads.iter().map(line).collect()
}

fn chosen_row(screen: &Screen) -> usize {
    screen.threads.iter().position(|row| row.id == screen.chosen).unwrap_or(0)
}

fn variable_lines(screen: &Screen) -> Vec<Line<'static>> {
    let line = |row: &super::screen::VariableRow| {
        let text = format!("{} = {}", row.name, row.value);
        match row.changed {
            true => {
                Line::styled(text, Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED))
            }
            false => Line::raw(text),
        }
    };
    screen.variables.iter().map(line).collect()
}

fn here_row(screen: &Screen) -> usize {
    screen.schedule.iter().take_while(|(before, _)| *before < screen.steps).count()
}

fn schedule_lines(screen: &Screen) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let here = || Line::styled("=> you are here", Style::new().add_modifier(Modifier::BOLD));
    for (before, text) in &screen.schedule {
        if *before == screen.steps {
            lines.push(here());
        }
        lines.push(Line::raw(text.clone()));
    }
    if screen.schedule.last().is_none_or(|(before, _)| *before < screen.steps) {
        lines.push(here());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::screen::{ThreadRow, VariableRow};
    use super::*;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    fn screen() -> Screen {
        let source = ["int sum;", "void *add(void *x) {", "    sum++;", "}"];
        let source = source.iter().zip(1..).map(|(text, number)| SourceRow {
            number,
            text: (*text).to_owned(),
            threads: if number == 3 { vec![2, 3] } else { Vec::new() },
            stops: number == 3,
        });
        let thread = |id, text: &str| ThreadRow { id, text: text.to_owned(), waits: id == 1 };
        let value = VariableRow { name: "sum".into(), value: "1".into(), changed: true };
        Screen {
            file: "a.c".into(),
            source: source.collect(),
            line: Some(3),
            threads: vec![thread(1, "1 main a.c:9 waits"), thread(2, "2 add a.c:3 ready")],
            chosen: 2,
            variables: vec![value],
            schedule: vec![(0, "1: Thread 1 - Line 6".into()), (1, "2: Thread 2 - Line 3".into())],
            steps: 1,
            inside: false,
        }
    }

    #[test]
    fn the_panes_show_all() {
        let mut terminal = Terminal::new(TestBackend::new(72, 16)).unwrap();
        let answers = ["(steam) v".to_owned(), "done".to_owned()];
        terminal.draw(|frame| draw(frame, &screen(), "p su", &answers)).unwrap();
        let shown = terminal.backend().to_string();
        let rows: Vec<&str> = shown.lines().map(|row| row.trim_matches('"').trim_end()).collect();
        assert_eq!(rows, EXPECTED, "{shown}");
    }

    const EXPECTED: [&str; 16] = [
        "┌ a.c ────────────────────────────────────┐┌ threads ──────────────────┐",
        "│           1 int sum;                    ││  1 main a.c:9 waits       │",
        "│           2 void *add(void *x) {        ││* 2 add a.c:3 ready        │",
        "│    2,3●   3>    sum++;                  │└───────────────────────────┘",
        "│           4 }                           │┌ variables ────────────────┐",
        "│                                         ││sum = 1                    │",
        "│                                         ││                           │",
        "│                                         ││                           │",
        "└─────────────────────────────────────────┘└───────────────────────────┘",
        "┌ schedule: after step 1 ──────────┐┌ answers ─────────────────────────┐",
        "│1: Thread 1 - Line 6              ││(steam) v                         │",
        "│=> you are here                   ││done                              │",
        "│2: Thread 2 - Line 3              ││                                  │",
        "│                                  ││                                  │",
        "└──────────────────────────────────┘└──────────────────────────────────┘",
        "(steam) p su",
    ];
}
