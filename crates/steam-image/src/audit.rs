//! Decides whether debug information is tame enough to be handed to its readers, addr2line above all.
//!
//! addr2line trusts its input more than a tool may that opens any file: it recurses as deep as
//! entries are nested, and a few bytes can make it do work without end, because small entries
//! may all refer to the same large table, list or text. The audit is one pass that only counts.
//! What it bounds is everything that addr2line multiplies:
//!
//! | what | why |
//! |---|---|
//! | nesting of entries | recursion: one stack frame per level |
//! | bytes of abbreviation tables, once per place | parsed and kept once per place |
//! | attributes of all entries | an attribute may take no bytes of the file at all |
//! | entries of range lists, once per reference | copied for each function that refers to them |
//! | bytes of line programs, once per unit | one row in memory per byte |
//! | letters of file names, once per unit | paths are composed and kept |
//! | functions × steps to find a name | a name may be found through up to 16 other entries |
//!
//! Where an entry cannot be read the audit of that unit ends: addr2line stops there, too.

use std::collections::BTreeSet;

use gimli::{
    AbbreviationsCacheStrategy, AttributeValue, DW_AT_ranges, DW_AT_stmt_list,
    DW_FORM_implicit_const, DW_TAG_inlined_subroutine, DW_TAG_subprogram, Dwarf, Reader as _,
    Section, Unit, UnitHeader, UnitRef,
};

use crate::debug::{NoLines, Reader};

const DEEPEST: isize = 512;
const ABBREVIATION_BYTES: u64 = 8 << 20;
const ATTRIBUTES: u64 = 64 << 20;
const RANGES: u64 = 4 << 20;
const LINE_BYTES: u64 = 16 << 20;
const LINE_HEADER_BYTES: u64 = 1 << 20;
const FILES: u64 = 1 << 20;
const PATH_BYTES: u64 = 64 << 20;
const FUNCTIONS: u64 = 2 << 20;
const NAME_STEPS: u64 = 8 << 30;
/// Through so many entries addr2line follows a reference to a name.
const NAME_CHAIN: u64 = 16;

/// Fails where reading `dwarf` might take unreasonable time, memory or stack.
pub(crate) fn check(dwarf: &mut Dwarf<Reader>) -> Result<(), NoLines> {
    let mut audit = Audit::default();
    audit.abbreviations(dwarf)?;
    // Units that share a table share the parsed one from here on.
    dwarf.populate_abbreviations_cache(AbbreviationsCacheStrategy::All);
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        audit.unit(dwarf, header)?;
    }
    audit.names(dwarf)
}

/// What was counted so far.
#[derive(Default)]
struct Audit {
    abbreviation_bytes: u64,
    attributes: u64,
    most_attributes: u64,
    ranges: u64,
    line_bytes: u64,
    files: u64,
    path_bytes: u64,
    functions: u64,
}

/// Adds to a count and fails where it passes its limit.
fn charge(count: &mut u64, more: u64, limit: u64, what: &str) -> Result<(), NoLines> {
    *count = count.saturating_add(more);
    if *count > limit {
        return Err(NoLines::TooLarge {
            what: format!("the debug information has too many {what}"),
        });
    }
    Ok(())
}

impl Audit {
    /// Measures each abbreviation table that a unit refers to.
    fn abbreviations(&mut self, dwarf: &Dwarf<Reader>) -> Result<(), NoLines> {
        let mut seen = BTreeSet::new();
        let mut units = dwarf.units();
        while let Ok(Some(header)) = units.next() {
            let offset = header.debug_abbrev_offset().0;
            let mut table = dwarf.debug_abbrev.reader().clone();
            if !seen.insert(offset) || table.skip(offset).is_err() {
                continue;
            }
            let before = table.len();
            // A table that breaks off is measured up to there.
            while let Ok(Some(attributes)) = abbreviation(&mut table) {
                self.most_attributes = self.most_attributes.max(attributes);
            }
            let size = (before - table.len()) as u64;
            let what = "abbreviations";
            charge(&mut self.abbreviation_bytes, size, ABBREVIATION_BYTES, what)?;
        }
        Ok(())
    }

    fn unit(&mut self, dwarf: &Dwarf<Reader>, header: UnitHeader<Reader>) -> Result<(), NoLines> {
        // The line header must be measured first: making the unit parses it.
        if let Ok(Some(offset)) = line_program(dwarf, &header) {
            self.line_header(dwarf, offset)?;
        }
        let Ok(unit) = dwarf.unit(header) else {
            return Ok(());
        };
        self.paths(dwarf, &unit)?;
        self.entries(UnitRef::new(dwarf, &unit))
    }

    fn line_header(&mut self, dwarf: &Dwarf<Reader>, offset: usize) -> Result<(), NoLines> {
        let mut input = dwarf.debug_line.reader().clone();
        let Ok((program, header)) = line_lengths(&mut input, offset) else {
            return Ok(());
        };
        charge(&mut self.line_bytes, program, LINE_BYTES, "source lines")?;
        charge(&mut 0, header, LINE_HEADER_BYTES, "source files in one unit")
    }

