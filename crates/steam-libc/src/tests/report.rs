//! Reports: the class of each problem, the words for it, and call stacks at every instruction.

use std::sync::Arc;

use steam_image::Image;
use steam_report::*;
use steam_state::{AccessKind, Context, HEAP_START, Protection, RegionKind, Table, ThreadId};
use steam_visibility::{Memory, Watch};
use steam_vm::{Cpu, Stop, Trap};

use super::{Bench, compile, image};

fn report(bench: &mut Bench, cause: &Cause) -> Report {
    let image = image();
    let Bench { cpu, heap, history, .. } = bench;
    let mut scene = Scene { image: &image, cpu, heap, history, thread: ThreadId::FIRST };
    build(cause, &mut scene)
}

/// Does an access as the program would, and reports its refusal.
fn access(bench: &mut Bench, address: u32, kind: AccessKind) -> Report {
    let esp = bench.cpu.gpr[Context::ESP];
    bench.cpu.memory.probe(address, 4, kind, esp).expect_err("an access that is refused");
    let error = bench.cpu.memory.take_error().expect("a reason");
    report(bench, &Cause::Access(error))
}

#[test]
fn accesses_are_classified() {
    let mut bench = Bench::new();
    let (low, _) = bench.cpu.memory.stack();
    let none = 0xb000_0000;
    bench.cpu.memory.map(none, none + 0x1000, Protection::NONE, RegionKind::Mapped);
    bench.cpu.memory.map(none + 0x1000, none + 0x2000, Protection::READ, RegionKind::Mapped);
    let esp = bench.cpu.gpr[Context::ESP];
    use AccessKind::{Read, Write};
    let cases = [
        (0, Read, Kind::NullAccess),
        (0xffc, Write, Kind::NullAccess),
        (0x1000, Read, Kind::UnmappedAccess),
        (none, Read, Kind::UnmappedAccess),
        (none + 0x1000, Write, Kind::ReadOnlyWrite),
        (esp - 4, Read, Kind::BelowStackPointer),
        (HEAP_START + 0x5000, Write, Kind::HeapOutOfBounds),
    ];
    for (address, kind, expected) in cases {
        assert_eq!(access(&mut bench, address, kind).kind, expected, "{address:#x}");
    }
    // Far from the stack pointer the same address is no stack.
    assert_eq!(access(&mut bench, low - 0x40_0000, Write).kind, Kind::UnmappedAccess);
    bench.cpu.gpr[Context::ESP] = low;
    assert_eq!(access(&mut bench, low - 4, Write).kind, Kind::StackOverflow);
    bench.cpu.gpr[Context::ESP] = low - 100;
    assert_eq!(access(&mut bench, low - 60, Write).kind, Kind::StackOverflow);
}

#[test]
fn guard_pages_near_the_stack_pointer_mean_overflow() {
    let mut bench = Bench::new();
    let guard = 0xb000_0000;
    bench.cpu.memory.map(guard, guard + 0x1000, Protection::NONE, RegionKind::Mapped);
    bench.cpu.gpr[Context::ESP] = guard + 0x1010;
    assert_eq!(access(&mut bench, guard + 0xff0, AccessKind::Write).kind, Kind::StackOverflow);
}

#[test]
fn the_life_of_a_block_is_told() {
    let mut bench = Bench::new();
    let block = bench.call("malloc", &[16]).unwrap();
    let told = access(&mut bench, block + 14, AccessKind::Write);
    assert_eq!(told.kind, Kind::HeapOutOfBounds);
    assert!(told.message.ends_with("just past the end of a block of 16 bytes"), "{told}");
    assert_eq!(told.access.map(|access| access.byte), Some(block + 16));
    let before = access(&mut bench, block - 4, AccessKind::Read);
    assert!(before.message.ends_with("4 bytes before a block of 16 bytes"), "{before}");
    bench.call("free", &[block]).unwrap();
    let told = access(&mut bench, block + 4, AccessKind::Read);
    assert_eq!(told.kind, Kind::UseAfterFree);
    let story = told.block.as_ref().expect("the freed block");
    assert_eq!((story.address, story.size, story.offset), (block, 16, 4));
    assert!(story.allocated.is_some() && story.freed.is_some());
    let text = told.to_string();
    assert!(text.starts_with("VIOLATION  heap-use-after-free: read of 4 bytes at 0x"), "{text}");
    assert!(text.trim_end().ends_with("[steam::use-after-free]"), "{text}");
}

