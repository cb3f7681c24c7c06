//! Source lines with marks: read from the files where they can be read.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;

use crate::place::Place;

/// The largest source file that is read.
const LARGEST: u64 = 16 << 20;
/// `O_NONBLOCK`: a file that would have to be waited for is not shown.
const NO_WAIT: i32 = 0o4000;
/// The longest line that is shown as a whole.
const WIDEST: usize = 200;
/// So much of a longer line is shown before a mark and from it on.
const BEFORE: usize = 40;
const BEHIND: usize = 100;
/// What stands for the rest of a longer line.
const REST: &str = "…";
/// What a tab is shown as.
const TAB: &str = "    ";

/// Something to show in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// Where.
    pub place: Place,
    /// What happened there.
    pub label: String,
    /// Whether it is the place of the error itself, not one that led to it.
    pub primary: bool,
}

/// Lines of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The place that the excerpt is headed by.
    pub place: Place,
    /// The lines, ascending; none where the file cannot be read.
    pub lines: Vec<SourceLine>,
}

/// A line of source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceLine {
    /// Its number, from one.
    pub number: u32,
    /// Its text, without tabs.
    pub text: String,
    /// What is marked in it.
    pub marks: Vec<Mark>,
}

/// A mark under a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// The characters before it.
    pub start: usize,
    /// How many characters it covers.
    pub width: usize,
    /// What stands beside it.
    pub label: String,
    /// Whether it marks the error itself.
    pub primary: bool,
}

/// Source files, each read once.
#[derive(Debug, Default)]
pub struct Sources {
    files: BTreeMap<String, Option<Vec<String>>>,
    /// Who says whether a file may be shown; by default all may be.
    is_shown: Option<fn(&str) -> bool>,
}

impl Sources {
    /// Source files, with a rule that says which may be shown.
    pub fn showing(is_shown: fn(&str) -> bool) -> Self {
        Self { is_shown: Some(is_shown), ..Self::default() }
    }

    /// The excerpts that show some points: one for each file, in the order of the points.
    pub fn excerpts(&mut self, points: &[Point]) -> Vec<Excerpt> {
        let mut excerpts: Vec<Excerpt> = Vec::new();
        for point in points.iter().filter(|point| point.place.file.is_some()) {
            let same = |excerpt: &&mut Excerpt| excerpt.place.file == point.place.file;
            let excerpt = match excerpts.iter_mut().find(same) {
                Some(excerpt) => excerpt,
                None => {
                    let place = point.place.clone();
                    excerpts.push(Excerpt { place, lines: Vec::new() });
                    let last = excerpts.len() - 1;
                    &mut excerpts[last]
                }
            };
            self.add(excerpt, point);
        }
        excerpts
    }

    /// The lines of a file with their tabs, if it can be read.
    pub fn lines(&mut self, file: &str) -> Option<&[String]> {
        if !self.files.contains_key(file) {
            let may = self.is_shown.is_none_or(|is_shown| is_shown(file));
            self.files.insert(file.to_owned(), may.then(|| read(file)).flatten());
        }
        self.files.get(file)?.as_deref()
    }

    fn add(&mut self, excerpt: &mut Excerpt, point: &Point) {
        let Some(number) = point.place.line else { return };
        let Some(text) = self.line(&point.place) else { return };
        let (text, column) = window(&text, point.place.column);
        let (start, width) = extent(&text, column);
        let mark = Mark { start, width, label: point.label.clone(), primary: point.primary };
        let text = text.replace('\t', TAB);
        // Of a long line each part is shown by itself.
        let same = |line: &SourceLine| line.number == number && line.text == text;
        let at = match excerpt.lines.iter().position(same) {
            Some(at) => at,
            None => {
                let at = excerpt.lines.partition_point(|line| line.number <= number);
                excerpt.lines.insert(at, SourceLine { number, text, marks: Vec::new() });
                at
            }
        };
        excerpt.lines[at].marks.push(mark);
    }

    /// The text of a place's line, with its tabs.
    fn line(&mut self, place: &Place) -> Option<String> {
        let file = place.file.as_ref()?;
        let index = (place.line? as usize).checked_sub(1)?;
        let text = self.lines(file)?.get(index)?;
        (!text.trim().is_empty()).then(|| text.clone())
    }
}

/// The part of a line around a column, and the column in it.
fn window(text: &str, column: Option<u32>) -> (String, Option<u32>) {
    if text.len() <= WIDEST {
        return (text.to_owned(), column);
    }
    let boundary = |at: usize| (at..text.len()).find(|&at| text.is_char_boundary(at));
    let at = column.map_or(0, |column| (column as usize).saturating_sub(1)).min(text.len() - 1);
    let from = boundary(at.saturating_sub(BEFORE)).unwrap_or(0);
    let to = boundary(at.saturating_add(BEHIND)).unwrap_or(text.len());
    let (before, behind) =
        (if from > 0 { REST } else { "" }, if to < text.len() { REST } else { "" });
    let moved = |column: u32| (column as usize + before.len()).saturating_sub(from) as u32;
    (format!("{before}{}{behind}", &text[from..to.max(from)]), column.map(moved))
}

