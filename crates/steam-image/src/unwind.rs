//! From a function to its caller: call frame information (`.eh_frame`, `.debug_frame`) tells where
//! the caller's registers lie.
//!
//! The sections come from a file that was not checked: what cannot be understood is treated as if
//! it were not there, and the time for one question is bounded by the size of one entry.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use gimli::{
    BaseAddresses, CfaRule, CieOrFde, DebugFrame, EhFrame, Encoding, EndianArcSlice,
    EvaluationResult, Expression, Format, FrameDescriptionEntry, LittleEndian, Location,
    RegisterRule, UnwindContext, UnwindExpression, UnwindSection, UnwindTableRow, Value,
};

use crate::compressed;
use crate::declarations::{self, Address};
use crate::sections::Sections;

type Bytes = EndianArcSlice<LittleEndian>;

/// The largest section that is read.
const SECTION_LIMIT: usize = 64 << 20;
/// The number of eip in call frame information; the others have the numbers of the machine.
const EIP: u16 = 8;
const ESP: u16 = 4;
/// How numbers are written in expressions.
const ENCODING: Encoding = Encoding { address_size: 4, format: Format::Dwarf32, version: 4 };
/// Operations that an expression may take.
const EXPRESSION_STEPS: u32 = 1000;

/// The registers of a function that is running or waits for one that it called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Activation {
    /// eax ecx edx ebx esp ebp esi edi; of a waiting function, those that calls preserve.
    pub gpr: [u32; 8],
    /// The next instruction.
    pub eip: u32,
    /// Whether `eip` is about to run (the innermost function, or one that a signal interrupted),
    /// and not a return address: the call is then in front of it.
    pub exact: bool,
}

impl Activation {
    /// An address within the instruction that runs or calls.
    pub fn probe(&self) -> u32 {
        if self.exact { self.eip } else { self.eip.wrapping_sub(1) }
    }
}

/// An entry of `.eh_frame`, as it lies in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameEntry {
    /// Where it begins.
    pub address: u32,
    /// Where the function begins that it describes.
    pub function: u32,
}

/// How to get from a function to its caller, at one address.
#[derive(Debug, Clone)]
pub struct Rule {
    frame: FrameAddress,
    saved: Vec<(u16, Place)>,
    /// The caller was interrupted by a signal.
    signal: bool,
}

/// How the address of the stack frame is found.
#[derive(Debug, Clone)]
enum FrameAddress {
    Offset { register: u16, offset: u32 },
    Expression(Expression<Bytes>),
}

/// Where a register of the caller is.
#[derive(Debug, Clone)]
enum Place {
    Lost,
    At(u32),
    Value(u32),
    Register(u16),
    AtExpression(Expression<Bytes>),
    ValueExpression(Expression<Bytes>),
}

/// The call frame information of a program; cloning is cheap.
#[derive(Clone)]
pub struct Unwinder(Arc<Tables>);

struct Tables {
    base: u32,
    /// Where `.eh_frame` begins, relative to the base.
    start: u32,
    addresses: BaseAddresses,
    eh_frame: EhFrame<Bytes>,
    debug_frame: DebugFrame<Bytes>,
    index: OnceLock<Vec<Entry>>,
}

/// The addresses of one function, relative to the base, and where its entry lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    start: u32,
    end: u32,
    debug: bool,
    offset: usize,
}

impl fmt::Debug for Unwinder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unwinder").field("base", &self.0.base).finish_non_exhaustive()
    }
}

impl Unwinder {
    /// Takes the sections; nothing of them is read yet.
    pub(crate) fn new(sections: &Sections<'_>, base: u32) -> Unwinder {
        let address = |name| sections.named(name).map_or(0, |header| header.sh_addr);
        let addresses = BaseAddresses::default()
            .set_eh_frame(address(".eh_frame"))
            .set_text(address(".text"))
            .set_got(address(".got"));
        let mut eh_frame = EhFrame::from(bytes(sections, ".eh_frame"));
        let mut debug_frame = DebugFrame::from(bytes(sections, ".debug_frame"));
        eh_frame.set_address_size(4);
        debug_frame.set_address_size(4);
        let (index, start) = (OnceLock::new(), address(".eh_frame") as u32);
        Unwinder(Arc::new(Tables { base, start, addresses, eh_frame, debug_frame, index }))
    }