#[test]
fn bad_frees_are_classified() {
    let mut bench = Bench::new();
    let block = bench.call("malloc", &[16]).unwrap();
    let stack = bench.cpu.gpr[Context::ESP];
    let free = |bench: &mut Bench, address: u32| {
        let failure = bench.call("free", &[address]).expect_err("a bad free");
        report(bench, &Cause::Model(failure))
    };
    let inside = free(&mut bench, block + 3);
    assert_eq!(inside.kind, Kind::InvalidFree);
    assert!(inside.message.ends_with("3 bytes inside a block of 16 bytes"), "{inside}");
    let on_stack = free(&mut bench, stack);
    assert_eq!(on_stack.kind, Kind::InvalidFree);
    assert!(on_stack.message.ends_with("which lies on the stack"), "{on_stack}");
    bench.call("free", &[block]).unwrap();
    assert_eq!(free(&mut bench, block).kind, Kind::DoubleFree);
    assert_eq!(free(&mut bench, block + 3).kind, Kind::InvalidFree);
    assert_eq!(free(&mut bench, 0x4141_4141).kind, Kind::InvalidFree);
}

#[test]
fn what_is_not_modelled_is_unknown() {
    let mut bench = Bench::new();
    let cause = Cause::SystemCall { number: 271, name: Some("futimesat"), detail: None };
    let told = report(&mut bench, &cause);
    assert!(!told.is_violation());
    assert!(told.to_string().starts_with("UNKNOWN (system call 271 futimesat at "), "{told}");
    let told = report(&mut bench, &Cause::Instruction { bytes: vec![0x0f, 0xae] });
    assert!(told.to_string().starts_with("UNKNOWN (instruction 0f ae at "), "{told}");
    let told = report(&mut bench, &Cause::Trap(Trap::DivideError));
    assert!(told.to_string().starts_with("VIOLATION  divide-error: "), "{told}");
}

#[test]
fn the_text_has_verdict_excerpt_stack_and_a_line_for_editors() {
    let file = std::env::temp_dir().join(format!("steam-report-{}.c", std::process::id()));
    std::fs::write(&file, "int f(int *p)\n{\n\treturn *p;\n}\n").unwrap();
    let name = file.to_str().unwrap();
    let place = |function: &str, line: Option<u32>| Location {
        address: 0x804_9000,
        function: Some(function.to_owned()),
        file: line.map(|_| name.to_owned()),
        line,
        column: line.map(|_| 9),
        inlined: false,
    };
    let told = Report {
        kind: Kind::NullAccess,
        message: "read of 4 bytes through a null pointer".to_owned(),
        thread: ThreadId(2),
        stack: vec![place("strlen", None), place("f", Some(3)), place("_start", None)],
        culprit: Some(1),
        access: None,
        block: None,
    };
    let expected = format!(
        "VIOLATION  null-access: read of 4 bytes through a null pointer\n\
         \n\
         error[memory]: read of 4 bytes through a null pointer\n \
         --> {name}:3:9\n  \
         |\n\
         3 |     return *p;\n  \
         |            ^ thread 2: in strlen, called from here\n  \
         |\n\
         call stack of thread 2\n    \
         at strlen (0x08049000)\n    \
         at f ({name}:3)\n\
         \n\
         {name}:3:9: error: null-access: read of 4 bytes through a null pointer \
         (in strlen, thread 2) [steam::null-access]\n"
    );
    assert_eq!(told.to_string(), expected);
    std::fs::remove_file(&file).unwrap();
}

/// Calls of all kinds, without a library: each function lies elsewhere on the stack.
const CALLS: &str = "
typedef int (*function)(int, int);
volatile int sink;
__attribute__((noinline)) int leaf(int a, int b) { sink = a; return a * b + sink; }
__attribute__((noinline)) int wide(int n) {
    volatile char room[3000]; room[n] = n; return leaf(room[n], n) + 1; }
__attribute__((noinline)) int sized(int n) {
    volatile char room[n * 16 + 16]; room[n] = n; return leaf(room[n], wide(n)); }
__attribute__((noinline)) int aligned(int n) {
    volatile int x __attribute__((aligned(64))) = n; return leaf(x, sized(n)) + x; }
