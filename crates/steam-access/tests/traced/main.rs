//! What is said of accesses, compared with the accesses themselves: programs run natively,
//! instruction by instruction, and tell which of their objects are atomic. Every access to one of
//! them must get the right answer, at every level of optimisation.

#[path = "../../../steam-image/tests/compiler/mod.rs"]
mod compiler;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use compiler::{build, run};
use steam_access::{Atomics, Origin, Verdict};
use steam_image::Image;
use vm_isa::{Segment, decode, effects};

const TRACER: &str = include_str!("tracer.c");
const C: &str = include_str!("objects.c");
const CPP: &str = include_str!("objects.cc");

/// What a program says of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Told {
    Plain,
    Atomic,
    /// It is plain, and its type is hidden by a cast.
    Cast,
}

/// One access of the program to an object that it told of.
struct Seen {
    eip: u32,
    address: u32,
    size: u32,
    told: Told,
    writes: bool,
}

/// Runs a program and returns its accesses, those that the processor does as a whole excepted.
fn accesses(program: &std::path::Path, image: &Image, tracer: &std::path::Path) -> Vec<Seen> {
    let symbol = |name: &str| image.symbols.find(name).next().expect("a function").address;
    let arguments = [
        program.to_str().expect("a name").to_owned(),
        format!("{:x}", symbol("begin")),
        format!("{:x}", symbol("end")),
        format!("{:x}", symbol("tell")),
    ];
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let trace = run(tracer.to_str().expect("a name"), &arguments);
    let mut objects: BTreeMap<u32, (u32, Told)> = BTreeMap::new();
    let mut seen = Vec::new();
    for line in trace.lines() {
        let words: Vec<u32> =
            line.split(' ').map(|word| u32::from_str_radix(word, 16).expect("a number")).collect();
        let registers = &words[1..9];
        if let [at, size, what] = words[9..] {
            match what {
                0 => _ = objects.insert(at, (size, Told::Plain)),
                1 => _ = objects.insert(at, (size, Told::Atomic)),
                3 => _ = objects.insert(at, (size, Told::Cast)),
                _ => _ = objects.remove(&at),
            }
        }
        let Some((address, size, writes)) = operand(image, words[0], registers) else { continue };
        let object = objects.range(..=address).next_back();
        if let Some((start, (length, told))) = object
            && address - start < *length
        {
            seen.push(Seen { eip: words[0], address, size, told: *told, writes });
        }
    }
    seen
}

/// The memory that an instruction accesses, unless it does so as a whole.
fn operand(image: &Image, eip: u32, registers: &[u32]) -> Option<(u32, u32, bool)> {
    let segment = image.segment_at(eip)?;
    let bytes = &segment.data[(eip - segment.address) as usize..];
    let bytes = &bytes[..bytes.len().min(15)];
    let (op, touched) = (decode(bytes, eip)?.op, effects(bytes, eip));
    if touched.size == 0 || op.locked() || op.exchanges_memory() || op.segment() != Segment::Flat {
        return None;
    }
    let register = |number: u8| registers.get(usize::from(number)).copied().unwrap_or(0);
    let address =
        register(op.base).wrapping_add(register(op.index) << op.scale()).wrapping_add(op.disp);
    Some((address, touched.size, touched.writes))
}

/// What came of a comparison.
struct Compared {
    atomic: usize,
    plain: usize,
    /// Functions with accesses.
    functions: BTreeSet<String>,
    wrong: BTreeSet<String>,
}

/// Compares all accesses of a program.
fn compare(compiler: &str, source: (&str, &str), output: &str) -> Compared {
    let path = build(compiler, source.0, source.1, output);
    let tracer = build("gcc -m32 -O1", "tracer.c", TRACER, &format!("tracer_{output}"));
    let image = Arc::new(Image::read_file(&path).expect("a program"));
    let atomics = Atomics::new(&image);
    let (mut atomic, mut plain) = (0, 0);
    let mut functions = BTreeSet::new();
    let mut wrong = BTreeSet::new();
    for seen in accesses(&path, &image, &tracer) {
        if atomics.origin(seen.eip) == Origin::Library {
            continue;
        }
        let frames = image.lines.frames(seen.eip);
        let place = frames.last().expect("a function");
        let function = place.function.clone().unwrap_or_default();
        functions.insert(function.split('(').next().unwrap_or_default().to_owned());
        let verdict = atomics.decide(seen.eip, seen.address, seen.size);
        let right = match seen.told {
            Told::Atomic => matches!(verdict, Verdict::Atomic(_)),
            Told::Plain => verdict == Verdict::Plain,
            Told::Cast => !matches!(verdict, Verdict::Atomic(_)),
        };
        match seen.told {
            Told::Atomic => atomic += 1,
            Told::Plain | Told::Cast => plain += 1,
        }
        if !right {
            let kind = if seen.writes { "write" } else { "read" };
            let (told, eip, line) = (seen.told, seen.eip, place.line.unwrap_or(0));
            wrong.insert(format!(
                "{eip:x} {function}, line {line}: {told:?} {kind} of {} bytes, not {verdict:?}",
                seen.size
            ));
        }
    }
    Compared { atomic, plain, functions, wrong }
}

/// Compares a program at several levels of optimisation.
fn check(compiler: &str, source: (&str, &str), levels: &[&str], functions: &[&str]) {
    let mut wrong = String::new();
    for (index, level) in levels.iter().enumerate() {
        let output = format!("traced_{}_{index}", source.0.replace('.', "_"));
        let compiler = format!("{compiler} -m32 -g -static -pthread -w {level}");
        let compared = compare(&compiler, source, &output);
        assert!(compared.atomic > 30 && compared.plain > 50, "{level}: hardly any accesses");
        for name in functions {
            assert!(compared.functions.contains(*name), "{level}: {name} accesses nothing");
        }
        for line in compared.wrong {
            wrong += &format!("{level}: {line}\n");
        }
    }
    assert!(wrong.is_empty(), "{compiler}:\n{wrong}");
}

#[test]
fn accesses_of_c_programs_get_the_right_answer() {
    let levels = [
        "-O0",
        "-O1",
        "-O2",
        "-O3",
        "-Os",
        "-O2 -fno-pie",
        "-O2 -msse2",
        "-O0 -msse2 -fomit-frame-pointer",
    ];
    let functions =
        ["by_parameter", "by_chain", "in_a_loop", "to_number", "locals", "first_member"];
    check("gcc", ("objects.c", C), &levels, &functions);
}

#[test]
fn accesses_of_cpp_programs_get_the_right_answer() {
    let levels = [
        "-O0 -std=c++20",
        "-O1 -std=c++20",
        "-O2 -std=c++20",
        "-O3 -std=c++20",
        "-Os -std=c++20",
        "-O2 -std=c++20 -gdwarf-4",
    ];
    let functions = ["by_parameter", "by_chain", "spin", "locals", "templated", "compare"];
    check("g++", ("objects.cc", CPP), &levels, &functions);
}
