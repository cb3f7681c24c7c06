//! Which source line an instruction belongs to, and at which instructions a line or a function
//! begins. Answers are kept: stepping asks for every instruction.

use std::collections::BTreeMap;
use std::sync::Arc;

use steam_image::{Activation, Declared, Function, Image};
use steam_report::{Location, locations};

/// Functions that are looked through for a line; more are those of a library.
const MOST_CODE: u32 = 4 << 20;

/// A line that the user wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The file, as the compiler was called with it.
    pub file: Arc<str>,
    /// The number, from one.
    pub number: u32,
}

/// The lines of instructions that were asked for.
#[derive(Default)]
pub struct LineMap {
    known: BTreeMap<u32, Option<Line>>,
    files: BTreeMap<String, Arc<str>>,
}

impl LineMap {
    /// The user's line of an instruction.
    pub fn at(&mut self, image: &Image, address: u32) -> Option<Line> {
        if let Some(line) = self.known.get(&address) {
            return line.clone();
        }
        let here = Activation { eip: address, exact: true, ..Activation::default() };
        let found = locations(image, &here).into_iter().find(Location::is_users);
        let line = found.and_then(|location| {
            let file = self.file(location.file?);
            Some(Line { file, number: location.line? })
        });
        self.known.insert(address, line.clone());
        line
    }

    /// The line that begins at an instruction.
    pub fn begins_at(&mut self, image: &Image, address: u32) -> Option<Line> {
        let line = self.at(image, address)?;
        let before = self.at(image, address.wrapping_sub(1));
        (before.as_ref() != Some(&line)).then_some(line)
    }

    fn file(&mut self, name: String) -> Arc<str> {
        Arc::clone(self.files.entry(name).or_insert_with_key(|name| Arc::from(name.as_str())))
    }

    /// Where a line begins, or the next one that has instructions: that line, and an instruction in
    /// each function that has it.
    pub fn resolve(
        &mut self,
        image: &Image,
        declared: &Declared,
        file: &str,
        number: u32,
    ) -> Option<(Line, Vec<u32>)> {
        let mut best: Option<(Line, Vec<u32>)> = None;
        let mut left = MOST_CODE;
        for function in declared.all_functions() {
            for &(start, end) in &function.ranges {
                let size = end.saturating_sub(start);
                if size > left {
                    continue;
                }
                left -= size;
                self.gather(image, (start, end), file, number, &mut best);
            }
        }
        best
    }

    /// Adds the first instruction of a range that is of the line, or of one nearer to it.
    fn gather(
        &mut self,
        image: &Image,
        (start, end): (u32, u32),
        file: &str,
        number: u32,
        best: &mut Option<(Line, Vec<u32>)>,
    ) {
        let mut found: Option<(Line, u32)> = None;
        for address in start..end {
            let Some(line) = self.at(image, address) else { continue };
            let nearer = found.as_ref().is_none_or(|(known, _)| line.number < known.number);
            if line.number >= number && nearer && is_file(&line.file, file) {
                found = Some((line, address));
            }
        }
        let Some((line, address)) = found else { return };
        match best {
            Some((known, addresses)) if *known == line => addresses.push(address),
            Some((known, _)) if known.number <= line.number => {}
            _ => *best = Some((line, vec![address])),
        }
    }

    /// Where a function begins for the user: at its second line, where its arguments are in place.
    pub fn entry(&mut self, image: &Image, function: &Function) -> Option<u32> {
        let &(start, end) = function.ranges.first()?;
        let first = self.at(image, start);
        let second = (start..end).find(|&address| {
            let line = self.at(image, address);
            line.is_some() && line != first
        });
        Some(second.unwrap_or(start))
    }
}

/// Whether a file is the one that the user typed: its whole path or the end of it.
pub fn is_file(file: &str, written: &str) -> bool {
    let before = file.strip_suffix(written);
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}
