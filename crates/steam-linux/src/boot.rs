//! Start-up: the memory and the registers that the kernel gives a new process.

use steam_image::{Image, SymbolKind};
use steam_state::{
    Context, HEAP_END, HEAP_START, PAGE_SIZE, PageBytes, Protection, RegionKind, ThreadId,
};
use steam_visibility::Memory;

use crate::world::USER_ID;

/// First address after the first thread's stack.
pub const STACK_END: u32 = 0xffff_e000;
/// Bytes of the first thread's stack.
pub const STACK_SIZE: u32 = 8 << 20;
/// The page with the code that leads from a signal handler back to the kernel.
pub const TRAMPOLINE: u32 = STACK_END;
/// Where `rt_sigreturn`'s part of that page begins.
pub const RT_TRAMPOLINE: u32 = TRAMPOLINE + 16;
/// Where `mmap` finds room: above the heap first, then below it, wherever the program is not.
pub const MAPPING_AREAS: [(u32, u32); 4] = [
    (HEAP_END, 0xff00_0000),
    (0x0a00_0000, 0x5600_0000),
    (0x5800_0000, HEAP_START),
    (0x0001_0000, 0x0800_0000),
];
/// Arguments and environment may fill this part of the stack, as in Linux.
const LARGEST_ARGUMENTS: u64 = STACK_SIZE as u64 / 4;
/// What the processor can do, as `cpuid` says: fpu tsc cx8 cmov clflush mmx fxsr sse sse2.
const CAPABILITIES: u32 =
    1 | 1 << 4 | 1 << 8 | 1 << 15 | 1 << 19 | 1 << 23 | 1 << 24 | 1 << 25 | 1 << 26;
/// The bytes that `AT_RANDOM` points to: with them glibc makes the stack protector's canary.
const RANDOM: [u8; 16] = *b"\x00steam-random-16";
const PAGE: u32 = PAGE_SIZE as u32;

/// Why a program cannot be started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BootError {
    /// Arguments and environment are larger than the kernel allows.
    ArgumentsTooLarge {
        /// How many bytes they need.
        size: u64,
        /// How many there may be.
        limit: u64,
    },
    /// The program wants to lie where the heap pool is.
    ImageTooHigh {
        /// The first address after the program.
        end: u32,
        /// The first address that is taken.
        limit: u32,
    },
    /// The file for the standard input cannot be read.
    Input,
}

impl std::fmt::Display for BootError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::ArgumentsTooLarge { size, limit } => write!(
                f,
                "the arguments and the environment have {size} bytes, more than the {limit} that \
                 Linux allows"
            ),
            Self::ImageTooHigh { end, limit } => write!(
                f,
                "the program reaches up to {end:#x}, but memory from {limit:#x} on is needed for \
                 its heap; link it at a lower address"
            ),
            Self::Input => write!(f, "the file for the standard input cannot be read"),
        }
    }
}

impl std::error::Error for BootError {}

/// Maps the program, whose file has a number, the heap pool, the stack and the signal trampoline.
pub fn map(
    image: &Image,
    number: u32,
    stack_size: u32,
    memory: &mut Memory,
) -> Result<(), BootError> {
    if image.end > HEAP_START {
        return Err(BootError::ImageTooHigh { end: image.end, limit: HEAP_START });
    }
    for range in image.ranges() {
        let allowed = range.protection;
        let protection = Protection {
            read: allowed.read || allowed.write || allowed.execute,
            write: allowed.write,
            execute: allowed.execute,
        };
        memory.map(range.start, range.end, protection, RegionKind::Image(number));
    }
    for page in image.pages() {
        memory.place_page(page.address, &page.bytes);
    }
    memory.map(HEAP_START, HEAP_END, Protection::READ_WRITE, RegionKind::Heap);
    let stack = Protection { execute: image.stack_executable, ..Protection::READ_WRITE };
    memory.map(STACK_END - stack_size, STACK_END, stack, RegionKind::Stack(ThreadId::FIRST));
    let code = Protection { execute: true, ..Protection::READ };
    memory.map(TRAMPOLINE, TRAMPOLINE + PAGE, code, RegionKind::Mapped);
    memory.place_page(TRAMPOLINE, &trampoline());
    Ok(())
}

/// Where the area that `brk` moves begins, and where it ends. One page stays free, so that running off
/// the last variable is found.
pub fn program_break(image: &Image) -> (u32, u32) {
    let start = image.end + PAGE;
    (start, start)
}

/// Changes a variable of the C library, where it has it, so that fewer states differ in what does not
/// matter: the stacks of ended threads are not kept.
pub fn simplify(image: &Image, memory: &mut Memory) {
    if let Some(most) = variable(image, "__nptl_stack_cache_maxsize")
        && memory.write_bytes(most, &[0; 4]).is_err()
    {
        memory.take_error();
    }
}

/// Where a variable of the program or its library lies.
pub fn variable(image: &Image, name: &str) -> Option<u32> {
    image.symbols.find(name).find(|it| it.kind == SymbolKind::Object).map(|it| it.address)
}

/// The same for variables that are set before `main`: the OpenMP library does not spin before it
/// waits.
pub fn simplify_at_main(image: &Image, memory: &mut Memory) {
    for name in ["gomp_spin_count_var", "gomp_throttled_spin_count_var"] {
        if let Some(address) = variable(image, name)
            && memory.write_bytes(address, &[0; 8]).is_err()
        {
            memory.take_error();
        }
    }
}