__attribute__((noinline)) int many(int n, ...) {
    __builtin_va_list list; int sum = 0; __builtin_va_start(list, n);
    while (n--) sum += leaf(__builtin_va_arg(list, int), n); __builtin_va_end(list); return sum; }
__attribute__((noinline)) int indirect(function f, int n) { return f(n, 3) + f(4, n); }
__attribute__((noinline)) int deep(int n) {
    return n == 0 ? aligned(5) : deep(n - 1) + many(2, n, 3) + indirect(leaf, n); }
void _start(void) { sink = deep(6); __asm__ volatile(\"int $0x80\"); for (;;); }
";

fn load(image: &Image) -> Cpu {
    let mut memory = Memory::new(Arc::default(), &Table::default(), Watch::default());
    for segment in &image.segments {
        let (start, end) = (segment.address & !0xfff, segment.end().next_multiple_of(0x1000));
        memory.map(start, end, Protection::READ_WRITE, RegionKind::Image(0));
        memory.write_bytes(segment.address, &segment.data).unwrap();
        let protection = Protection { read: true, write: segment.write, execute: segment.execute };
        assert!(memory.protect(start, end, protection));
    }
    let stack = RegionKind::Stack(ThreadId::FIRST);
    memory.map(0xf000_0000, 0xf001_0000, Protection::READ_WRITE, stack);
    let mut cpu = Cpu::new(memory);
    cpu.gpr[Context::ESP] = 0xf000_f000;
    cpu.eip = image.entry;
    cpu
}

/// Steps through a program and compares the call stack with one that is kept by watching calls.
fn follow(flags: &[&str], name: &str) {
    let image = compile(name, CALLS, &[&["-nostdlib", "-ffreestanding", "-g"], flags].concat());
    let mut cpu = load(&image);
    let mut shadow: Vec<(u32, u32)> = Vec::new();
    let mut deepest = 0;
    for _ in 0..50_000 {
        let esp = cpu.gpr[Context::ESP];
        shadow.retain(|&(_, place)| place >= esp);
        let expected: Vec<u32> = shadow.iter().rev().map(|&(address, _)| address).collect();
        let found = activations(&image, &mut cpu, Stands::At);
        let found: Vec<u32> = found[1..].iter().map(|activation| activation.eip).collect();
        let thunk = image.symbols.at(cpu.eip).is_some_and(|(s, _)| s.name.contains("thunk"));
        assert!(
            thunk || found == expected,
            "{flags:?} at {:#x}: {found:x?} {expected:x?}",
            cpu.eip
        );
        deepest = deepest.max(found.len());
        let mut code = [0; 2];
        cpu.memory.read_bytes(cpu.eip, &mut code).unwrap();
        match cpu.run(1) {
            Stop::Limit => {}
            Stop::SystemCall => {
                assert!(deepest > 9, "no deep call stack was seen");
                return;
            }
            other => panic!("{other:?}"),
        }
        // call, or call through a register or memory.
        if code[0] == 0xe8 || (code[0] == 0xff && code[1] >> 3 & 7 == 2) {
            let place = cpu.gpr[Context::ESP];
            let address = cpu.memory.load(place, 0).map(u32::from_le_bytes).unwrap();
            shadow.push((address, place));
        }
    }
    panic!("the program does not end");
}

#[test]
fn call_stacks_are_right_at_every_instruction() {
    follow(&["-O0"], "calls0");
    follow(&["-O2", "-fno-inline"], "calls2");
    follow(&["-Os", "-fno-inline", "-fomit-frame-pointer"], "callss");
    follow(&["-O3", "-fno-inline", "-static-pie", "-fpie"], "callspie");
}

#[test]
fn frame_pointers_serve_where_there_is_no_frame_information() {
    let flags = ["-nostdlib", "-ffreestanding", "-O0", "-fno-asynchronous-unwind-tables"];
    let image = compile("framed", CALLS, &flags);
    let mut cpu = load(&image);
    let aligned = image.symbols.find("deep").next().unwrap();
    let mut depths = Vec::new();
    for _ in 0..5000 {
        // After the prologue of the recursive function.
        if cpu.eip.wrapping_sub(aligned.address) == 20 {
            depths.push(activations(&image, &mut cpu, Stands::At).len());
        }
        if cpu.run(1) == Stop::SystemCall {
            break;
        }
    }
    depths.sort_unstable();
    depths.dedup();
    assert!(depths.len() >= 6, "{depths:?}");
}