    /// Returns how to get from the function at `activation` to its caller.
    pub fn rule(&self, activation: &Activation) -> Option<Rule> {
        let tables = &*self.0;
        let probe = activation.probe().wrapping_sub(tables.base);
        let index = tables.index.get_or_init(|| tables.read_index());
        let next = index.partition_point(|entry| entry.start <= probe);
        let entry = *index[..next].iter().rev().take(4).find(|entry| probe < entry.end)?;
        let attempt = catch_unwind(AssertUnwindSafe(|| match entry.debug {
            false => rule_in(&tables.eh_frame, &tables.addresses, entry.offset.into(), probe),
            true => rule_in(&tables.debug_frame, &tables.addresses, entry.offset.into(), probe),
        }));
        attempt.ok().flatten()
    }

    /// Returns the entry of `.eh_frame` for the function at `address`, as it lies in memory.
    pub fn entry(&self, address: u32) -> Option<FrameEntry> {
        let tables = &*self.0;
        let probe = address.wrapping_sub(tables.base);
        let index = tables.index.get_or_init(|| tables.read_index());
        let next = index.partition_point(|entry| entry.start <= probe);
        let mut candidates = index[..next].iter().rev().take(4).filter(|entry| !entry.debug);
        let entry = candidates.find(|entry| probe < entry.end)?;
        let in_memory = |relative: u32| relative.wrapping_add(tables.base);
        Some(FrameEntry {
            address: in_memory(tables.start.wrapping_add(u32::try_from(entry.offset).ok()?)),
            function: in_memory(entry.start),
        })
    }

    /// Returns the caller of the function at `activation`; `read` gives four bytes of its memory.
    pub fn caller(
        &self,
        activation: &Activation,
        read: &mut dyn FnMut(u32) -> Option<u32>,
    ) -> Option<Activation> {
        self.rule(activation)?.caller(activation, read)
    }
}

impl Tables {
    fn read_index(&self) -> Vec<Entry> {
        let attempt = catch_unwind(AssertUnwindSafe(|| {
            let mut entries = entries(&self.eh_frame, &self.addresses, false);
            entries.extend(self::entries(&self.debug_frame, &self.addresses, true));
            entries
        }));
        let mut entries = attempt.unwrap_or_default();
        entries.sort_unstable();
        entries
    }
}

fn bytes(sections: &Sections<'_>, name: &str) -> Bytes {
    Bytes::new(section(sections, name).unwrap_or_else(|| Arc::from([])), LittleEndian)
}

fn section(sections: &Sections<'_>, name: &str) -> Option<Arc<[u8]>> {
    let header = sections.named(name)?;
    let data = sections.data(header, name).ok()?;
    if compressed::is_compressed(header) {
        return compressed::unpack(data, name, SECTION_LIMIT).ok().map(Arc::from);
    }
    (data.len() <= SECTION_LIMIT).then(|| Arc::from(data))
}

fn entries<S: UnwindSection<Bytes>>(
    section: &S,
    addresses: &BaseAddresses,
    debug: bool,
) -> Vec<Entry> {
    let mut found = Vec::new();
    let mut pending = section.entries(addresses);
    // An entry that cannot be read ends the section: where the next one starts is not known.
    while let Ok(Some(entry)) = pending.next() {
        let CieOrFde::Fde(partial) = entry else { continue };
        let Ok(function) = partial.parse(S::cie_from_offset) else { continue };
        let (start, size) = (function.initial_address() as u32, function.len() as u32);
        // Functions that the linker dropped lie at 0.
        if start != 0 && size != 0 {
            let end = start.saturating_add(size);
            found.push(Entry { start, end, debug, offset: function.offset() });
        }
    }
    found
}

