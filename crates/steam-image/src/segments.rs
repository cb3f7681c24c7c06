//! Program headers become segments at their addresses, or the reason why they cannot.

use goblin::elf::ProgramHeader;
use goblin::elf::dynamic::{DF_1_PIE, DT_FLAGS_1, DT_NEEDED, Dynamic};
use goblin::elf::header::{ET_DYN, Header};
use goblin::elf::program_header::{
    PF_R, PF_W, PF_X, PT_DYNAMIC, PT_GNU_RELRO, PT_GNU_STACK, PT_INTERP, PT_LOAD, PT_TLS,
};

use crate::error::{ImageError, Layout, WrongKind};
use crate::header::{CONTEXT, check_within};
use crate::image::{Kind, ProgramHeaders, Segment, ThreadLocal};
use crate::pages::{self, PAGE_SIZE, Page};

/// Where a static-PIE is put: the place that the kernel gives it without randomisation.
pub const PIE_BASE: u32 = 0x5655_5000;
/// No segment may reach this address: above it are the heap pool, mappings and the stack.
pub const HIGHEST_END: u32 = 0x6000_0000;
/// The largest total size of the segments in memory.
pub const MEMORY_LIMIT: u64 = 1 << 30;

/// What the program headers say.
pub(crate) struct Loaded {
    pub(crate) kind: Kind,
    pub(crate) base: u32,
    pub(crate) entry: u32,
    pub(crate) segments: Vec<Segment>,
    pub(crate) program_headers: ProgramHeaders,
    pub(crate) end: u32,
    pub(crate) stack_executable: bool,
    pub(crate) thread_local: Option<ThreadLocal>,
    pub(crate) read_only_after_relocation: Option<(u32, u32)>,
    pub(crate) pages: Vec<Page>,
}

/// A segment and where its bytes lie in the file.
pub(crate) struct Placed {
    pub(crate) segment: Segment,
    pub(crate) offset: usize,
}

/// Lays out the segments of a program.
pub(crate) fn load(
    bytes: &[u8],
    header: &Header,
    programs: &[ProgramHeader],
) -> Result<Loaded, ImageError> {
    let kind = kind(bytes, header, programs)?;
    let base = match kind {
        Kind::Executable => 0,
        Kind::StaticPie => PIE_BASE,
    };
    let placed = place_all(bytes, programs, base)?;
    let entry = entry(header, &placed, base)?;
    let end = placed.iter().map(|placed| placed.segment.end()).max().unwrap_or(0);
    let pages = pages::build(bytes, &placed);
    Ok(Loaded {
        kind,
        base,
        entry,
        program_headers: own_headers(header, &placed),
        end: end.next_multiple_of(PAGE_SIZE),
        stack_executable: stack_executable(programs),
        thread_local: thread_local(programs, base)?,
        read_only_after_relocation: read_only_after_relocation(programs, base)?,
        pages,
        segments: placed.into_iter().map(|placed| placed.segment).collect(),
    })
}

/// Distinguishes static programs from dynamic ones and from libraries.
fn kind(bytes: &[u8], header: &Header, programs: &[ProgramHeader]) -> Result<Kind, ImageError> {
    let wrong = |kind| Err(ImageError::WrongKind(kind));
    if let Some(interp) = programs.iter().find(|program| program.p_type == PT_INTERP) {
        return wrong(WrongKind::Dynamic { interpreter: interpreter(bytes, interp)? });
    }
    if let Some(dynamic) = programs.iter().find(|program| program.p_type == PT_DYNAMIC) {
        check_file_part(bytes, dynamic, "the dynamic section")?;
    }
    let dynamic = Dynamic::parse(bytes, programs, CONTEXT).map_err(|error| {
        ImageError::Corrupt { problem: format!("its dynamic section cannot be read ({error})") }
    })?;
    let entries = dynamic.map(|dynamic| dynamic.dyns).unwrap_or_default();
    let pie = entries.iter().any(|entry| entry.d_tag == DT_FLAGS_1 && entry.d_val & DF_1_PIE != 0);
    let needs_libraries = entries.iter().any(|entry| entry.d_tag == DT_NEEDED);
    match (header.e_type == ET_DYN, pie, needs_libraries) {
        // Only the linker's flag tells a position-independent program from a library.
        (true, false, _) if !entries.is_empty() => wrong(WrongKind::SharedLibrary),
        (_, _, true) => wrong(WrongKind::Dynamic { interpreter: None }),
        (true, _, false) => Ok(Kind::StaticPie),
        (false, _, false) => Ok(Kind::Executable),
    }
}

/// The dynamic linker that the file names, in at most 80 printable letters.
fn interpreter(bytes: &[u8], program: &ProgramHeader) -> Result<Option<String>, ImageError> {
    check_file_part(bytes, program, "the name of the dynamic linker")?;
    let name = &bytes[program.p_offset as usize..][..program.p_filesz.min(80) as usize];
    let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
    let printable = !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
    Ok(printable.then(|| String::from_utf8_lossy(name).into_owned()))
}

fn check_file_part(bytes: &[u8], program: &ProgramHeader, part: &str) -> Result<(), ImageError> {
    check_within(bytes, program.p_offset, program.p_filesz, || part.to_owned())
}

