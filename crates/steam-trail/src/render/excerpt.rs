//! Source lines with marks, as compilers show them.

use super::View;
use super::paint::{Paint, clean, paint};
use crate::source::{Excerpt, Mark};

/// The excerpts below an error: where they are, the lines, the marks.
pub(super) fn excerpts(excerpts: &[Excerpt], view: &View) -> String {
    let numbers = excerpts.iter().flat_map(|excerpt| &excerpt.lines).map(|line| line.number);
    let margin = numbers.max().unwrap_or(0).to_string().len();
    let painter = Painter { margin, color: view.color };
    let mut text = String::new();
    for (index, excerpt) in excerpts.iter().enumerate() {
        painter.excerpt(&mut text, excerpt, index == 0);
        if index + 1 < excerpts.len() && !excerpt.lines.is_empty() {
            text.push_str(&painter.gutter());
            text.push('\n');
        }
    }
    text
}

struct Painter {
    margin: usize,
    color: bool,
}

impl Painter {
    fn excerpt(&self, text: &mut String, excerpt: &Excerpt, first: bool) {
        let arrow = if first { "-->" } else { ":::" };
        let arrow = format!("{}{arrow}", " ".repeat(self.margin));
        let arrow = paint(self.color, Paint::Aside, &arrow);
        text.push_str(&format!("{arrow} {}\n", clean(&excerpt.place.position())));
        if first && !excerpt.lines.is_empty() {
            text.push_str(&self.gutter());
            text.push('\n');
        }
        let mut before = None;
        for line in &excerpt.lines {
            if before.is_some_and(|before: u32| before.saturating_add(1) < line.number) {
                text.push_str("...\n");
            }
            before = Some(line.number);
            let number = format!("{:>1$} |", line.number, self.margin);
            let number = paint(self.color, Paint::Aside, &number);
            text.push_str(&format!("{number} {}\n", clean(line.text.trim_end())));
            for mark in &line.marks {
                text.push_str(&format!("{} {}\n", self.gutter(), self.mark(mark)));
            }
        }
    }

    fn gutter(&self) -> String {
        paint(self.color, Paint::Aside, &format!("{} |", " ".repeat(self.margin)))
    }

    fn mark(&self, mark: &Mark) -> String {
        let (sign, color) = if mark.primary { ("^", Paint::Bad) } else { ("-", Paint::Aside) };
        let signs = format!("{} {}", sign.repeat(mark.width), clean(&mark.label));
        format!("{}{}", " ".repeat(mark.start), paint(self.color, color, signs.trim_end()))
    }
}
