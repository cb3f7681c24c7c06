//! Tests of the models: random bytes, and what a loop over bytes makes of them.

mod heap;
mod origin;
mod report;
mod text;

use std::collections::BTreeMap;
use std::sync::Arc;

use steam_image::Image;
use steam_linux::objects::LockPool;
use steam_linux::stores::GuestStores;
use steam_report::CallStacks;
use steam_report::Failure;
use steam_report::History;
use steam_state::{Context, HEAP_START, HeapPool, Protection, RegionKind, Stores, Table, ThreadId};
use steam_visibility::{Memory, Watch};
use steam_vm::Cpu;

use super::call::LibraryCall;
use super::origin::Library;
use super::{Models, Variables, table};

const STACK: u32 = 0xffff_0000;
/// Where calls in these tests return to.
const SITE: u32 = 0x0804_8010;

/// A machine without a program, whose library functions can be called.
pub(crate) struct Bench {
    pub(crate) cpu: Cpu,
    pub(crate) heap: HeapPool,
    objects: LockPool,
    pub(crate) history: History,
    library: Library,
    thread: ThreadId,
}

/// A program of one page that does nothing.
pub(crate) fn image() -> Image {
    let mut bytes = vec![0x7f, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let half = |bytes: &mut Vec<u8>, value: u16| bytes.extend(value.to_le_bytes());
    let word = |bytes: &mut Vec<u8>, value: u32| bytes.extend(value.to_le_bytes());
    for value in [2, 3] {
        half(&mut bytes, value);
    }
    for value in [1, 0x0804_8060, 52, 0, 0] {
        word(&mut bytes, value);
    }
    for value in [52, 32, 1, 0, 0, 0] {
        half(&mut bytes, value);
    }
    for value in [1, 0, 0x0804_8000, 0x0804_8000, 0x1000, 0x1000, 5, 0x1000] {
        word(&mut bytes, value);
    }
    bytes.resize(0x1000, 0x90);
    Image::parse(&bytes, "bench").expect("a program")
}

impl Bench {
    pub(crate) fn new() -> Self {
        let stores: Arc<Stores> = Arc::default();
        let mut memory = Memory::new(Arc::clone(&stores), &Table::default(), Watch::default());
        let heap_end = HEAP_START + 0x100_0000;
        memory.map(HEAP_START, heap_end, Protection::READ_WRITE, RegionKind::Heap);
        let stack = RegionKind::Stack(ThreadId::FIRST);
        memory.map(STACK, STACK + 0x4000, Protection::READ_WRITE, stack);
        memory.set_stack(STACK, STACK + 0x4000);
        let mut cpu = Cpu::new(memory);
        cpu.gpr[Context::ESP] = STACK + 0x3000;
        let recorder = cpu.memory.recorder().clone();
        Self {
            cpu,
            heap: HeapPool::new(Arc::clone(&stores), 2, recorder.clone()),
            objects: LockPool::new(Arc::new(GuestStores::new(stores)), Table::default(), recorder),
            history: History::new(CallStacks::new(&image())),
            library: Library::Glibc,
            thread: ThreadId::FIRST,
        }
    }

    /// Calls a function as a program does; the stack is as before afterwards.
    pub(crate) fn call(&mut self, name: &str, arguments: &[u32]) -> Result<u32, Failure> {
        let before = self.cpu.gpr[Context::ESP];
        for (position, value) in [SITE].iter().chain(arguments).enumerate() {
            let place = before + 4 * position as u32;
            self.cpu.memory.write_bytes(place, &value.to_le_bytes()).expect("stack");
        }
        let models = Models {
            rows: vec![table::row(name).expect(name)],
            arguments: Vec::new(),
            notes: Vec::new(),
            library: self.library,
            variables: Variables::default(),
            operators: Default::default(),
            bookkeeping: Vec::new(),
            by_address: BTreeMap::new(),
        };
        let (heap, objects) = (&mut self.heap, &mut self.objects);
        let mut call =
            LibraryCall::new(&mut self.cpu, heap, objects, self.thread, &mut self.history);
        let result = models.call(0, &mut call);
        let esp = &mut self.cpu.gpr[Context::ESP];
        let moved = *esp - before;
        *esp = before;
        match result {
            Ok(()) => {
                assert_eq!((self.cpu.eip, moved), (SITE, 4), "{name} does not return");
                Ok(self.cpu.gpr[Context::EAX])
            }
            Err(failure) => {
                assert_eq!(moved, 0, "{name} moves the stack pointer though it fails");
                Err(failure)
            }
        }
    }

    /// Makes bytes of the heap accessible that no block owns, and fills them.
    fn place(&mut self, address: u32, bytes: &[u8]) {
        self.cpu.memory.set_valid(address, address + bytes.len() as u32, true);
        self.cpu.memory.write_bytes(address, bytes).expect("valid");
    }

    fn bytes(&mut self, address: u32, size: usize) -> Vec<u8> {
        let mut bytes = vec![0; size];
        self.cpu.memory.read_bytes(address, &mut bytes).expect("readable");
        bytes
    }
}

/// Compiles a C program for the guest.
pub(crate) fn compile(name: &str, source: &str, flags: &[&str]) -> Image {
    let directory = std::env::temp_dir().join(format!("steam-linux-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory for programs");
    let (file, program) = (directory.join(format!("{name}.c")), directory.join(name));
    std::fs::write(&file, source).expect("a source file");
    let kind = if flags.contains(&"-static-pie") { "-fPIE" } else { "-static" };
    let compiler = std::process::Command::new("gcc")
        .args(["-m32", "-w", kind])
        .args(flags)
        .arg("-o")
        .args([&program, &file])
        .status();
    assert!(compiler.expect("gcc").success(), "gcc -m32 does not compile {name}.c");
    Image::read_file(&program).expect("a program")
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }
}