fn rule_in<S: UnwindSection<Bytes>>(
    section: &S,
    addresses: &BaseAddresses,
    offset: S::Offset,
    probe: u32,
) -> Option<Rule> {
    let entry = section.fde_from_offset(addresses, offset, S::cie_from_offset).ok()?;
    let mut context = UnwindContext::new();
    let row =
        entry.unwind_info_for_address(section, addresses, &mut context, u64::from(probe)).ok()?;
    translate(section, &entry, row)
}

fn translate<S: UnwindSection<Bytes>>(
    section: &S,
    entry: &FrameDescriptionEntry<Bytes>,
    row: &UnwindTableRow<usize>,
) -> Option<Rule> {
    let expression = |expression: &UnwindExpression<usize>| expression.get(section).ok();
    let frame = match row.cfa() {
        CfaRule::RegisterAndOffset { register, offset } => {
            FrameAddress::Offset { register: register.0, offset: *offset as u32 }
        }
        CfaRule::Expression(code) => FrameAddress::Expression(expression(code)?),
    };
    let mut saved = Vec::new();
    for (register, rule) in row.registers().filter(|(register, _)| register.0 <= EIP) {
        let place = match rule {
            RegisterRule::SameValue => continue,
            RegisterRule::Offset(offset) => Place::At(*offset as u32),
            RegisterRule::ValOffset(offset) => Place::Value(*offset as u32),
            RegisterRule::Register(other) => Place::Register(other.0),
            RegisterRule::Expression(code) => Place::AtExpression(expression(code)?),
            RegisterRule::ValExpression(code) => Place::ValueExpression(expression(code)?),
            _ => Place::Lost,
        };
        saved.push((register.0, place));
    }
    Some(Rule { frame, saved, signal: entry.is_signal_trampoline() })
}

impl Rule {
    /// Returns how the address of the stack frame is found, where that is simple.
    pub fn frame_address(&self) -> Option<Address> {
        match &self.frame {
            FrameAddress::Offset { register, offset } => {
                Some(Address::Register { register: u8::try_from(*register).ok()?, offset: *offset })
            }
            FrameAddress::Expression(code) => declarations::frame_address(code, ENCODING),
        }
    }

    /// Returns the caller of `activation`, whose rule this is; none where the stack ends.
    pub fn caller(
        &self,
        activation: &Activation,
        read: &mut dyn FnMut(u32) -> Option<u32>,
    ) -> Option<Activation> {
        let frame = match &self.frame {
            FrameAddress::Offset { register, offset } => {
                activation.register(*register)?.wrapping_add(*offset)
            }
            FrameAddress::Expression(code) => evaluate(code, None, activation, read)?,
        };
        self.caller_above(frame, activation, read)
    }

    /// Returns the caller where the address of the stack frame is known, which is where the
    /// caller's stack ends.
    pub fn caller_above(
        &self,
        frame: u32,
        activation: &Activation,
        read: &mut dyn FnMut(u32) -> Option<u32>,
    ) -> Option<Activation> {
        let mut caller = Activation { exact: self.signal, ..*activation };
        caller.gpr[usize::from(ESP)] = frame;
        let mut returns = false;
        for (register, place) in &self.saved {
            let value = match place {
                Place::Lost => None,
                Place::At(offset) => read(frame.wrapping_add(*offset)),
                Place::Value(offset) => Some(frame.wrapping_add(*offset)),
                Place::Register(other) => activation.register(*other),
                Place::AtExpression(code) => {
                    evaluate(code, Some(frame), activation, read).and_then(&mut *read)
                }
                Place::ValueExpression(code) => evaluate(code, Some(frame), activation, read),
            };
            match (*register, value) {
                // Without a return address this is the outermost function.
                (EIP, value) => (caller.eip, returns) = (value?, true),
                (register, Some(value)) => caller.gpr[usize::from(register)] = value,
                (_, None) => {}
            }
        }
        (returns && caller.eip != 0).then_some(caller)
    }
}

impl Activation {
    fn register(&self, number: u16) -> Option<u32> {
        match number {
            EIP => Some(self.eip),
            number => self.gpr.get(usize::from(number)).copied(),
        }
    }
}

