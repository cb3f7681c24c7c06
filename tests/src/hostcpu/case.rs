//! What one instruction test starts from, what it ends in, and which parts of the end count.

/// Address of the memory window; its end is the end of a page, with a guard page after.
pub const WINDOW: u32 = 0x2000_0f00;
/// Size of the memory window in bytes.
pub const WINDOW_SIZE: usize = 256;
/// What the segment fs adds to an address: the start of the window's page.
pub const FS_BASE: u32 = 0x2000_0000;
/// The selectors of es, cs, ss and ds that Linux on x86-64 gives to a 32-bit program.
pub const FLAT_SELECTORS: [u16; 4] = [0x2b, 0x23, 0x2b, 0x2b];
/// Address at which the tested code starts.
pub const CODE: u32 = 0x2100_0800;
/// Longest tested code in bytes.
pub const CODE_SIZE: usize = 32;
/// Addresses of the exits 1, 2 and 3; exit 0 stands directly after the code.
pub const EXITS: [u32; 3] = [0x2100_0860, 0x2100_07a0, 0x2100_0e00];
/// The part of an `fxsave` image that exists in 32-bit mode.
pub const FLOATING_SIZE: usize = 288;

/// The carry flag.
pub const CF: u32 = 1;
/// The parity flag.
pub const PF: u32 = 1 << 2;
/// The adjust flag.
pub const AF: u32 = 1 << 4;
/// The zero flag.
pub const ZF: u32 = 1 << 6;
/// The sign flag.
pub const SF: u32 = 1 << 7;
/// The direction flag.
pub const DF: u32 = 1 << 10;
/// The overflow flag.
pub const OF: u32 = 1 << 11;
/// The flags that a test may set beforehand.
pub const SETTABLE_FLAGS: u32 = CF | PF | AF | ZF | SF | DF | OF;
/// The flags that are compared afterwards: the settable ones and the identification flag.
pub const COMPARED_FLAGS: u32 = SETTABLE_FLAGS | 1 << 21;

/// Numbers of the general registers, as instructions encode them.
pub mod register {
    #![allow(missing_docs, reason = "the names are those of the registers")]
    pub const EAX: usize = 0;
    pub const ECX: usize = 1;
    pub const EDX: usize = 2;
    pub const EBX: usize = 3;
    pub const ESP: usize = 4;
    pub const EBP: usize = 5;
    pub const ESI: usize = 6;
    pub const EDI: usize = 7;
    pub const NAMES: [&str; 8] = ["eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"];
}

/// One test: code, the state that it starts from, and what is undefined in the state it ends in.
#[derive(Clone)]
pub struct Case {
    /// The code; only the first `code_length` bytes count.
    pub code: [u8; CODE_SIZE],
    /// Number of code bytes.
    pub code_length: usize,
    /// General registers in encoding order.
    pub registers: [u32; 8],
    /// Flags, of which only the settable ones count.
    pub flags: u32,
    /// `fxsave` image: x87, MXCSR and XMM registers; absent in pure integer tests.
    pub floating: Option<[u8; FLOATING_SIZE]>,
    /// Memory window; absent when the code touches no memory.
    pub memory: Option<[u8; WINDOW_SIZE]>,
    /// What is not compared.
    pub undefined: Undefined,
}

/// The parts of a final state that the architecture leaves open.
#[derive(Clone, Copy, Default)]
pub struct Undefined {
    /// Flags.
    pub flags: u32,
    /// Bits of the x87 status word.
    pub status: u16,
    /// Window offsets `start..end` that are not compared.
    pub memory: (usize, usize),
}

impl Case {
    /// Returns a case of the given code with all registers zero and neither memory nor x87.
    pub fn new(bytes: &[u8]) -> Self {
        let mut code = [0; CODE_SIZE];
        code[..bytes.len()].copy_from_slice(bytes);
        Self {
            code,
            code_length: bytes.len(),
            registers: [0; 8],
            flags: 0,
            floating: None,
            memory: None,
            undefined: Undefined::default(),
        }
    }

    /// Returns the code bytes.
    pub fn code(&self) -> &[u8] {
        &self.code[..self.code_length]
    }
}

/// How a test ended.
#[derive(Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The code reached an exit.
    Finished(Box<Final>),
    /// The code raised this signal.
    Signal(u8),
    /// The machine under test could not run the code, and says why.
    Unsupported(String),
}

/// The state at an exit.
#[derive(Clone, PartialEq, Eq)]
pub struct Final {
    /// Which exit was reached: 0 after the code, 1 to 3 as in [`EXITS`].
    pub exit: u8,
    /// General registers in encoding order.
    pub registers: [u32; 8],
    /// All flags.
    pub flags: u32,
    /// `fxsave` image, when the case has one.
    pub floating: Option<[u8; FLOATING_SIZE]>,
    /// Memory window, when the case has one.
    pub memory: Option<[u8; WINDOW_SIZE]>,
}
