//! From what the machine stopped with to the class of the problem and its words.

use steam_state::{
    AccessError, AccessKind, Block, Context, HEAP_START, Problem, Protection, RegionKind,
};
use steam_vm::Trap;

use super::block::{self, BlockStory, count};
use super::place::{self, Location};
use super::{Access, Cause, Kind, Report, Scene, Stands, abort, uninitialised, unwind};
use crate::failure::{Failure, FailureProblem, Form};
use crate::history::{Event, Life};

/// Addresses below this are null pointers with an offset.
const NULL_END: u32 = 4096;
/// The position of the second argument of a request among the registers.
const EDX: usize = 2;
/// An access this near to the stack pointer is meant for the stack.
const NEAR_STACK: u32 = 0x1_0000;

/// The class of a problem, its words and the block that it concerns.
pub(super) struct Finding {
    pub(super) kind: Kind,
    pub(super) message: String,
    pub(super) access: Option<Access>,
    pub(super) block: Option<BlockStory>,
}

impl Finding {
    pub(super) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), access: None, block: None }
    }
}

/// Makes the report of a cause.
pub(super) fn report(cause: &Cause, scene: &mut Scene<'_>) -> Report {
    let model = match cause {
        Cause::Model(_) | Cause::JoinedTwice | Cause::BadCall { .. } => true,
        Cause::Misuse(misuse) => !misuse.family.is_requested(),
        Cause::Annotation { stands, .. } => *stands == Stands::AtEntry,
        _ => false,
    };
    let mut activations = unwind::stack(scene.image, scene.cpu, model);
    let behind = matches!(
        cause,
        Cause::Trap(Trap::Breakpoint)
            | Cause::Assertion
            | Cause::Annotation { stands: Stands::Behind, .. }
            | Cause::LargeToss { .. }
            | Cause::Request { .. }
    );
    if let Some(innermost) = activations.first_mut().filter(|_| behind) {
        // The CPU stands after the instruction, as it does after a call.
        innermost.exact = false;
    }
    let mut stack = place::stack(scene.image, &activations);
    if let Some(innermost) = stack.first_mut() {
        match cause {
            Cause::Model(failure) => innermost.function = Some(failure.function.to_owned()),
            // What is there is no function, whatever its name.
            Cause::Access(AccessError { kind: AccessKind::Execute, .. }) => {
                innermost.function = None;
            }
            _ => {}
        }
    }
    let finding = match cause {
        Cause::Access(error) => access(error, scene),
        Cause::Model(failure) => model_failure(failure, scene),
        Cause::Trap(trap) => exception(*trap, scene),
        Cause::Signal { number, name } => abort::signal(*number, name, scene, &activations, &stack),
        Cause::Limit { number, name, detail } => {
            Finding::new(Kind::LimitReached, format!("system call {number} {name}, {detail}"))
        }
        Cause::SystemCall { number, name, detail } => {
            system_call(*number, *name, detail.as_deref())
        }
        Cause::Buffer { call, error } => {
            let finding = access(error, scene);
            let message = format!("in the system call {call}: {}", finding.message);
            Finding { message, ..finding }
        }
        Cause::Stopped { name } => {
            Finding::new(Kind::UnsupportedSignal, format!("{name} stops the program"))
        }
        Cause::Assertion => assertion(scene),
        Cause::Deadlock { waits } => {
            Finding::new(Kind::Deadlock, format!("no thread can go on: {}", waits.join("; ")))
        }
        Cause::Misuse(misuse) => Finding::new(Kind::Misuse(misuse.name()), misuse.to_string()),
        Cause::JoinedTwice => Finding::new(
            Kind::JoinedTwice,
            "pthread_join of a thread that was joined before, or was detached and has ended, or is none",
        ),
        Cause::LockKept { message } => Finding::new(Kind::LockKept, message),
        Cause::BadCall { name, message } => Finding::new(Kind::Misuse(name), message),
        Cause::Annotation { message, .. } => Finding::new(Kind::Annotation, message),
        Cause::Divergence => Finding::new(
            Kind::Divergence,
            "the thread runs on and on without anything that another thread could see",
        ),
        Cause::LongRun { instructions } => Finding::new(
            Kind::LongRun,
            format!(
                "the thread runs for more than {instructions} instructions without anything that another thread \
                 could see, and was not seen to repeat: --divergence N allows it N, and makes more an error"
            ),
        ),
        Cause::StandingClock => Finding::new(
            Kind::UnsupportedInstruction,
            "a loop that waits for the time stamp counter or a clock, which stands still in a check",
        ),
        Cause::Status(status) => {
            Finding::new(Kind::ExitStatus, format!("the program ended with status {status}"))
        }
        Cause::Cancellation => Finding::new(
            Kind::UnsupportedRequest,
            "a thread is cancelled, and the program has neither pthread_testcancel nor \
             pthread_exit that could end it",
        ),
        Cause::Borrower { does } => Finding::new(
            Kind::UnknownSystemCall,
            format!("a child of vfork {does} while other threads of its parent go on"),
        ),
        Cause::LargeToss { values } => Finding::new(
            Kind::LargeChoice,
            format!("a choice among {values} values, of which a few were tried"),
        ),
        Cause::Uninitialised { user, birth } => uninitialised::used(user, *birth, scene),
        Cause::Request { number } => Finding::new(
            Kind::UnsupportedRequest,
            format!("request {number} of steam.h, which this version does not know"),
        ),
        Cause::Instruction { bytes } => {
            let what = vm_isa::describe_unmodelled(bytes).unwrap_or_else(|| {
                let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                bytes.join(" ")
            });
            Finding::new(Kind::UnsupportedInstruction, format!("instruction {what}"))
        }
    };
    Report {
        kind: finding.kind,
        message: finding.message,
        thread: scene.thread,
        culprit: culprit(&stack),
        stack,
        access: finding.access,
        block: finding.block,
    }
}