fn place_all(
    bytes: &[u8],
    programs: &[ProgramHeader],
    base: u32,
) -> Result<Vec<Placed>, ImageError> {
    let loads = programs.iter().filter(|program| program.p_type == PT_LOAD);
    // A linker writes an empty segment where a script asks for one that got no section.
    let loads: Vec<_> = loads.filter(|program| program.p_memsz != 0).collect();
    if loads.is_empty() {
        return Err(Layout::Nothing.into());
    }
    let size: u64 = loads.iter().map(|program| program.p_memsz).sum();
    if size > MEMORY_LIMIT {
        return Err(Layout::TooMuchMemory { size, limit: MEMORY_LIMIT }.into());
    }
    for program in &loads {
        check_addresses(program, base)?;
    }
    check_overlaps(&loads, base)?;
    let mut placed = Vec::with_capacity(loads.len());
    for program in loads {
        placed.push(place(bytes, program, base)?);
    }
    placed.sort_by_key(|placed| placed.segment.address);
    Ok(placed)
}

fn check_addresses(program: &ProgramHeader, base: u32) -> Result<(), ImageError> {
    let start = program.p_vaddr + u64::from(base);
    let end = start + program.p_memsz;
    let (Ok(address), Ok(end)) = (u32::try_from(start), u32::try_from(end)) else {
        return Err(Layout::Wraps { address: start as u32 }.into());
    };
    if address < PAGE_SIZE {
        return Err(Layout::PageZero.into());
    }
    if end > HIGHEST_END {
        return Err(Layout::TooHigh { end }.into());
    }
    Ok(())
}

/// Checked before any byte is copied, so that many headers for the same bytes cost nothing.
fn check_overlaps(loads: &[&ProgramHeader], base: u32) -> Result<(), ImageError> {
    let mut spans: Vec<_> =
        loads.iter().map(|program| (program.p_vaddr, program.p_vaddr + program.p_memsz)).collect();
    spans.sort_unstable();
    for pair in spans.windows(2) {
        let ((_, end), (start, _)) = (pair[0], pair[1]);
        if start < end {
            return Err(Layout::Overlap { address: start as u32 + base }.into());
        }
    }
    Ok(())
}

fn place(bytes: &[u8], program: &ProgramHeader, base: u32) -> Result<Placed, ImageError> {
    let address = program.p_vaddr as u32 + base;
    if program.p_filesz > program.p_memsz {
        return Err(ImageError::Corrupt {
            problem: format!(
                "the segment at {address:#x} has {} bytes in the file but {} in memory",
                program.p_filesz, program.p_memsz
            ),
        });
    }
    check_within(bytes, program.p_offset, program.p_filesz, || {
        format!("the segment at {address:#x}")
    })?;
    let page = u64::from(PAGE_SIZE);
    if program.p_filesz != 0 && program.p_offset % page != program.p_vaddr % page {
        return Err(ImageError::Corrupt {
            problem: format!(
                "the segment at {address:#x} and its place {:#x} in the file differ within a page",
                program.p_offset
            ),
        });
    }
    let offset = if program.p_filesz == 0 { 0 } else { program.p_offset as usize };
    Ok(Placed {
        segment: Segment {
            address,
            memory_size: program.p_memsz as u32,
            data: bytes[offset..][..program.p_filesz as usize].to_vec(),
            read: program.p_flags & PF_R != 0,
            write: program.p_flags & PF_W != 0,
            execute: program.p_flags & PF_X != 0,
        },
        offset,
    })
}

fn entry(header: &Header, placed: &[Placed], base: u32) -> Result<u32, ImageError> {
    let address = (header.e_entry as u32).wrapping_add(base);
    let code = |placed: &Placed| placed.segment.execute && placed.segment.contains(address);
    if placed.iter().any(code) {
        return Ok(address);
    }
    Err(Layout::Entry { address: header.e_entry as u32 }.into())
}

/// Where the table of program headers itself got loaded, as the kernel reports it.
fn own_headers(header: &Header, placed: &[Placed]) -> ProgramHeaders {
    let table = header.e_phoff as usize;
    let holder = placed
        .iter()
        .find(|placed| (placed.offset..placed.offset + placed.segment.data.len()).contains(&table));
    let address =
        holder.map_or(0, |holder| holder.segment.address + (table - holder.offset) as u32);
    ProgramHeaders { address, count: header.e_phnum, entry_size: header.e_phentsize }
}

/// Without the header, the stack is executable: so it was before the header was invented.
fn stack_executable(programs: &[ProgramHeader]) -> bool {
    let stack = programs.iter().rfind(|program| program.p_type == PT_GNU_STACK);
    stack.is_none_or(|program| program.p_flags & PF_X != 0)
}

fn thread_local(programs: &[ProgramHeader], base: u32) -> Result<Option<ThreadLocal>, ImageError> {
    let Some(program) = programs.iter().find(|program| program.p_type == PT_TLS) else {
        return Ok(None);
    };
    let (address, _) = span(program, base, "thread-local segment")?;
    Ok(Some(ThreadLocal {
        address,
        file_size: program.p_filesz as u32,
        memory_size: program.p_memsz as u32,
        alignment: program.p_align as u32,
    }))
}

fn read_only_after_relocation(
    programs: &[ProgramHeader],
    base: u32,
) -> Result<Option<(u32, u32)>, ImageError> {
    let relro = programs.iter().find(|program| program.p_type == PT_GNU_RELRO);
    relro.map(|program| span(program, base, "PT_GNU_RELRO range")).transpose()
}

fn span(program: &ProgramHeader, base: u32, part: &str) -> Result<(u32, u32), ImageError> {
    let start = program.p_vaddr + u64::from(base);
    match (u32::try_from(start), u32::try_from(start + program.p_memsz)) {
        (Ok(start), Ok(end)) => Ok((start, end)),
        _ => {
            Err(ImageError::Corrupt { problem: format!("its {part} goes past the end of memory") })
        }
    }
}
