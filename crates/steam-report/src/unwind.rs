//! Call stacks of the guest: the program's call frame information, and where it has none frame
//! pointers, or what looks like a return address on the stack.

use std::fmt;
use std::ops::Range;

use steam_image::{Activation, Image, Rule, Unwinder};
use steam_state::Context;
use steam_vm::Cpu;

use super::scan::{self, Evidence};
use super::signal_frame;

/// Functions in the call stack of a report.
const DEEPEST: usize = 64;
/// Return addresses that the history keeps for an event.
const REMEMBERED: usize = 16;
/// Entries of the cache of rules.
const CACHE: usize = 4096;

/// Which addresses hold the program's code.
#[derive(Clone, Debug)]
pub(super) struct Code(Vec<(u32, u32)>);

impl Code {
    fn new(image: &Image) -> Self {
        let code = image.segments.iter().filter(|segment| segment.execute);
        Self(code.map(|segment| (segment.address, segment.end())).collect())
    }

    pub(super) fn contains(&self, address: u32) -> bool {
        self.0.iter().any(|&(start, end)| (start..end).contains(&address))
    }
}

/// Takes call stacks quickly, for the history: rules are kept by the address they are for.
pub struct CallStacks {
    unwinder: Unwinder,
    code: Code,
    /// What called `main` is of no interest.
    main: Range<u32>,
    rules: Vec<Option<(u32, Option<Rule>)>>,
    stack: Vec<u32>,
}

impl fmt::Debug for CallStacks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallStacks").field("code", &self.code).finish_non_exhaustive()
    }
}

impl CallStacks {
    /// For the functions of a program.
    pub fn new(image: &Image) -> Self {
        Self {
            unwinder: image.unwinder.clone(),
            code: Code::new(image),
            main: main(image),
            rules: vec![None; CACHE],
            stack: Vec::with_capacity(REMEMBERED),
        }
    }

    /// The return addresses of a CPU that stands at the first byte of a function, innermost first; so many of
    /// them at most.
    pub fn callers(&mut self, cpu: &mut Cpu, most: usize) -> &[u32] {
        self.stack.clear();
        let mut next = entered(&activation(cpu), cpu, &self.code);
        while let Some(here) = next {
            self.stack.push(here.eip);
            if self.stack.len() >= most.min(REMEMBERED) || self.main.contains(&here.probe()) {
                break;
            }
            let slot = here.eip as usize % CACHE;
            if self.rules[slot].as_ref().is_none_or(|(address, _)| *address != here.eip) {
                self.rules[slot] = Some((here.eip, self.unwinder.rule(&here)));
            }
            let rule = self.rules[slot].as_ref().and_then(|(_, rule)| rule.as_ref());
            next = caller(&here, rule, cpu, &self.code);
        }
        &self.stack
    }
}

/// The addresses of `main`; none where it is not known.
fn main(image: &Image) -> Range<u32> {
    let symbol = image.symbols.find("main").find(|symbol| symbol.global);
    symbol.map_or(0..0, |symbol| symbol.address..symbol.address.saturating_add(symbol.size))
}

/// Where the CPU stands.
pub(super) fn activation(cpu: &Cpu) -> Activation {
    Activation { gpr: std::array::from_fn(|i| cpu.gpr[i]), eip: cpu.eip, exact: true }
}

/// The call stack of a stopped CPU, innermost first. `at_entry` says that it stands at the first
/// byte of a function.
pub(super) fn stack(image: &Image, cpu: &mut Cpu, at_entry: bool) -> Vec<Activation> {
    let code = Code::new(image);
    let first = activation(cpu);
    let mut found = vec![first];
    if at_entry {
        found.extend(entered(&first, cpu, &code));
    } else if !code.contains(first.eip) {
        // Most likely a call, then the return address is on top; if not, it was a return.
        found.extend(scan::caller(&first, Evidence::Call, image, cpu, &code));
    }
    while found.len() < DEEPEST {
        let Some(&here) = found.last().filter(|here| code.contains(here.eip)) else { break };
        let Some(next) = next(&here, image, cpu, &code) else { break };
        found.push(next);
    }
    found
}