/// Where the scene's thread is.
pub(super) fn location(scene: &mut Scene<'_>) -> Option<Location> {
    let activations = unwind::stack(scene.image, scene.cpu, false);
    let mut stack = place::stack(scene.image, &activations);
    culprit(&stack).map(|position| stack.swap_remove(position))
}

/// The innermost line that the user wrote, or else the innermost line.
pub(super) fn culprit(stack: &[Location]) -> Option<usize> {
    let users = stack.iter().position(Location::is_users);
    users.or_else(|| stack.iter().position(Location::has_line))
}

/// The request of `VASSERT`, whose second argument is the text of the condition.
fn assertion(scene: &mut Scene<'_>) -> Finding {
    let text = abort::text(scene, scene.cpu.gpr[EDX]);
    let message = text.map(|text| format!("assertion failed: {text}"));
    Finding::new(Kind::Assert, message.unwrap_or_else(|| "an assertion is false".to_owned()))
}

fn model_failure(failure: &Failure, scene: &mut Scene<'_>) -> Finding {
    match failure.problem {
        FailureProblem::Access(error) => access(&error, scene),
        FailureProblem::Free { address, inside } => {
            bad_free(failure.function, address, inside, scene)
        }
        FailureProblem::Mismatch { block, made, freed } => mismatch(&block, made, freed, scene),
        FailureProblem::Overlap { target, source, size } => {
            overlap(failure.function, target, source, size)
        }
        FailureProblem::Misuse(misuse) => {
            Finding::new(Kind::Misuse(misuse.name()), misuse.to_string())
        }
        FailureProblem::Uninitialised { birth } => {
            uninitialised::read(failure.function, birth, scene)
        }
        FailureProblem::NotModelled(what) => {
            Finding::new(Kind::UnsupportedRequest, format!("{what}, which is not modelled"))
        }
        FailureProblem::Limit(what) => {
            Finding::new(Kind::LimitReached, format!("{what}, which is not modelled"))
        }
    }
}

fn mismatch(block: &Block, made: Form, freed: Form, scene: &Scene<'_>) -> Finding {
    let life = scene.history.live(block).unwrap_or_else(|| unseen(block));
    let message = format!(
        "{} of {:#010x}, a block of {} that {made} made; {} belongs to that",
        freed.freer(),
        block.address,
        count(block.size),
        made.freer()
    );
    let story = block::story(scene.image, &life, block.address);
    Finding { block: Some(story), ..Finding::new(Kind::MismatchedFree, message) }
}

