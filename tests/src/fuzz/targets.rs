//! For each kind of input a function that takes any bytes: they are understood, or refused with a message.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use steam_bench::Suite;
use steam_expr::{Limits, Memory, Printer, ProgramNames};
use steam_image::{Activation, Image};
use steam_ltl::{Atoms, Property};
use steam_visibility::Sharing;
use vm_isa::{decode, specialise};

use super::{Seed, Target, calls, walk};
use crate::machine::target_directory;

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "elf", seeds: programs, attempt: elf, words: &[] },
    Target { name: "dwarf", seeds: debug_information, attempt: dwarf, words: &[] },
    Target { name: "decoder", seeds: || folder("decoder"), attempt: decoder, words: &[] },
    Target { name: "trail", seeds: || folder("trail"), attempt: trail, words: TRAIL },
    Target { name: "known", seeds: || folder("known"), attempt: known, words: KNOWN },
    Target { name: "formula", seeds: || folder("formula"), attempt: formula, words: FORMULA },
    Target { name: "hoa", seeds: || folder("hoa"), attempt: hoa, words: HOA },
    Target { name: "suite", seeds: suites, attempt: suite, words: SUITE },
    Target { name: "expression", seeds: || folder("expression"), attempt: expression, words: C },
    Target { name: "script", seeds: || folder("script"), attempt: walk::script, words: SCRIPT },
    Target { name: "calls", seeds: || folder("calls"), attempt: calls::calls, words: &[] },
];

const TRAIL: &[&str] = &[
    "\n",
    "set ",
    "end ",
    "program ",
    "cycle ",
    "\"",
    "\\x00",
    " args: ",
    "4294967296",
    "é",
    "-1",
];
const KNOWN: &[&str] = &[
    " ",
    "+",
    "=",
    "call:",
    "claimed:",
    "copied:",
    "told:",
    "+1073741823",
    "0+1073741824",
    "7ff00000000",
];
const FORMULA: &[&str] =
    &["G", "F", "X", "U", "W", "R", "->", "<->", "!", "&&", "||", "(", ")", "{", "}", "\"", "true"];
