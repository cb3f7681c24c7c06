//! Debug information as it lies in the file: its sections are copied out at once, and unpacked,
//! audited and handed out as DWARF on the first question.
//!
//! It comes from a file that was not checked, so it passes an audit (see `audit.rs`) before anything
//! sees it, and a panic in its reader costs the debug information, not the run.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use gimli::{Dwarf, EndianArcSlice, LittleEndian, SectionId};

use crate::audit;
use crate::compressed;
use crate::sections::Sections;

/// How the bytes of debug information are read.
pub(crate) type Reader = EndianArcSlice<LittleEndian>;

/// The largest section of debug information that is read.
const SECTION_LIMIT: usize = 64 << 20;
/// The largest sum of sections that are unpacked: a few kilobytes can become any number of bytes.
const UNPACKED_LIMIT: usize = 128 << 20;

/// The sections that lines, functions, variables and their names need.
const NEEDED: [SectionId; 11] = [
    SectionId::DebugAbbrev,
    SectionId::DebugAddr,
    SectionId::DebugInfo,
    SectionId::DebugLine,
    SectionId::DebugLineStr,
    SectionId::DebugLoc,
    SectionId::DebugLocLists,
    SectionId::DebugRanges,
    SectionId::DebugRngLists,
    SectionId::DebugStr,
    SectionId::DebugStrOffsets,
];

/// Why a program has no source lines; its `Display` says what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoLines {
    /// It was compiled without debug information.
    Absent,
    /// Its debug information is compressed in another way than the standard one with zlib.
    Compressed,
    /// Its debug information is larger than what is accepted.
    TooLarge {
        /// What is too large.
        what: String,
    },
    /// Its debug information cannot be understood.
    Corrupt {
        /// What is wrong with it.
        problem: String,
    },
}

impl NoLines {
    /// Says why there is no debug information and what to do, without what is missed by it.
    pub fn reason(&self) -> String {
        match self {
            NoLines::Absent => "compile with -g".to_owned(),
            NoLines::Compressed => "the debug information is compressed in a way that is not \
                 supported: link with -gz=zlib or -gz=none"
                .to_owned(),
            NoLines::TooLarge { what } => format!("{what}: compile less of the program with -g"),
            NoLines::Corrupt { problem } => {
                format!("the debug information is corrupt ({problem}): link it again")
            }
        }
    }
}

impl fmt::Display for NoLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no source lines: {}", self.reason())
    }
}

/// The debug information of a program; cloning is cheap.
#[derive(Clone)]
pub(crate) struct Debug(Arc<Content>);

struct Content {
    /// The sections in the order of `NEEDED`.
    sections: Result<Vec<Stored>, NoLines>,
    loaded: OnceLock<Result<Arc<Dwarf<Reader>>, NoLines>>,
}

/// A section as it is in the file.
struct Stored {
    name: &'static str,
    bytes: Arc<[u8]>,
    compressed: bool,
}

impl Debug {
    /// Takes the sections of debug information; nothing of them is read yet.
    pub(crate) fn new(sections: &Sections<'_>) -> Debug {
        Debug(Arc::new(Content { sections: collect(sections), loaded: OnceLock::new() }))
    }

    /// Returns what can be read, after the audit.
    pub(crate) fn dwarf(&self) -> Result<&Arc<Dwarf<Reader>>, &NoLines> {
        self.0.loaded.get_or_init(|| guarded(|| self.0.load())).as_ref()
    }
}

/// Does what reads debug information; a panic in there is an error like others.
pub(crate) fn guarded<T>(read: impl FnOnce() -> Result<T, NoLines>) -> Result<T, NoLines> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(NoLines::Corrupt { problem: "its reader gave up".to_owned() }))
}

impl Content {
    fn load(&self) -> Result<Arc<Dwarf<Reader>>, NoLines> {
        let sections = self.sections.as_ref().map_err(NoLines::clone)?;
        let sections = unpack(sections)?;
        let reader = |id: SectionId| {
            let place = NEEDED.iter().position(|&needed| needed == id);
            let bytes = place.map_or_else(|| Arc::from([]), |place| sections[place].clone());
            Ok::<_, NoLines>(Reader::new(bytes, LittleEndian))
        };
        let mut dwarf = Dwarf::load(reader)?;
        audit::check(&mut dwarf)?;
        Ok(Arc::new(dwarf))
    }
}

/// Copies the needed sections out of the file.
fn collect(sections: &Sections<'_>) -> Result<Vec<Stored>, NoLines> {
    if sections.named(".zdebug_info").is_some() {
        return Err(NoLines::Compressed);
    }
    if sections.named(SectionId::DebugInfo.name()).is_none() {
        return Err(NoLines::Absent);
    }
    NEEDED.iter().map(|id| collect_one(sections, id.name())).collect()
}

fn collect_one(sections: &Sections<'_>, name: &'static str) -> Result<Stored, NoLines> {
    let Some(header) = sections.named(name) else {
        return Ok(Stored { name, bytes: Arc::from([]), compressed: false });
    };
    let data = sections.data(header, name).map_err(|_| NoLines::Corrupt {
        problem: format!("{name} goes past the end of the file"),
    })?;
    if data.len() > SECTION_LIMIT {
        let what = format!("{name} has {} MiB", data.len() >> 20);
        return Err(NoLines::TooLarge { what });
    }
    let compressed = compressed::is_compressed(header);
    Ok(Stored { name, bytes: Arc::from(data), compressed })
}

/// Unpacks those sections that are compressed.
fn unpack(sections: &[Stored]) -> Result<Vec<Arc<[u8]>>, NoLines> {
    let mut left = UNPACKED_LIMIT;
    let unpack_one = |section: &Stored| {
        if !section.compressed {
            return Ok(section.bytes.clone());
        }
        let bytes = compressed::unpack(&section.bytes, section.name, left.min(SECTION_LIMIT))?;
        left -= bytes.len();
        Ok(Arc::from(bytes))
    };
    sections.iter().map(unpack_one).collect()
}
