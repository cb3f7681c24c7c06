//! Compares two outcomes of a case in all that is defined, and tells the differences.

use super::case::{COMPARED_FLAGS, Case, FLOATING_SIZE, Final, Outcome, WINDOW, register};
use super::state::{ST_AT, XMM_AT};
use std::fmt::Write;

/// Whether the outcomes agree in all that the case leaves defined.
pub fn agree(case: &Case, cpu: &Outcome, subject: &Outcome) -> bool {
    match (cpu, subject) {
        (Outcome::Finished(cpu), Outcome::Finished(subject)) => {
            cpu.exit == subject.exit
                && cpu.registers == subject.registers
                && (cpu.flags ^ subject.flags) & COMPARED_FLAGS & !case.undefined.flags == 0
                && memory_agrees(case, cpu, subject)
                && floating_agrees(case, cpu, subject)
        }
        (Outcome::Signal(cpu), Outcome::Signal(subject)) => cpu == subject,
        _ => false,
    }
}

fn memory_agrees(case: &Case, cpu: &Final, subject: &Final) -> bool {
    match (&cpu.memory, &subject.memory) {
        (Some(cpu), Some(subject)) => {
            let (start, end) = case.undefined.memory;
            cpu == subject
                || cpu[..start] == subject[..start]
                    && cpu[end.max(start)..] == subject[end.max(start)..]
        }
        (None, None) => true,
        _ => false,
    }
}

fn floating_agrees(case: &Case, cpu: &Final, subject: &Final) -> bool {
    match (&cpu.floating, &subject.floating) {
        (Some(cpu), Some(subject)) => {
            let mut equal = true;
            each_floating_difference(case, cpu, subject, |_, _, _| equal = false);
            equal
        }
        (None, None) => true,
        _ => false,
    }
}

/// Calls `report` with name, offset and size of each defined part of the images that differs.
///
/// Instruction and operand pointers are not compared: processors differ in when they save them.
/// Nor is the content of empty x87 registers, which no instruction can see.
fn each_floating_difference(
    case: &Case,
    cpu: &[u8; FLOATING_SIZE],
    subject: &[u8; FLOATING_SIZE],
    mut report: impl FnMut(&str, usize, usize),
) {
    if cpu[..2] != subject[..2] {
        report("control", 0, 2);
    }
    let status = |image: &[u8]| u16::from_le_bytes([image[2], image[3]]) & !case.undefined.status;
    if status(cpu) != status(subject) {
        report("status", 2, 2);
    }
    if cpu[4] != subject[4] {
        report("tags", 4, 1);
    }
    if cpu[24..28] != subject[24..28] {
        report("mxcsr", 24, 4);
    }
    let top = usize::from(cpu[3] >> 3 & 7);
    for i in 0..8 {
        let at = ST_AT + 16 * i;
        let used = cpu[4] & 1 << ((top + i) % 8) != 0;
        if used && cpu[at..at + 10] != subject[at..at + 10] {
            report(&format!("st{i}"), at, 10);
        }
    }
    for i in 0..8 {
        let at = XMM_AT + 16 * i;
        if cpu[at..at + 16] != subject[at..at + 16] {
            report(&format!("xmm{i}"), at, 16);
        }
    }
}

/// Tells the initial state and where the outcomes differ.
pub fn describe(case: &Case, cpu: &Outcome, subject: &Outcome, name: &str) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "  before: {}", integer_state(&case.registers, case.flags));
    if let Some(floating) = &case.floating {
        let _ = writeln!(text, "          {}", floating_state(floating));
    }
    match (cpu, subject) {
        (Outcome::Finished(cpu), Outcome::Finished(subject)) => {
            describe_finals(&mut text, case, cpu, subject, name);
        }
        _ => {
            let _ = writeln!(text, "  cpu: {}", summary(cpu));
            let _ = writeln!(text, "  {name}: {}", summary(subject));
        }
    }
    text
}

fn summary(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Finished(end) => {
            format!("exit {}, {}", end.exit, integer_state(&end.registers, end.flags))
        }
        Outcome::Signal(number) => format!("signal {number} ({})", signal_name(*number)),
        Outcome::Unsupported(reason) => format!("unsupported: {reason}"),
    }
}

fn signal_name(number: u8) -> &'static str {
    match number {
        4 => "SIGILL",
        5 => "SIGTRAP",
        7 => "SIGBUS",
        8 => "SIGFPE",
        11 => "SIGSEGV",
        _ => "unexpected",
    }
}

fn describe_finals(text: &mut String, case: &Case, cpu: &Final, subject: &Final, who: &str) {
    let mut line = |name: &str, before: String, cpu: String, subject: String| {
        let _ = writeln!(text, "  {name:8} before {before}  cpu {cpu}  {who} {subject}");
    };
    if cpu.exit != subject.exit {
        line("exit", String::new(), cpu.exit.to_string(), subject.exit.to_string());
    }
    for (i, name) in register::NAMES.iter().enumerate() {
        if cpu.registers[i] != subject.registers[i] {
            let hex = |registers: &[u32; 8]| format!("{:08x}", registers[i]);
            line(name, hex(&case.registers), hex(&cpu.registers), hex(&subject.registers));
        }
    }
    if (cpu.flags ^ subject.flags) & COMPARED_FLAGS & !case.undefined.flags != 0 {
        line("flags", flags(case.flags), flags(cpu.flags), flags(subject.flags));
    }
    if let (Some(before), Some(cpu), Some(subject)) = (&case.memory, &cpu.memory, &subject.memory) {
        let (start, end) = case.undefined.memory;
        for at in (0..before.len()).filter(|at| !(start..end).contains(at)) {
            if cpu[at] != subject[at] {
                let hex = |bytes: &[u8]| format!("{:02x}", bytes[at]);
                let name = format!("{:08x}", WINDOW as usize + at);
                line(&name, hex(before), hex(cpu), hex(subject));
            }
        }
    }
    if let (Some(before), Some(cpu), Some(subject)) =
        (&case.floating, &cpu.floating, &subject.floating)
    {
        each_floating_difference(case, cpu, subject, |name, at, size| {
            let hex = |image: &[u8]| hexadecimal(&image[at..at + size]);
            line(name, hex(before), hex(cpu), hex(subject));
        });
    }
}