/// The value of an expression, with `start` on its stack.
fn evaluate(
    code: &Expression<Bytes>,
    start: Option<u32>,
    activation: &Activation,
    read: &mut dyn FnMut(u32) -> Option<u32>,
) -> Option<u32> {
    let mut evaluation = code.clone().evaluation(ENCODING);
    evaluation.set_max_iterations(EXPRESSION_STEPS);
    if let Some(start) = start {
        evaluation.set_initial_value(u64::from(start));
    }
    let mut state = evaluation.evaluate().ok()?;
    loop {
        state = match state {
            EvaluationResult::Complete => break,
            EvaluationResult::RequiresRegister { register, .. } => {
                let value = Value::Generic(u64::from(activation.register(register.0)?));
                evaluation.resume_with_register(value).ok()?
            }
            EvaluationResult::RequiresMemory { address, .. } => {
                let value = Value::Generic(u64::from(read(address as u32)?));
                evaluation.resume_with_memory(value).ok()?
            }
            _ => return None,
        };
    }
    match evaluation.result().first()?.location {
        Location::Address { address } => Some(address as u32),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One function at 0x1000 of 32 bytes that pushes ebp at its first instruction.
    fn section() -> Vec<u8> {
        let mut bytes = vec![16, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0x7c, 8];
        bytes.extend([0x0c, 4, 4, 0x88, 1, 0, 0]);
        bytes.extend([20, 0, 0, 0, 24, 0, 0, 0, 0, 0x10, 0, 0, 32, 0, 0, 0]);
        bytes.extend([0x41, 0x0e, 8, 0x85, 2, 0, 0, 0]);
        bytes.extend([0; 4]);
        bytes
    }

    fn unwinder(bytes: &[u8]) -> Unwinder {
        let mut eh_frame = EhFrame::from(Bytes::new(Arc::from(bytes), LittleEndian));
        let mut debug_frame = DebugFrame::from(Bytes::new(Arc::from([]), LittleEndian));
        eh_frame.set_address_size(4);
        debug_frame.set_address_size(4);
        Unwinder(Arc::new(Tables {
            base: 0,
            start: 0x2000,
            addresses: BaseAddresses::default().set_eh_frame(0),
            eh_frame,
            debug_frame,
            index: OnceLock::new(),
        }))
    }

    fn at(eip: u32) -> Activation {
        let mut gpr = [7; 8];
        gpr[4] = 0x100;
        Activation { gpr, eip, exact: true }
    }

    #[test]
    fn the_caller_s_registers_are_found() {
        let unwinder = unwinder(&section());
        let mut read = |address: u32| Some(address + 0x5000);
        let caller = unwinder.caller(&at(0x1000), &mut read).expect("the caller at the entry");
        assert_eq!((caller.eip, caller.gpr[4], caller.gpr[5]), (0x5100, 0x104, 7));
        assert!(!caller.exact);
        let caller = unwinder.caller(&at(0x1001), &mut read).expect("the caller behind the push");
        assert_eq!((caller.eip, caller.gpr[4], caller.gpr[5]), (0x5104, 0x108, 0x5100));
        assert_eq!(unwinder.caller(&at(0x1020), &mut read), None);
        assert_eq!(unwinder.caller(&at(0x1001), &mut |_| None), None);
        let entry = Some(FrameEntry { address: 0x2014, function: 0x1000 });
        assert_eq!([0x1000, 0x101f].map(|address| unwinder.entry(address)), [entry; 2]);
        assert_eq!([0xfff, 0x1020].map(|address| unwinder.entry(address)), [None; 2]);
    }

    #[test]
    fn hostile_bytes_do_no_harm() {
        let mut seed = 5u64;
        let mut random = |bound: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % bound
        };
        let mut answers = 0;
        for _ in 0..20_000 {
            let mut bytes = section();
            for _ in 0..1 + random(3) {
                let place = random(bytes.len());
                bytes[place] = random(256) as u8;
            }
            let unwinder = unwinder(&bytes);
            let caller = unwinder.caller(&at(0x1000 + random(40) as u32), &mut |a| Some(a ^ 9));
            answers += u32::from(caller.is_some());
        }
        assert!(answers > 1000 && answers < 19_000, "{answers}");
    }
}
