//! The ELF header: lets i386 programs pass and says what everything else is.

use goblin::container::{Container, Ctx, Endian};
use goblin::elf::header::{
    EI_CLASS, EI_DATA, ELFCLASS32, ELFCLASS64, ELFDATA2LSB, ELFDATA2MSB, ELFMAG, EM_386,
    EM_AARCH64, EM_ARM, EM_AVR, EM_IA_64, EM_MIPS, EM_PPC, EM_PPC64, EM_RISCV, EM_S390, EM_SH,
    EM_SPARC, EM_SPARCV9, EM_X86_64, ET_CORE, ET_DYN, ET_EXEC, ET_REL, Header, machine_to_str,
};
use goblin::elf::{Elf, ProgramHeader};

use crate::error::{ImageError, Machine, WrongKind};
use crate::foreign;

/// The only word size and byte order that is read here.
pub(crate) const CONTEXT: Ctx = Ctx { container: Container::Little, le: Endian::Little };

const HEADER_SIZE: usize = 52;
const PROGRAM_HEADER_SIZE: u16 = 32;
/// As many as the kernel accepts: 64 KiB of them.
const MOST_PROGRAM_HEADERS: u16 = 2048;
/// The 486 had a machine number of its own in early files.
const EM_486: u16 = 6;
const EM_LOONGARCH: u16 = 258;

/// Reads the headers of an i386 program; anything else is an error that names it.
pub(crate) fn read(bytes: &[u8], name: &str) -> Result<(Header, Vec<ProgramHeader>), ImageError> {
    identify(bytes, name)?;
    let header = Elf::parse_header(bytes).map_err(|error| ImageError::Corrupt {
        problem: format!("its header cannot be read ({error})"),
    })?;
    check_type(header.e_type, name)?;
    let programs = program_headers(bytes, &header)?;
    Ok((header, programs))
}

/// Checks that `part`, at `offset` with `size` bytes, lies within the file.
pub(crate) fn check_within(
    bytes: &[u8],
    offset: u64,
    size: u64,
    part: impl FnOnce() -> String,
) -> Result<(), ImageError> {
    let needed = offset.saturating_add(size);
    let have = bytes.len() as u64;
    if needed > have {
        return Err(ImageError::Truncated { part: part(), needed, size: have });
    }
    Ok(())
}

/// Distinguishes the machine by the first bytes, which have the same place in all ELF files.
fn identify(bytes: &[u8], name: &str) -> Result<(), ImageError> {
    if bytes.is_empty() {
        return Err(ImageError::Empty);
    }
    if !bytes.starts_with(ELFMAG) && !ELFMAG.starts_with(bytes) {
        return Err(ImageError::NotElf(foreign::recognise(bytes, name)));
    }
    check_within(bytes, 0, 20, || "the ELF header".to_owned())?;
    let class = bytes[EI_CLASS];
    let order = bytes[EI_DATA];
    let corrupt = |problem: String| Err(ImageError::Corrupt { problem });
    if class != ELFCLASS32 && class != ELFCLASS64 {
        return corrupt(format!("its header gives the word size the code {class}"));
    }
    let machine = [bytes[18], bytes[19]];
    let machine = match order {
        ELFDATA2LSB => u16::from_le_bytes(machine),
        ELFDATA2MSB => {
            let name = machine_name(u16::from_be_bytes(machine));
            return Err(ImageError::WrongMachine(Machine::BigEndian(name)));
        }
        _ => return corrupt(format!("its header gives the byte order the code {order}")),
    };
    match (machine, class) {
        (EM_386 | EM_486, ELFCLASS32) => {}
        (EM_386 | EM_486, _) => return corrupt("its header says both i386 and 64-bit".to_owned()),
        (EM_X86_64, ELFCLASS64) => return Err(ImageError::WrongMachine(Machine::X86_64)),
        (EM_X86_64, _) => return Err(ImageError::WrongMachine(Machine::X32)),
        (other, _) => return Err(ImageError::WrongMachine(Machine::Other(machine_name(other)))),
    }
    check_within(bytes, 0, HEADER_SIZE as u64, || "the ELF header".to_owned())
}

/// The machine as people call it.
fn machine_name(machine: u16) -> String {
    let name = match machine {
        EM_ARM => "ARM (32-bit)",
        EM_AARCH64 => "AArch64 (64-bit ARM)",
        EM_RISCV => "RISC-V",
        EM_MIPS => "MIPS",
        EM_PPC => "PowerPC",
        EM_PPC64 => "PowerPC 64",
        EM_S390 => "IBM Z (s390)",
        EM_SPARC | EM_SPARCV9 => "SPARC",
        EM_IA_64 => "Itanium",
        EM_SH => "SuperH",
        EM_AVR => "AVR",
        EM_LOONGARCH => "LoongArch",
        EM_386 | EM_486 => "i386",
        EM_X86_64 => "x86-64",
        other => match machine_to_str(other) {
            "EM_UNKNOWN" => "",
            known => known,
        },
    };
    match name {
        "" => format!("an unknown machine (number {machine})"),
        name => name.to_owned(),
    }
}

fn check_type(kind: u16, name: &str) -> Result<(), ImageError> {
    let wrong = match kind {
        ET_EXEC | ET_DYN => return Ok(()),
        ET_REL => WrongKind::Object { name: name.to_owned() },
        ET_CORE => WrongKind::Core,
        other => WrongKind::Unknown(other),
    };
    Err(ImageError::WrongKind(wrong))
}

fn program_headers(bytes: &[u8], header: &Header) -> Result<Vec<ProgramHeader>, ImageError> {
    let count = header.e_phnum;
    let corrupt = |problem: String| Err(ImageError::Corrupt { problem });
    if count == 0 {
        return corrupt("it has no program headers".to_owned());
    }
    if header.e_phentsize != PROGRAM_HEADER_SIZE {
        return corrupt(format!("its program headers have {} bytes each", header.e_phentsize));
    }
    if count > MOST_PROGRAM_HEADERS {
        return corrupt(format!("it has {count} program headers"));
    }
    let size = u64::from(count) * u64::from(PROGRAM_HEADER_SIZE);
    check_within(bytes, header.e_phoff, size, || "the table of program headers".to_owned())?;
    let offset = header.e_phoff as usize;
    ProgramHeader::parse(bytes, offset, usize::from(count), CONTEXT).map_err(|error| {
        ImageError::Corrupt { problem: format!("its program headers cannot be read ({error})") }
    })
}
