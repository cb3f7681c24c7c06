//! Random texts and damaged debug information: an error or a value, never a panic, and soon.

mod chance;
#[path = "../../steam-image/tests/compiler/mod.rs"]
mod compiler;
mod initial;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use chance::Random;
use initial::Initial;
use steam_expr::{Limits, Printer, ProgramNames, type_name};
use steam_image::Image;

static PANICS: AtomicUsize = AtomicUsize::new(0);

const SOURCE: &str = r#"
namespace space { struct inner { int deep; static int shared; }; int inner::shared = 3; }
enum color { RED, GREEN = 5 };
struct base { int b; };
struct thing : base { struct thing *next; unsigned bits : 3; union { int i; float f; }; char text[8];
    space::inner in[2]; enum color paint; };
thing object = { { 1 }, &object, 2, { 3 }, "text", { { 4 }, { 5 } }, GREEN };
thing *pointer = &object; int grid[3][4] = { { 1, 2 } }; double real = 1.5; long long wide = 7;
int &reference = grid[1][1]; static thread_local int own = 3;
static int twice(int x) { static int calls; calls += x; return 2 * calls; }
int (*function)(int) = twice;
template <typename T> struct box { T held; }; box<long> boxed = { 4 };
__attribute__((noinline)) int work(int a, thing &t) {
    int sum = a + own;
    for (int i = 0; i < a; i++) { long long wider = i * wide; sum += (int)wider + t.in[i & 1].deep; }
    return sum + function(a);
}
extern "C" void _start() { for (;;) grid[0][0] += work(grid[0][1], object); }
"#;

const TOKENS: &str = "object pointer grid real wide reference own twice::calls function boxed sum a t i \
    wider space::inner::shared RED GREEN next bits f text in deep b paint held x . -> [ ] ( ) * & ! ~ \
    - + / % << >> < <= > >= == != ^ | && || ? : :: sizeof int char unsigned struct thing color base 0 1 \
    2 -1 4294967295 0xffffffffffffffff 1.5 .5f 'a' '\\n' (thing*) (char) (long long) (box<long>*) = , \
    h.cc:: 'h.cc':: true NULL @ \" ' 08 1e999 { } ; é";

/// A text of random tokens, or two expressions with one random token between or in the midst.
fn text(random: &mut Random) -> String {
    let tokens: Vec<_> = TOKENS.split_whitespace().collect();
    if random.below(2) == 0 {
        let count = 1 + random.below(12);
        let words: Vec<_> = (0..count).map(|_| tokens[random.below(tokens.len())]).collect();
        return words.join(if random.below(3) == 0 { "" } else { " " });
    }
    let [one, two] = [0, 1].map(|_| WORTHWHILE[random.below(WORTHWHILE.len())]);
    let token = tokens[random.below(tokens.len())];
    let place = if random.below(2) == 0 { one.len() } else { random.below(one.len()) };
    format!("{}{token}{}{two}", &one[..place], &one[place..])
}

/// Expressions that look at every kind of type.
const WORTHWHILE: [&str; 12] = [
    "object",
    "*pointer->next",
    "pointer->next->in[1].deep + object.b",
    "grid",
    "grid[1][2] + reference",
    "boxed.held",
    "space::inner::shared",
    "object.paint == GREEN",
    "function",
    "sizeof(thing) + sizeof grid[0]",
    "sum + a",
    "t.text",
];

/// Compiles, evaluates and prints; says whether there was a value.
fn try_out(program: &mut ProgramNames<'_>, image: &Image, text: &str, at: Option<u32>) -> bool {
    let expression = match program.compile(text, at) {
        Ok(expression) => expression,
        Err(error) => {
            assert!(error.at <= text.len() && !error.message.is_empty());
            error.explain(text);
            return false;
        }
    };
    let mut memory = Initial::new(image);
    memory.registers = (0..9).map(|number| (number, image.end - 64)).collect();
    let value = expression.evaluate(&mut memory);
    expression.cells();
    let printed = Printer::new(program, Limits::default()).print(&value, &mut memory);
    type_name(program.types(), expression.type_id());
    assert!(printed.len() < 1 << 20, "{text}: {} letters", printed.len());
    true
}

fn build(flags: &str, output: &str) -> Vec<u8> {
    let command = format!("g++ -m32 -static -nostdlib -fno-exceptions -w {flags}");
    fs::read(compiler::build(&command, "h.cc", SOURCE, output)).expect("the program")
}