    /// Counts the letters of all paths, as they will be composed.
    fn paths(&mut self, dwarf: &Dwarf<Reader>, unit: &Unit<Reader>) -> Result<(), NoLines> {
        let Some(program) = &unit.line_program else {
            return Ok(());
        };
        let header = program.header();
        let length = |value: AttributeValue<Reader>| {
            dwarf.attr_string(unit, value).map_or(0, |text| text.len() as u64)
        };
        let home = unit.comp_dir.as_ref().map_or(0, |home| home.len() as u64);
        charge(&mut self.files, header.file_names().len() as u64, FILES, "source files")?;
        for file in header.file_names() {
            let directory = file.directory(header).map_or(0, length);
            let size = home + directory + length(file.path_name());
            charge(&mut self.path_bytes, size, PATH_BYTES, "letters in file names")?;
        }
        Ok(())
    }

    /// Walks through all entries of a unit without recursion.
    fn entries(&mut self, unit: UnitRef<'_, Reader>) -> Result<(), NoLines> {
        let Ok(mut entries) = unit.entries_raw(None) else {
            return Ok(());
        };
        while !entries.is_empty() {
            let depth = entries.next_depth();
            if depth > DEEPEST {
                return Err(NoLines::TooLarge {
                    what: format!("the debug information is nested more than {DEEPEST} deep"),
                });
            }
            let abbreviation = match entries.read_abbreviation() {
                Ok(Some(abbreviation)) => abbreviation,
                Ok(None) => continue,
                Err(_) => return Ok(()),
            };
            let attributes = abbreviation.attributes();
            let count = attributes.len() as u64 + 1;
            charge(&mut self.attributes, count, ATTRIBUTES, "attributes")?;
            let tag = abbreviation.tag();
            let function = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
            if !function && depth > 0 {
                if entries.skip_attributes(attributes).is_err() {
                    return Ok(());
                }
                continue;
            }
            charge(&mut self.functions, 1, FUNCTIONS, "functions")?;
            for specification in attributes {
                let Ok(attribute) = entries.read_attribute(*specification) else {
                    return Ok(());
                };
                if attribute.name() == DW_AT_ranges {
                    self.ranges(unit, attribute.value())?;
                }
            }
        }
        Ok(())
    }

    fn ranges(
        &mut self,
        unit: UnitRef<'_, Reader>,
        value: AttributeValue<Reader>,
    ) -> Result<(), NoLines> {
        let Ok(Some(offset)) = unit.attr_ranges_offset(value) else {
            return Ok(());
        };
        let Ok(mut list) = unit.raw_ranges(offset) else {
            return Ok(());
        };
        while let Ok(Some(_)) = list.next() {
            charge(&mut self.ranges, 1, RANGES, "address ranges")?;
        }
        Ok(())
    }

    /// Bounds the search for the names of all functions.
    fn names(&self, dwarf: &Dwarf<Reader>) -> Result<(), NoLines> {
        let texts =
            [dwarf.debug_info.reader(), dwarf.debug_str.reader(), dwarf.debug_line_str.reader()];
        let longest = texts.into_iter().map(longest_text).max().unwrap_or(0);
        // A text is searched for its end at 64 bytes per step or faster.
        let steps = NAME_CHAIN * self.most_attributes.saturating_mul(1 + longest / 64);
        charge(&mut 0, steps.saturating_mul(self.functions), NAME_STEPS, "letters in names")
    }
}

/// Reads one abbreviation and returns the number of its attributes, or none at the table's end.
fn abbreviation(table: &mut Reader) -> gimli::Result<Option<u64>> {
    if table.read_uleb128()? == 0 {
        return Ok(None);
    }
    table.read_uleb128()?;
    table.read_u8()?;
    let mut attributes = 0;
    loop {
        let name = table.read_uleb128()?;
        let form = table.read_uleb128()?;
        if form == u64::from(DW_FORM_implicit_const.0) {
            table.read_sleb128()?;
        }
        if name == 0 && form == 0 {
            return Ok(Some(attributes));
        }
        attributes += 1;
    }
}

/// Where the line program of a unit is, from its first entry.
fn line_program(
    dwarf: &Dwarf<Reader>,
    header: &UnitHeader<Reader>,
) -> gimli::Result<Option<usize>> {
    let abbreviations = dwarf.abbreviations(header)?;
    let mut entries = header.entries_raw(&abbreviations, None)?;
    let Some(abbreviation) = entries.read_abbreviation()? else {
        return Ok(None);
    };
    let mut place = None;
    for specification in abbreviation.attributes() {
        let attribute = entries.read_attribute(*specification)?;
        let AttributeValue::DebugLineRef(offset) = attribute.value() else { continue };
        if attribute.name() == DW_AT_stmt_list {
            place = Some(offset.0);
        }
    }
    Ok(place)
}

/// The number of bytes of a line program, and of its header alone.
fn line_lengths(input: &mut Reader, offset: usize) -> gimli::Result<(u64, u64)> {
    input.skip(offset)?;
    let (length, format) = input.read_initial_length()?;
    let program = length.min(input.len()) as u64;
    if input.read_u16()? >= 5 {
        // The sizes of an address and of a segment selector.
        input.skip(2)?;
    }
    Ok((program, input.read_length(format)? as u64))
}

/// The longest text in a section, which may be the rest that no zero ends.
fn longest_text(section: &Reader) -> u64 {
    section.bytes().split(|&byte| byte == 0).map(<[u8]>::len).max().unwrap_or(0) as u64
}
