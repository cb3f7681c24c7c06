//! The machine as an executor of cases: loads a state into its CPU, runs, reads the state back.
//!
//! The pages are those of the runner. Each exit is an `int 0x80`, at which the CPU stops; where it
//! stopped says which exit was reached.

use super::case::{
    CODE, Case, EXITS, FLAT_SELECTORS, FLOATING_SIZE, FS_BASE, Final, Outcome, WINDOW, WINDOW_SIZE,
};
use super::state::{ST_AT, XMM_AT};
use std::sync::Arc;

use steam_state::{PAGE_SIZE, Protection, RegionKind, Table};
use steam_visibility::{Memory, Watch};
use steam_vm::{Cpu, Stop, Trap};
use vm_isa::simd::Simd;
use vm_isa::x87::{F80, X87};

const PAGE: u32 = PAGE_SIZE as u32;
const PAGE_MASK: u32 = !(PAGE - 1);
const EXIT_CODE: [u8; 2] = [0xcd, 0x80];
/// More instructions than any case has, repetitions included.
const LIMIT: u64 = 10_000;

/// A machine that runs one case after the other.
pub struct Machine {
    cpu: Cpu,
    /// The code that lies in its code page.
    code: Vec<u8>,
}

impl Machine {
    /// Makes a machine with a data page and a code page; `specialised` ops are the default of the
    /// CPU, the general ones their naive twin.
    pub fn new(specialised: bool) -> Self {
        let mut memory = Memory::new(Arc::default(), &Table::default(), Watch::default());
        let data = WINDOW & PAGE_MASK;
        memory.map(data, data + PAGE, Protection::READ_WRITE, RegionKind::Mapped);
        let code = CODE & PAGE_MASK;
        let executable = Protection { read: true, write: true, execute: true };
        memory.map(code, code + PAGE, executable, RegionKind::Mapped);
        let mut page = [0xcc; PAGE_SIZE];
        for exit in EXITS {
            let at = (exit - code) as usize;
            page[at..at + 2].copy_from_slice(&EXIT_CODE);
        }
        memory.place_page(code, &page);
        let mut cpu = Cpu::new(memory);
        cpu.fs_base = FS_BASE;
        cpu.selectors[..4].copy_from_slice(&FLAT_SELECTORS);
        let cpu = if specialised { cpu } else { cpu.without_special_codes() };
        Self { cpu, code: Vec::new() }
    }

    /// Runs one case.
    pub fn run(&mut self, case: &Case) -> Outcome {
        self.place_code(case.code());
        self.cpu.gpr[..8].copy_from_slice(&case.registers);
        self.cpu.set_eflags(case.flags);
        self.cpu.eip = CODE;
        if let Some(image) = &case.floating {
            (self.cpu.x87, self.cpu.simd) = from_image(image);
        }
        if let Some(memory) = &case.memory {
            self.write(WINDOW, memory);
        }
        let stop = self.cpu.run(LIMIT);
        match stop {
            Stop::SystemCall => match self.exit_reached(case) {
                Some(exit) => Outcome::Finished(Box::new(self.final_state(case, exit))),
                None => Outcome::Unsupported(format!("stopped at {:08x}", self.cpu.eip)),
            },
            Stop::Memory(_) => Outcome::Signal(11),
            Stop::Trap(trap) => Outcome::Signal(signal(trap)),
            other => Outcome::Unsupported(format!("{other:x?}")),
        }
    }

    fn place_code(&mut self, code: &[u8]) {
        if self.code != code {
            self.code.clear();
            self.code.extend(code);
            let bytes = [code, &EXIT_CODE].concat();
            self.write(CODE, &bytes);
        }
    }

    /// Writes into a mapped page. The first write to a page with decoded code is refused, so that
    /// the CPU can forget the code.
    fn write(&mut self, address: u32, bytes: &[u8]) {
        let memory = &mut self.cpu.memory;
        if memory.write_bytes(address, bytes).is_err() {
            assert!(memory.take_error().is_none(), "the test pages are writable");
            memory.write_bytes(address, bytes).expect("the test pages are writable");
        }
    }

    fn exit_reached(&self, case: &Case) -> Option<u8> {
        let exit = self.cpu.eip.wrapping_sub(EXIT_CODE.len() as u32);
        if exit == CODE + case.code_length as u32 {
            return Some(0);
        }
        (1..).zip(EXITS).find(|&(_, address)| address == exit).map(|(number, _)| number)
    }

    fn final_state(&mut self, case: &Case, exit: u8) -> Final {
        let mut registers = [0; 8];
        registers.copy_from_slice(&self.cpu.gpr[..8]);
        Final {
            exit,
            registers,
            flags: self.cpu.eflags(),
            floating: case.floating.map(|_| to_image(&self.cpu.x87, &self.cpu.simd)),
            memory: case.memory.map(|_| {
                let mut window = [0; WINDOW_SIZE];
                self.cpu.memory.read_bytes(WINDOW, &mut window).expect("the window is readable");
                window
            }),
        }
    }
}

/// The signal that Linux sends for an exception.
fn signal(trap: Trap) -> u8 {
    match trap {
        Trap::InvalidOpcode => 4,
        Trap::Breakpoint => 5,
        Trap::DivideError | Trap::MathFault | Trap::SimdFault => 8,
        Trap::Overflow | Trap::Bound | Trap::GeneralProtection => 11,
    }
}

fn from_image(image: &[u8; FLOATING_SIZE]) -> (X87, Simd) {
    let mut x87 = X87 {
        control: u16::from_le_bytes([image[0], image[1]]),
        status: u16::from_le_bytes([image[2], image[3]]),
        tags: image[4],
        ..X87::default()
    };
    let mut simd = Simd { mxcsr: u32::from_le_bytes(bytes_at(image, 24)), ..Simd::default() };
    let top = usize::from(x87.top());
    for i in 0..8 {
        x87.regs[(top + i) % 8] = F80::from_bytes(bytes_at(image, ST_AT + 16 * i));
        simd.xmm[i] = u128::from_le_bytes(bytes_at(image, XMM_AT + 16 * i));
    }
    (x87, simd)
}

fn to_image(x87: &X87, simd: &Simd) -> [u8; FLOATING_SIZE] {
    let mut image = [0; FLOATING_SIZE];
    let mut put = |at: usize, bytes: &[u8]| image[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, &x87.control.to_le_bytes());
    put(2, &x87.status.to_le_bytes());
    put(4, &[x87.tags]);
    put(24, &simd.mxcsr.to_le_bytes());
    for i in 0..8 {
        put(ST_AT + 16 * i, &x87.st(i as u8).to_bytes());
        put(XMM_AT + 16 * i, &simd.xmm[i].to_le_bytes());
    }
    image
}

fn bytes_at<const N: usize>(image: &[u8; FLOATING_SIZE], at: usize) -> [u8; N] {
    std::array::from_fn(|i| image[at + i])
}