fn overlap(function: &str, target: u32, source: u32, size: u32) -> Finding {
    let instead = if function == "memcpy" { "; memmove may do that" } else { "" };
    let message = format!(
        "{function} of {} from {source:#010x} to {target:#010x}, which overlap{instead}",
        count(size)
    );
    Finding::new(Kind::OverlappingCopy, message)
}

fn access(error: &AccessError, scene: &mut Scene<'_>) -> Finding {
    let mut finding = match error.problem {
        Problem::Heap => heap_access(error, scene),
        Problem::BelowStackPointer => below_stack(error, scene),
        Problem::EndedStack => ended_stack(error, scene),
        Problem::PastFileEnd => past_file_end(error, scene),
        Problem::Unmapped | Problem::Protected => unmapped(error, scene),
    };
    let AccessError { kind, address, size, byte, .. } = *error;
    if kind == AccessKind::Execute && unwind::returned_astray(scene.image, scene.cpu) {
        finding.message =
            format!("return to {address:#010x}: the return address was probably overwritten");
    }
    finding.access = Some(Access { kind, address, size, byte });
    finding
}

/// `read of 4 bytes at 0x60000010`.
fn describe(error: &AccessError) -> String {
    match error.kind {
        AccessKind::Execute => format!("jump to {:#010x}", error.address),
        AccessKind::Read => format!("read of {} at {:#010x}", count(error.size), error.address),
        AccessKind::Write => format!("write of {} at {:#010x}", count(error.size), error.address),
    }
}

fn heap_access(error: &AccessError, scene: &Scene<'_>) -> Finding {
    let freed = scene.history.freed_at(error.byte);
    let kind = if freed.is_some() { Kind::UseAfterFree } else { Kind::HeapOutOfBounds };
    let life = freed.or_else(|| block::nearest(scene.heap, scene.history, error.byte));
    let story = life.map(|life| block::story(scene.image, &life, error.byte));
    let relation = story.as_ref().map_or_else(
        || "outside of all blocks".to_owned(),
        |story| {
            // Of a large access the first bytes may be fine.
            let whole = error.byte == error.address;
            let byte = format!("byte {} of it lies ", error.byte.wrapping_sub(error.address));
            format!("{}{}", if whole { "" } else { &byte }, story.relation())
        },
    );
    let message = format!("{}, {relation}", describe(error));
    Finding { block: story, ..Finding::new(kind, message) }
}

fn past_file_end(error: &AccessError, scene: &Scene<'_>) -> Finding {
    let size = scene.cpu.memory.past_file_end(error.byte).map(|part| part.size);
    let size = size.map_or(String::new(), |size| format!(", which has {size} bytes"));
    let message =
        format!("{}, on a page past the end of the mapped file{size} (SIGBUS)", describe(error));
    Finding::new(Kind::BusError, message)
}

fn below_stack(error: &AccessError, scene: &Scene<'_>) -> Finding {
    let esp = scene.cpu.gpr[Context::ESP];
    let (low, _) = scene.cpu.memory.stack();
    if esp < low {
        return overflow(error);
    }
    let distance = count(esp.wrapping_sub(error.byte));
    let message = format!("{}, {distance} below the stack pointer", describe(error));
    Finding::new(Kind::BelowStackPointer, message)
}

fn ended_stack(error: &AccessError, scene: &Scene<'_>) -> Finding {
    let whose = match scene.cpu.memory.layout().kind(error.byte).owner() {
        Some(thread) => format!("thread {}", thread.0),
        None => "a thread".to_owned(),
    };
    let message = format!("{}, on the stack of {whose}, which has ended", describe(error));
    Finding::new(Kind::UseAfterReturn, message)
}

fn overflow(error: &AccessError) -> Finding {
    let message = format!("{}, past the end of the stack", describe(error));
    Finding::new(Kind::StackOverflow, message)
}