fn integer_state(registers: &[u32; 8], value: u32) -> String {
    let mut text = String::new();
    for (name, register) in register::NAMES.iter().zip(registers) {
        let _ = write!(text, "{name}={register:08x} ");
    }
    text + "flags=" + &flags(value)
}

fn floating_state(image: &[u8; FLOATING_SIZE]) -> String {
    let mut text = format!(
        "control={} status={} tags={:02x} mxcsr={}",
        hexadecimal(&image[0..2]),
        hexadecimal(&image[2..4]),
        image[4],
        hexadecimal(&image[24..28])
    );
    for i in 0..8 {
        let at = ST_AT + 16 * i;
        let _ = write!(text, " st{i}={}", hexadecimal(&image[at..at + 10]));
    }
    for i in 0..8 {
        let at = XMM_AT + 16 * i;
        let _ = write!(text, " xmm{i}={}", hexadecimal(&image[at..at + 16]));
    }
    text
}

fn flags(value: u32) -> String {
    const NAMES: [(u32, char); 8] =
        [(21, 'I'), (11, 'O'), (10, 'D'), (7, 'S'), (6, 'Z'), (4, 'A'), (2, 'P'), (0, 'C')];
    NAMES.iter().map(|&(bit, name)| if value & 1 << bit != 0 { name } else { '-' }).collect()
}

/// A little-endian number as people write it.
fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::case::{CF, WINDOW_SIZE};
    use super::*;

    fn example() -> (Case, Final) {
        let mut case = Case::new(&[0x90]);
        let mut floating = [0; FLOATING_SIZE];
        floating[4] = 0xff;
        case.floating = Some(floating);
        case.memory = Some([0; WINDOW_SIZE]);
        let end = Final {
            exit: 0,
            registers: case.registers,
            flags: case.flags,
            floating: case.floating,
            memory: case.memory,
        };
        (case, end)
    }

    fn finished(end: &Final) -> Outcome {
        Outcome::Finished(Box::new(end.clone()))
    }

    /// Whether a change to the second outcome is noticed, and told.
    fn noticed(case: &Case, end: &Final, change: impl Fn(&mut Final)) -> bool {
        let mut changed = end.clone();
        change(&mut changed);
        let differ = !agree(case, &finished(end), &finished(&changed));
        let lines = describe(case, &finished(end), &finished(&changed), "machine").lines().count();
        assert_eq!(differ, lines > 2, "what differs is told, and nothing else");
        differ
    }

    #[test]
    fn every_defined_difference_is_noticed() {
        let (case, end) = example();
        assert!(!noticed(&case, &end, |_| {}));
        assert!(noticed(&case, &end, |end| end.exit = 1));
        assert!((0..8).all(|i| noticed(&case, &end, |end| end.registers[i] ^= 1)));
        assert!(
            [0, 2, 4, 6, 7, 10, 11]
                .iter()
                .all(|bit| { noticed(&case, &end, |end| end.flags ^= 1 << bit) })
        );
        assert!(
            (0..WINDOW_SIZE)
                .all(|at| { noticed(&case, &end, |end| end.memory.as_mut().unwrap()[at] ^= 0x80) })
        );
        // Control, status, tags, MXCSR; then ten bytes of each x87 register, and XMM.
        let registers = (0..8).flat_map(|i| (0..10).map(move |k| ST_AT + 16 * i + k));
        let compared = (0..5).chain(24..28).chain(registers).chain(XMM_AT..FLOATING_SIZE);
        for at in compared {
            assert!(
                noticed(&case, &end, |end| end.floating.as_mut().unwrap()[at] ^= 1),
                "byte {at} of the image"
            );
        }
        assert!(!agree(&case, &finished(&end), &Outcome::Signal(11)));
        assert!(!agree(&case, &Outcome::Signal(8), &Outcome::Signal(11)));
        let unsupported = || Outcome::Unsupported(String::new());
        assert!(!agree(&case, &unsupported(), &unsupported()));
    }

    #[test]
    fn what_is_undefined_may_differ() {
        let (mut case, end) = example();
        case.undefined.flags = CF;
        case.undefined.status = 0x100;
        case.undefined.memory = (8, 12);
        assert!(!noticed(&case, &end, |end| end.flags ^= CF));
        assert!(!noticed(&case, &end, |end| end.floating.as_mut().unwrap()[3] ^= 1));
        assert!(!noticed(&case, &end, |end| end.memory.as_mut().unwrap()[11] ^= 1));
        assert!(noticed(&case, &end, |end| end.memory.as_mut().unwrap()[12] ^= 1));
    }
}