/// `pop %eax; mov $119, %eax; int $0x80` for plain handlers, `mov $173, %eax; int $0x80` for those
/// with `SA_SIGINFO`.
fn trampoline() -> PageBytes {
    let mut page = [0; PAGE_SIZE];
    let plain = [0x58, 0xb8, 119, 0, 0, 0, 0xcd, 0x80];
    let extended = [0xb8, 173, 0, 0, 0, 0xcd, 0x80];
    page[..plain.len()].copy_from_slice(&plain);
    let offset = (RT_TRAMPOLINE - TRAMPOLINE) as usize;
    page[offset..offset + extended.len()].copy_from_slice(&extended);
    page
}

/// The registers at the program's first instruction.
pub fn registers(entry: u32, stack_pointer: u32) -> Context {
    let mut context = Context { eip: entry, eflags: 0x202, ..Context::default() };
    context.gpr[Context::ESP] = stack_pointer;
    context.selectors = [0x2b, 0x23, 0x2b, 0x2b, 0, 0];
    context
}

/// What is built downwards from the end of the stack.
struct Stack {
    /// The bytes, last first.
    reversed: Vec<u8>,
}

impl Stack {
    fn pointer(&self) -> u32 {
        STACK_END - self.reversed.len() as u32
    }

    fn push(&mut self, bytes: &[u8]) -> u32 {
        self.reversed.extend(bytes.iter().rev());
        self.pointer()
    }

    fn push_string(&mut self, text: &[u8]) -> u32 {
        self.push(&[0]);
        self.push(text)
    }

    fn push_words(&mut self, words: &[u32]) {
        words.iter().rev().for_each(|word| {
            self.push(&word.to_le_bytes());
        });
    }

    /// Pads until the pointer is a multiple of 16 when `ahead` more bytes have been pushed.
    fn align(&mut self, ahead: u32) {
        let rest = (self.pointer() - ahead) % 16;
        self.push(&vec![0; rest as usize]);
    }
}

/// Writes arguments, environment and auxiliary vector onto the stack, as the kernel lays them out;
/// the stack pointer at the program's entry.
pub fn fill_stack(
    image: &Image,
    arguments: &[Vec<u8>],
    environment: &[Vec<u8>],
    memory: &mut Memory,
) -> Result<u32, BootError> {
    let size: u64 = arguments.iter().chain(environment).map(|text| text.len() as u64 + 1 + 4).sum();
    if size > LARGEST_ARGUMENTS {
        return Err(BootError::ArgumentsTooLarge { size, limit: LARGEST_ARGUMENTS });
    }
    let mut stack = Stack { reversed: Vec::new() };
    stack.push_words(&[0]);
    let name = arguments.first().map_or(&[][..], Vec::as_slice);
    let file_name = stack.push_string(name);
    let environment = push_strings(&mut stack, environment);
    let arguments = push_strings(&mut stack, arguments);
    stack.align(0);
    let platform = stack.push_string(b"i686");
    let random = stack.push(&RANDOM);
    let vector = auxiliary_vector(image, file_name, platform, random);
    let words = vector.len() * 2 + environment.len() + 1 + arguments.len() + 1 + 1;
    stack.align(words as u32 * 4);
    vector.iter().rev().for_each(|pair| stack.push_words(pair));
    stack.push_words(&[0]);
    stack.push_words(&environment);
    stack.push_words(&[0]);
    stack.push_words(&arguments);
    stack.push_words(&[arguments.len() as u32]);
    stack.reversed.reverse();
    let pointer = stack.pointer();
    // The stack is mapped and was checked to be large enough.
    let written = memory.write_bytes(pointer, &stack.reversed);
    debug_assert!(written.is_ok());
    Ok(pointer)
}

fn push_strings(stack: &mut Stack, strings: &[Vec<u8>]) -> Vec<u32> {
    let mut addresses: Vec<u32> =
        strings.iter().rev().map(|text| stack.push_string(text)).collect();
    addresses.reverse();
    addresses
}

/// Keys of the auxiliary vector.
mod key {
    pub const NULL: u32 = 0;
    pub const PHDR: u32 = 3;
    pub const PHENT: u32 = 4;
    pub const PHNUM: u32 = 5;
    pub const PAGESZ: u32 = 6;
    pub const BASE: u32 = 7;
    pub const FLAGS: u32 = 8;
    pub const ENTRY: u32 = 9;
    pub const UID: u32 = 11;
    pub const EUID: u32 = 12;
    pub const GID: u32 = 13;
    pub const EGID: u32 = 14;
    pub const PLATFORM: u32 = 15;
    pub const HWCAP: u32 = 16;
    pub const CLKTCK: u32 = 17;
    pub const SECURE: u32 = 23;
    pub const RANDOM: u32 = 25;
    pub const HWCAP2: u32 = 26;
    pub const EXECFN: u32 = 31;
    pub const MINSIGSTKSZ: u32 = 51;
}

fn auxiliary_vector(image: &Image, file_name: u32, platform: u32, random: u32) -> Vec<[u32; 2]> {
    let headers = image.program_headers;
    vec![
        [key::MINSIGSTKSZ, crate::signals::SMALLEST_STACK],
        [key::HWCAP, CAPABILITIES],
        [key::PAGESZ, PAGE],
        [key::CLKTCK, 100],
        [key::PHDR, headers.address],
        [key::PHENT, u32::from(headers.entry_size)],
        [key::PHNUM, u32::from(headers.count)],
        // There is no dynamic linker.
        [key::BASE, 0],
        [key::FLAGS, 0],
        [key::ENTRY, image.entry],
        [key::UID, USER_ID],
        [key::EUID, USER_ID],
        [key::GID, USER_ID],
        [key::EGID, USER_ID],
        [key::SECURE, 0],
        [key::RANDOM, random],
        [key::HWCAP2, 0],
        [key::EXECFN, file_name],
        [key::PLATFORM, platform],
        [key::NULL, 0],
    ]
}