fn unmapped(error: &AccessError, scene: &mut Scene<'_>) -> Finding {
    if error.byte < NULL_END {
        return null(error);
    }
    if is_stack_overflow(error.byte, scene) {
        return overflow(error);
    }
    // Right in front of the pool: meant for its first block.
    if error.kind != AccessKind::Execute
        && (HEAP_START - NULL_END..HEAP_START).contains(&error.byte)
    {
        return heap_access(error, scene);
    }
    let what = describe(error);
    let region = scene.cpu.memory.regions().find(error.byte);
    let Some((_, region)) = region else {
        let kind = match error.kind {
            AccessKind::Execute => Kind::NotExecutable,
            _ => Kind::UnmappedAccess,
        };
        return Finding::new(kind, format!("{what}, where nothing is mapped"));
    };
    match error.kind {
        AccessKind::Execute => {
            let whose = owner(error.byte, scene);
            Finding::new(Kind::NotExecutable, format!("{what}, which is no code{whose}"))
        }
        AccessKind::Write if region.protection.read => {
            let whose = owner(error.byte, scene);
            Finding::new(Kind::ReadOnlyWrite, format!("{what}, which is only to be read{whose}"))
        }
        _ => Finding::new(Kind::UnmappedAccess, format!("{what}, where no access is allowed")),
    }
}

fn null(error: &AccessError) -> Finding {
    let start = if error.address < NULL_END { error.address } else { error.byte };
    let pointer = match start {
        0 => "a null pointer".to_owned(),
        offset => format!("null pointer + {offset}"),
    };
    let message = match error.kind {
        AccessKind::Execute => format!("call of {pointer}"),
        AccessKind::Read => format!("read of {} through {pointer}", count(error.size)),
        AccessKind::Write => format!("write of {} through {pointer}", count(error.size)),
    };
    Finding::new(Kind::NullAccess, message)
}

/// Whether an access was meant for the stack and the stack has no more room: it lies near the
/// stack pointer, below the stack's end or in a guard page.
fn is_stack_overflow(byte: u32, scene: &Scene<'_>) -> bool {
    let esp = scene.cpu.gpr[Context::ESP];
    let (low, high) = scene.cpu.memory.stack();
    let below = low != high
        && byte < low
        && byte.saturating_add(NEAR_STACK) >= esp
        && esp < low.saturating_add(NEAR_STACK);
    let guard = scene.cpu.memory.regions().find(byte).is_some_and(|(_, region)| {
        region.protection == Protection::NONE && byte.abs_diff(esp) < NEAR_STACK
    });
    below || guard
}

/// The variable or function that covers an address, in words.
fn owner(address: u32, scene: &Scene<'_>) -> String {
    let symbol = scene.image.symbols.at(address);
    symbol.map_or_else(String::new, |(symbol, _)| {
        format!(" (in `{}`)", steam_image::demangle(&symbol.name))
    })
}

fn bad_free(function: &str, address: u32, inside: Option<Block>, scene: &mut Scene<'_>) -> Finding {
    let told = |kind, life: &Life, words: String| {
        let story = block::story(scene.image, life, address);
        Finding { block: Some(story), ..Finding::new(kind, words) }
    };
    if let Some(block) = inside {
        let life = scene.history.live(&block).unwrap_or_else(|| unseen(&block));
        let story = block::story(scene.image, &life, address);
        let words = format!("{function} of {address:#010x}, {}", story.relation());
        return told(Kind::InvalidFree, &life, words);
    }
    if let Some(life) = scene.history.freed_from(address) {
        let words = format!(
            "{function} of {address:#010x}, a block of {} that was freed before",
            count(life.size)
        );
        return told(Kind::DoubleFree, &life, words);
    }
    if let Some(life) = scene.history.freed_at(address) {
        let story = block::story(scene.image, &life, address);
        let words = format!("{function} of {address:#010x}, {}", story.relation());
        return told(Kind::InvalidFree, &life, words);
    }
    let what = what_is_there(address, scene);
    Finding::new(Kind::InvalidFree, format!("{function} of {address:#010x}, {what}"))
}

fn unseen(block: &Block) -> Life {
    let allocated = Event { thread: block.arena, instructions: 0, stack: vec![block.site] };
    Life { address: block.address, size: block.size, allocated, freed: None }
}