const HOA: &[&str] = &[
    "State: ",
    "[0&!1]",
    "{0}",
    "Acceptance: ",
    "Inf(0)",
    "Fin(1)",
    "AP: ",
    "--BODY--",
    "--END--",
    "Start: ",
    "t",
    "&",
    "|",
    "(",
    "Alias: @a ",
];
const SUITE: &[&str] = &[
    "[[model]]",
    "= ",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'''",
    "1e999",
    "0x",
    "\n",
    "scales",
    "999999999999",
];
const C: &[&str] = &[
    "object",
    "->",
    ".",
    "[",
    "]",
    "(",
    ")",
    "*",
    "&",
    "sizeof",
    "(thing*)",
    "::",
    "\"",
    "1e999",
    "?",
    ":",
    "<<",
    "4294967296",
    "0x",
    "'",
    "-",
];
const SCRIPT: &[&str] = &[
    "\n",
    "step ",
    "back ",
    "print ",
    "continue\n",
    "thread ",
    "break ",
    "watch ",
    "until ",
    "99999999999",
    "-1",
    "help ",
    "list ",
    "info ",
];

/// Gives bytes to the target of a name, as cargo-fuzz does.
pub fn attempt(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    let target = target.unwrap_or_else(|| panic!("there is no target {name}"));
    // Whether they are understood is of no interest to it.
    let _ = (target.attempt)(bytes);
}

/// The seeds in a folder, ascending by name.
fn folder(name: &str) -> Vec<Seed> {
    let path = root().join("fuzz/seeds").join(name);
    let entries = std::fs::read_dir(&path).map(|entries| entries.flatten().collect::<Vec<_>>());
    let mut paths: Vec<PathBuf> =
        entries.unwrap_or_default().into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    paths.into_iter().filter_map(|path| std::fs::read(path).ok()).map(Seed::whole).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The suites that people begin with.
fn suites() -> Vec<Seed> {
    let files = ["quick", "table3", "figure4"].map(|name| format!("samples/suites/{name}.toml"));
    let read = |file: String| std::fs::read(root().join(file)).expect("a suite of the samples");
    files.into_iter().map(read).map(Seed::whole).collect()
}

/// Compiles a guest of `fuzz/guests`; the flags decide with the name where it lies.
pub(super) fn guest(source: &str, flags: &[&str]) -> Vec<u8> {
    let source = root().join("fuzz/guests").join(source);
    let folder = target_directory().join("fuzz");
    std::fs::create_dir_all(&folder).expect("a folder for guests");
    let name = source.file_name().unwrap_or_default().to_string_lossy().replace('.', "-");
    let own = format!("{name}-{}-{:?}", std::process::id(), std::thread::current().id());
    let program = folder.join(own);
    let done =
        Command::new(if source.extension().is_some_and(|it| it == "cc") { "g++" } else { "gcc" })
            .args(["-m32", "-static", "-w", "-o"])
            .arg(&program)
            .args(flags)
            .arg(&source)
            .output()
            .expect("the compiler that `make test` installs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let bytes = std::fs::read(&program).expect("the program");
    // What is left of it harms nobody.
    let _ = std::fs::remove_file(&program);
    bytes
}

/// A program without a library, with all that debug information can say.
static THINGS: LazyLock<Vec<u8>> =
    LazyLock::new(|| guest("things.cc", &["-g", "-nostdlib", "-fno-exceptions"]));

/// Where the tables of a program lie, and its sections whose names begin with one of these.
fn parts(bytes: &[u8], names: &[&[u8]]) -> Vec<std::ops::Range<usize>> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four")) as usize;
    let half = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let header = |index: usize| word(32) + 40 * index;
    let strings = word(header(half(50)) + 16);
    let name = |index: usize| &bytes[strings + word(header(index))..];
    let wanted = |index: &usize| names.iter().any(|start| name(*index).starts_with(start));
    let span = |index: usize| {
        word(header(index) + 16)..word(header(index) + 16) + word(header(index) + 20)
    };
    (0..half(48)).filter(wanted).map(span).filter(|span| !span.is_empty()).collect()
}

/// Small programs whose headers, tables and symbols are damaged.
fn programs() -> Vec<Seed> {
    let demo = include_bytes!("../../../crates/steam-cli/demo/demo.elf").to_vec();
    let seed = |bytes: Vec<u8>| {
        let word =
            |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four")) as usize;
        let half = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        let (programs, sections) = (word(28), word(32));
        let mut parts = parts(&bytes, &[b".symtab", b".strtab", b".note", b".dyn"]);
        parts.extend([
            0..52,
            programs..programs + 32 * half(44),
            sections..sections + 40 * half(48),
        ]);
        Seed { bytes, parts }
    };
    vec![seed(demo.clone()), seed(THINGS.clone()), Seed::whole(demo)]
}

/// A program whose debug information and unwinding tables are damaged.
fn debug_information() -> Vec<Seed> {
    let bytes = THINGS.clone();
    let parts = parts(&bytes, &[b".debug_", b".eh_frame"]);
    vec![Seed { bytes, parts }]
}

/// Any bytes are an image or an error; an image answers all questions.
fn elf(bytes: &[u8]) -> bool {
    let image = match Image::parse(bytes, "fuzzed") {
        Ok(image) => image,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let ranges = image.ranges();
    for page in image.pages() {
        assert!(ranges.iter().any(|range| (range.start..range.end).contains(&page.address)));
    }
    assert!(image.segment_at(image.entry).is_some_and(|segment| segment.execute));
    let starts = image.symbols.iter().map(|symbol| symbol.address).take(64);
    for address in starts.chain([0, image.entry, image.end, u32::MAX]) {
        image.lines.frames(address);
        if let Some((symbol, offset)) = image.symbols.at(address) {
            assert_eq!(symbol.address.wrapping_add(offset), address);
        }
    }
    for symbol in image.symbols.iter().take(64) {
        assert!(image.symbols.find(&symbol.name).any(|found| found == symbol));
    }
    true
}

/// Whatever debug information says, all questions about it have an answer.
fn dwarf(bytes: &[u8]) -> bool {
    let Ok(image) = Image::parse(bytes, "fuzzed") else { return false };
    for address in (image.entry..image.entry.saturating_add(200)).step_by(3) {
        image.lines.frames(address);
        let here = Activation { eip: address, exact: true, ..Activation::default() };
        image.unwinder.caller(&here, &mut |address| Some(address ^ 9));
        image.unwinder.entry(address);
        if let Ok(declared) = image.declarations.get() {
            declared.locals(address, &image.unwinder);
        }
    }
    let Ok(mut program) = ProgramNames::new(&image) else { return false };
    let texts = ["object", "*pointer->next", "grid[1]", "boxed.held", "sum + a", "t.text"];
    let within = image.symbols.find("_Z4workiR5thing").next().map(|it| it.address + 30);
    texts.iter().filter(|text| evaluate(&mut program, &image, text, within)).count() == texts.len()
}

/// Any bytes decode to an op of their length, or are too short; the op prints.
fn decoder(bytes: &[u8]) -> bool {
    let Some(decoded) = decode(bytes, 0x0804_8000) else {
        assert!(bytes.len() < 15);
        return false;
    };
    assert!((1..=15).contains(&decoded.length) && usize::from(decoded.length) <= bytes.len());
    assert_eq!(decoded.op.to_string(), specialise(decoded.op).to_string());
    true
}

/// A trail that is understood is written and read again as the same.
fn trail(bytes: &[u8]) -> bool {
    let parsed = steam_trail::file::parse(bytes);
    match &parsed {
        Ok(trail) => {
            let text = steam_trail::file::write(trail);
            assert_eq!(steam_trail::file::parse(text.as_bytes()).as_ref(), Ok(trail), "{text}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    parsed.is_ok()
}

/// What a trail says that a search had learned.
fn known(bytes: &[u8]) -> bool {
    let (sharing, again) = (Sharing::default(), Sharing::default());
    if sharing.read(&String::from_utf8_lossy(bytes)).is_err() {
        return false;
    }
    let written = sharing.write();
    assert_eq!(again.read(&written), Ok(()), "{written}");
    assert_eq!(again.write(), written);
    true
}

/// A formula is translated, or it is refused with a place within it.
fn formula(bytes: &[u8]) -> bool {
    /// Longer ones are parsed only: an automaton may be exponentially large.
    const TRANSLATED: usize = 200;
    let text = String::from_utf8_lossy(bytes);
    let mut atoms = Atoms::default();
    match steam_ltl::parse(&text, &mut atoms) {
        Ok(syntax) => text.len() > TRANSLATED || Property::new(syntax, &atoms).is_ok(),
        Err(error) => {
            assert!(!error.explain(&text).is_empty());
            false
        }
    }
}

/// An automaton is read, written and read again, or refused.
fn hoa(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let mut atoms = Atoms::default();
    match steam_ltl::read_hoa(&text, &mut atoms) {
        Ok(automaton) => {
            let written = steam_ltl::hoa(&automaton, &atoms, "fuzzed", false);
            let again = steam_ltl::read_hoa(&written, &mut atoms);
            assert!(again.is_ok(), "{written}");
            true
        }
        Err(error) => {
            assert!(!error.explain(&text).is_empty());
            false
        }
    }
}

/// A suite is understood or refused.
fn suite(bytes: &[u8]) -> bool {
    let suite = Suite::parse(&String::from_utf8_lossy(bytes));
    assert!(suite.as_ref().err().is_none_or(|message| !message.is_empty()));
    suite.is_ok()
}

/// An expression over the variables of a program, one a line, has a value or an error.
fn expression(bytes: &[u8]) -> bool {
    static IMAGE: LazyLock<Image> =
        LazyLock::new(|| Image::parse(&THINGS, "things").expect("a program"));
    let mut program = ProgramNames::new(&IMAGE).expect("its declarations");
    let text = String::from_utf8_lossy(bytes);
    let mut understood = true;
    for text in text.lines().take(20) {
        understood &= evaluate(&mut program, &IMAGE, text, None);
        evaluate(&mut program, &IMAGE, text, Some(IMAGE.entry + 10));
    }
    understood
}

/// Memory as the file fills it; registers point into it.
struct Initial<'i>(&'i Image);

impl Memory for Initial<'_> {
    fn read(&mut self, address: u32, bytes: &mut [u8]) -> bool {
        bytes.iter_mut().zip(0..).all(|(byte, offset)| {
            let address = address.wrapping_add(offset);
            let segment = self.0.segment_at(address);
            segment.is_some_and(|segment| {
                let within = (address - segment.address) as usize;
                *byte = segment.data.get(within).copied().unwrap_or(0);
                true
            })
        })
    }

    fn register(&self, _: u8) -> Option<u32> {
        Some(self.0.end.wrapping_sub(64))
    }
}

/// Compiles, evaluates and prints; whether there was a value.
fn evaluate(program: &mut ProgramNames<'_>, image: &Image, text: &str, at: Option<u32>) -> bool {
    match program.compile(text, at) {
        Ok(expression) => {
            let mut memory = Initial(image);
            let value = expression.evaluate(&mut memory);
            expression.cells();
            let printed = Printer::new(program, Limits::default()).print(&value, &mut memory);
            assert!(printed.len() < 1 << 20, "{text}: {} letters", printed.len());
            true
        }
        Err(error) => {
            assert!(error.at <= text.len() && !error.message.is_empty());
            error.explain(text);
            false
        }
    }
}
