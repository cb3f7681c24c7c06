//! Section headers: where the symbol table and the debug information lie in the file.

use goblin::elf::SectionHeader;
use goblin::elf::header::Header;
use goblin::elf::section_header::{SHN_XINDEX, SHT_NOBITS, SHT_NULL};

use crate::error::ImageError;
use crate::header::{CONTEXT, check_within};

const SECTION_HEADER_SIZE: u16 = 40;

/// The sections of a file; none in a file that was stripped of all headers.
pub(crate) struct Sections<'a> {
    bytes: &'a [u8],
    headers: Vec<SectionHeader>,
    names: &'a [u8],
}

impl<'a> Sections<'a> {
    /// Reads the table of section headers.
    pub(crate) fn read(bytes: &'a [u8], header: &Header) -> Result<Sections<'a>, ImageError> {
        let headers = headers(bytes, header)?;
        let mut sections = Sections { bytes, headers, names: &[] };
        let Some(first) = sections.headers.first() else {
            return Ok(sections);
        };
        let index = match header.e_shstrndx {
            index if u32::from(index) == SHN_XINDEX => first.sh_link as usize,
            index => usize::from(index),
        };
        if index != 0 {
            let names = sections.headers.get(index).ok_or_else(|| ImageError::Corrupt {
                problem: format!("the names of its sections are in section {index}, which is none"),
            })?;
            sections.names = sections.data(names, "the names of the sections")?;
        }
        Ok(sections)
    }

    /// Returns all section headers; symbols refer to them by their index.
    pub(crate) fn headers(&self) -> &[SectionHeader] {
        &self.headers
    }

    /// Returns the section called `name`.
    pub(crate) fn named(&self, name: &str) -> Option<&SectionHeader> {
        self.headers.iter().find(|header| {
            header.sh_type != SHT_NULL && string(self.names, header.sh_name) == name.as_bytes()
        })
    }

    /// Returns the bytes of a section, called `part` in messages.
    pub(crate) fn data(&self, header: &SectionHeader, part: &str) -> Result<&'a [u8], ImageError> {
        if header.sh_type == SHT_NOBITS {
            return Ok(&[]);
        }
        check_within(self.bytes, header.sh_offset, header.sh_size, || part.to_owned())?;
        Ok(&self.bytes[header.sh_offset as usize..][..header.sh_size as usize])
    }
}

/// Returns the bytes from `offset` to the next zero, or to the end where none follows.
pub(crate) fn string(table: &[u8], offset: usize) -> &[u8] {
    let rest = table.get(offset..).unwrap_or_default();
    rest.split(|&byte| byte == 0).next().unwrap_or_default()
}

fn headers(bytes: &[u8], header: &Header) -> Result<Vec<SectionHeader>, ImageError> {
    if header.e_shoff == 0 {
        return Ok(Vec::new());
    }
    if header.e_shentsize != SECTION_HEADER_SIZE {
        return Err(ImageError::Corrupt {
            problem: format!("its section headers have {} bytes each", header.e_shentsize),
        });
    }
    let count = match header.e_shnum {
        // More sections than the field can count: the first header has their number.
        0 => table(bytes, header.e_shoff, 1)?.first().map_or(0, |first| first.sh_size),
        count => u64::from(count),
    };
    table(bytes, header.e_shoff, count)
}

fn table(bytes: &[u8], offset: u64, count: u64) -> Result<Vec<SectionHeader>, ImageError> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let size = count.saturating_mul(u64::from(SECTION_HEADER_SIZE));
    check_within(bytes, offset, size, || "the table of section headers".to_owned())?;
    SectionHeader::parse(bytes, offset as usize, count as usize, CONTEXT).map_err(|error| {
        ImageError::Corrupt { problem: format!("its section headers cannot be read ({error})") }
    })
}