/// What lies at an address that is no heap block.
fn what_is_there(address: u32, scene: &Scene<'_>) -> String {
    let (low, high) = scene.cpu.memory.stack();
    if (low..high).contains(&address) {
        return "which lies on the stack".to_owned();
    }
    let region = scene.cpu.memory.regions().find(address);
    match region.map(|(_, region)| region.kind) {
        None => "where nothing is mapped".to_owned(),
        Some(RegionKind::Stack(_) | RegionKind::EndedStack { .. }) => {
            "which lies on the stack".to_owned()
        }
        Some(RegionKind::Heap) => "which is no block of the heap".to_owned(),
        Some(RegionKind::Image(_)) => {
            format!("which belongs to the program itself{}", owner(address, scene))
        }
        Some(
            RegionKind::Break
            | RegionKind::Mapped
            | RegionKind::FileCopy { .. }
            | RegionKind::Former { .. }
            | RegionKind::PastFileEnd
            | RegionKind::Shared(_),
        ) => "which no malloc gave".to_owned(),
    }
}

fn exception(trap: Trap, scene: &mut Scene<'_>) -> Finding {
    let (kind, message) = match trap {
        Trap::DivideError => {
            (Kind::DivideError, "division by zero, or a quotient that does not fit")
        }
        Trap::InvalidOpcode if is_trap_instruction(scene) => (
            Kind::IllegalInstruction,
            "trap instruction (ud2, as __builtin_trap and sanitizers emit it)",
        ),
        Trap::InvalidOpcode => (Kind::IllegalInstruction, "the bytes here are no instruction"),
        Trap::Overflow => (Kind::CpuException, "`into` found an overflow"),
        Trap::Bound => (Kind::CpuException, "`bound` found an index outside its range"),
        Trap::GeneralProtection if is_vector_instruction(scene) => {
            (Kind::CpuException, "a misaligned 16-byte operand: its address is no multiple of 16")
        }
        Trap::GeneralProtection => {
            (Kind::CpuException, "an instruction that user mode may not execute so")
        }
        Trap::Breakpoint => (Kind::CpuException, "a breakpoint instruction"),
        Trap::MathFault => (Kind::CpuException, "an unmasked floating point exception"),
        Trap::SimdFault => (Kind::CpuException, "an unmasked SSE floating point exception"),
    };
    Finding::new(kind, message)
}

/// Whether the CPU stands at `ud2`.
fn is_trap_instruction(scene: &mut Scene<'_>) -> bool {
    code(scene).starts_with(&[0x0f, 0x0b])
}

/// Whether the CPU stands at an SSE instruction, which is privileged never and faults only for the
/// alignment of its operand.
fn is_vector_instruction(scene: &mut Scene<'_>) -> bool {
    const PREFIXES: [u8; 9] = [0x66, 0xf2, 0xf3, 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65];
    let mut bytes = code(scene).into_iter().skip_while(|byte| PREFIXES.contains(byte));
    bytes.next() == Some(0x0f)
        && matches!(
            bytes.next(),
            Some(
                0x10..=0x17 | 0x28..=0x2f | 0x38 | 0x3a | 0x50..=0x7f | 0xae | 0xc2..=0xc6 | 0xd0..,
            )
        )
}

/// The first bytes of the instruction at which the CPU stands, as far as they can be read.
fn code(scene: &mut Scene<'_>) -> Vec<u8> {
    let start = scene.cpu.eip;
    let addresses = (0..6).map_while(|offset| start.checked_add(offset));
    let memory = &mut scene.cpu.memory;
    let bytes = addresses.map_while(|address| {
        let mut byte = [0];
        let read = memory.read_bytes(address, &mut byte);
        if read.is_err() {
            memory.take_error();
        }
        read.is_ok().then_some(byte[0])
    });
    bytes.collect()
}

fn system_call(number: u32, name: Option<&str>, detail: Option<&str>) -> Finding {
    let name = name.map(|name| format!(" {name}")).unwrap_or_default();
    let detail = detail.map(|detail| format!(", {detail}")).unwrap_or_default();
    Finding::new(Kind::UnknownSystemCall, format!("system call {number}{name}{detail}"))
}