fn work(image: &Image) -> u32 {
    let found = image.symbols.iter().find(|symbol| symbol.name.contains("work"));
    found.map_or(image.entry, |symbol| symbol.address)
}

const TEXTS: usize = 20_000;
const FILES: usize = 4000;
const SLOWEST: Duration = Duration::from_secs(20);

#[test]
fn no_text_causes_a_panic() {
    let bytes = build("-g", "h_texts");
    let image = Image::parse(&bytes, "texts").expect("a program");
    let mut program = ProgramNames::new(&image).expect("declarations");
    let mut random = Random(0x5eed_0001);
    let mut values = 0;
    for _ in 0..TEXTS {
        let text = text(&mut random);
        let at = (random.below(2) == 0).then(|| work(&image) + random.below(120) as u32);
        values += usize::from(try_out(&mut program, &image, &text, at));
    }
    println!("{values} of {TEXTS} texts are expressions");
    assert!(values > 300, "{values}");
    for text in WORTHWHILE {
        assert!(try_out(&mut program, &image, text, Some(work(&image) + 30)), "{text}");
    }
}

/// Where the sections of debug information lie: start and size.
fn debug_sections(bytes: &[u8]) -> Vec<(usize, usize)> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four")) as usize;
    let half = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let header = |index: usize| word(32) + 40 * index;
    let names = word(header(half(50)) + 16);
    let is_debug = |index: &usize| bytes[names + word(header(*index))..].starts_with(b".debug_");
    let span = |index: usize| (word(header(index) + 16), word(header(index) + 20));
    (0..half(48)).filter(is_debug).map(span).filter(|span| span.1 > 0).collect()
}

fn damaged(bytes: &[u8], sections: &[(usize, usize)], random: &mut Random) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    for _ in 0..1 + random.below(6) {
        let (start, size) = sections[random.below(sections.len())];
        let place = start + random.below(size);
        match random.below(5) {
            0 => damaged[place] = random.below(256) as u8,
            1 => damaged[place] ^= 1 << random.below(8),
            2 => damaged[place] = 0xff,
            3 => damaged[place] = damaged[place].wrapping_add(1),
            _ => {
                let (other, length) = (start + random.below(size), 1 + random.below(24));
                let length = length.min(start + size - place.max(other));
                damaged.copy_within(other..other + length, place);
            }
        }
    }
    damaged
}

#[test]
fn no_damaged_debug_information_causes_a_panic() {
    std::panic::set_hook(Box::new(|panic| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        eprintln!("{panic}");
    }));
    let seeds =
        ["-g", "-g -O2", "-gdwarf-4 -O1", "-gdwarf-2 -gstrict-dwarf", "-g -fdebug-types-section"];
    let seed = |(number, flags): (usize, &&str)| {
        let bytes = build(flags, &format!("h_damaged_{number}"));
        let sections = debug_sections(&bytes);
        (bytes, sections)
    };
    let seeds: Vec<_> = seeds.iter().enumerate().map(seed).collect();
    let mut random = Random(0x5eed_0077);
    let (mut readable, mut values, mut slowest) = (0, 0, Duration::ZERO);
    for index in 0..FILES {
        let (bytes, sections) = &seeds[index % seeds.len()];
        let bytes = damaged(bytes, sections, &mut random);
        let start = Instant::now();
        let attempt = catch_unwind(AssertUnwindSafe(|| {
            let image = Image::parse(&bytes, "damaged").expect("a program");
            let Ok(mut program) = ProgramNames::new(&image) else { return (0, 0) };
            let at = Some(work(&image) + random.below(120) as u32);
            let tried = WORTHWHILE.iter().filter(|text| try_out(&mut program, &image, text, at));
            let values = tried.count();
            for variable in image.declarations.get().into_iter().flat_map(|it| it.all_variables()) {
                try_out(&mut program, &image, &variable.name, None);
            }
            (1, values)
        }));
        slowest = slowest.max(start.elapsed());
        let (one, more) = attempt.unwrap_or_else(|_| panic!("file {index} panics"));
        (readable, values) = (readable + one, values + more);
        assert!(slowest < SLOWEST, "file {index} takes {slowest:?}");
    }
    println!("{readable} of {FILES} readable, {values} values, slowest {slowest:?}");
    assert_eq!(PANICS.load(Ordering::Relaxed), 0);
    // The damage must leave something to look at.
    assert!(readable > FILES / 4 && values > FILES, "{readable} readable, {values} values");
}