/// Whether the CPU came where no code is by a return: what it took from the stack is still there,
/// and no call pushed a return address.
pub(super) fn returned_astray(image: &Image, cpu: &mut Cpu) -> bool {
    let code = Code::new(image);
    let (eip, esp) = (cpu.eip, cpu.gpr[Context::ESP]);
    let top = word(cpu, esp);
    !code.contains(eip)
        && word(cpu, esp.wrapping_sub(4)) == Some(eip)
        && !top.is_some_and(|top| scan::is_return_address(top, image, cpu, &code))
}

fn next(here: &Activation, image: &Image, cpu: &mut Cpu, code: &Code) -> Option<Activation> {
    let rule = image.unwinder.rule(here);
    if !here.exact {
        return caller(here, rule.as_ref(), cpu, code);
    }
    let called = |cpu: &mut Cpu| scan::caller(here, Evidence::CallsThisFunction, image, cpu, code);
    if let Some(rule) = rule {
        return caller(here, Some(&rule), cpu, code).or_else(|| {
            // A state does not have the frame pointer where the function reads it no more.
            let frame = called(cpu)?.gpr[Context::ESP];
            rule.caller_above(frame, here, &mut |address| word(cpu, address))
        });
    }
    // A function in assembly that keeps no frame pointer has that of a caller: it would lead past
    // the one that is wanted.
    called(cpu)
        .filter(|next| frame_is_above(here, next))
        .or_else(|| caller(here, None, cpu, code))
        .or_else(|| scan::caller(here, Evidence::Call, image, cpu, code))
}

/// Whether a return address lies below the frame that the frame pointer gives, if any.
fn frame_is_above(here: &Activation, next: &Activation) -> bool {
    let frame = here.gpr[Context::EBP];
    frame < here.gpr[Context::ESP] || next.gpr[Context::ESP] <= frame
}

/// The caller of a function of which nothing was executed yet.
fn entered(here: &Activation, cpu: &mut Cpu, code: &Code) -> Option<Activation> {
    let esp = here.gpr[Context::ESP];
    let eip = word(cpu, esp)?;
    let mut next = Activation { eip, exact: false, ..*here };
    next.gpr[Context::ESP] = esp.wrapping_add(4);
    code.contains(eip).then_some(next)
}

fn caller(
    here: &Activation,
    rule: Option<&Rule>,
    cpu: &mut Cpu,
    code: &Code,
) -> Option<Activation> {
    let next = match rule {
        Some(rule) => rule.caller(here, &mut |address| word(cpu, address))?,
        None => signal_frame::interrupted(here, cpu).or_else(|| framed(here, cpu))?,
    };
    // The stack of a caller lies higher, unless a signal handler has a stack of its own; or as high
    // where the running function has taken its return address from the stack, as `vfork` does.
    let (above, below) = (next.gpr[Context::ESP], here.gpr[Context::ESP]);
    let ascends = next.exact || above > below || here.exact && above == below;
    (ascends && code.contains(next.eip)).then_some(next)
}

/// The caller of a function that keeps a frame pointer.
fn framed(here: &Activation, cpu: &mut Cpu) -> Option<Activation> {
    let frame = here.gpr[Context::EBP];
    if frame < here.gpr[Context::ESP] {
        return None;
    }
    let mut next = Activation { eip: word(cpu, frame.wrapping_add(4))?, exact: false, ..*here };
    next.gpr[Context::EBP] = word(cpu, frame)?;
    next.gpr[Context::ESP] = frame.wrapping_add(8);
    Some(next)
}

/// Four bytes of the guest's memory, whoever may read them.
pub(super) fn word(cpu: &mut Cpu, address: u32) -> Option<u32> {
    let bytes = cpu.memory.load(address, 0);
    if bytes.is_err() {
        cpu.memory.take_error();
    }
    bytes.ok().map(u32::from_le_bytes)
}