/// The lines of a file, without what a terminal might obey.
fn read(file: &str) -> Option<Vec<String>> {
    let mut bytes = Vec::new();
    // A file may be named like a pipe or a device, which would never end or answer.
    let open = OpenOptions::new().read(true).custom_flags(NO_WAIT).open(file).ok()?;
    if !open.metadata().ok()?.is_file() {
        return None;
    }
    open.take(LARGEST).read_to_end(&mut bytes).ok()?;
    let lines = bytes.split(|&byte| byte == b'\n').map(|line| {
        let text = String::from_utf8_lossy(line);
        let text: String = text.chars().filter(|c| *c == '\t' || !c.is_control()).collect();
        text.trim_end().to_owned()
    });
    Some(lines.collect())
}

/// Where the mark begins on the screen and how long it is: from the column to the end of the
/// expression, or the whole statement where the compiler told no column or that of an operator.
fn extent(text: &str, column: Option<u32>) -> (usize, usize) {
    let indent = text.len() - text.trim_start().len();
    let told = column.map(|column| (column as usize).saturating_sub(1));
    let start = told.filter(|&at| begins_expression(text, at)).unwrap_or(indent).max(indent);
    let end = start + expression_length(&text[start..]);
    let screen = |part: &str| part.chars().map(|c| if c == '\t' { TAB.len() } else { 1 }).sum();
    let before: usize = screen(&text[..start]);
    let width: usize = screen(&text[start..end]);
    (before, width.max(1))
}

/// Whether something that has a name, a bracket or a quote begins at a byte of a line.
fn begins_expression(text: &str, at: usize) -> bool {
    let Some(rest) = text.get(at..) else { return false };
    rest.starts_with(|c: char| c.is_alphanumeric() || "_({\"'".contains(c))
}

/// The bytes up to the end of a statement, an opened block, a comment, or a bracket that was
/// opened before.
fn expression_length(text: &str) -> usize {
    let mut depth = 0u32;
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if let Some(open) = quote {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if c == open => quote = None,
                _ => {}
            }
            continue;
        }
        let rest = &text[at..];
        let ends = match c {
            ';' | '{' | '}' => depth == 0 && at > 0,
            ')' | ']' => depth == 0,
            '/' => rest.starts_with("//") || rest.starts_with("/*"),
            _ => false,
        };
        if ends {
            return text[..at].trim_end().len();
        }
        match c {
            '"' | '\'' => quote = Some(c),
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    text.trim_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, column: Option<u32>) -> String {
        let (start, width) = extent(text, column);
        text.replace('\t', TAB).chars().skip(start).take(width).collect()
    }

    #[test]
    fn a_mark_covers_the_expression() {
        for (text, column, expected) in [
            ("    VASSERT(glob != 8);", Some(5), "VASSERT(glob != 8)"),
            ("  glob = (glob + 1) * ID;", Some(3), "glob = (glob + 1) * ID"),
            // gcc gives the column of the `=`.
            ("  glob = (glob + 1) * ID;", Some(8), "glob = (glob + 1) * ID"),
            ("    int tmp = glob;", Some(9), "tmp = glob"),
            ("\tfor (i = 0; i < n; i++) {", Some(2), "for (i = 0; i < n; i++)"),
            ("\tfor (i = 0; i < n; i++) {", Some(14), "i < n"),
            ("  f(g(x), \"a;b)\", ';'); // why", Some(3), "f(g(x), \"a;b)\", ';')"),
            ("  f(g(x), y);", Some(5), "g(x), y"),
            ("  return 1; /* x */", None, "return 1"),
            ("}", Some(1), "}"),
            ("x", Some(99), "x"),
            ("", None, ""),
            ("  ä = ö;", Some(4), "ä = ö"),
        ] {
            assert_eq!(marked(text, column), expected, "{text} {column:?}");
        }
    }

    #[test]
    fn of_a_long_line_the_part_around_the_mark_is_shown() {
        let text = format!("{}count = 1;{}", "y;".repeat(200), "z;".repeat(200));
        let (part, column) = window(&text, Some(401));
        let (start, width) = extent(&part, column);
        let marked: String = part.chars().skip(start).take(width).collect();
        assert_eq!(marked, "count = 1");
        assert!(part.starts_with("…y") && part.ends_with('…') && part.len() < WIDEST);
        assert_eq!(window("short", Some(2)), ("short".to_owned(), Some(2)));
        assert!(window(&text, Some(9999)).0.len() < WIDEST);
    }

    #[test]
    fn points_of_a_file_are_gathered_in_order() {
        let path = std::env::temp_dir().join(format!("steam-trail-{}.c", std::process::id()));
        std::fs::write(&path, "a = 1;\n\tb = 2;\x1b[31m\n\nc = 3;\n").unwrap();
        let file = path.to_str().unwrap();
        let point = |line, label: &str, primary| Point {
            place: Place::at(file, line),
            label: label.into(),
            primary,
        };
        let points = [
            point(4, "third", true),
            point(2, "second", false),
            point(4, "again", false),
            point(3, "an empty line", false),
            point(77, "no such line", false),
            Point { place: Place::at("/dev/zero", 1), ..Point::default() },
            Point::default(),
        ];
        let excerpts = Sources::default().excerpts(&points);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(excerpts.len(), 2);
        let lines: Vec<_> = excerpts[0].lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(lines, ["    b = 2;[31m", "c = 3;"]);
        assert_eq!(excerpts[0].lines[1].marks.len(), 2);
        assert_eq!(excerpts[0].place.line, Some(4));
        assert!(excerpts[1].lines.is_empty());
    }
}
