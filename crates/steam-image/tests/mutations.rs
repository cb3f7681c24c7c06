//! Thousands of damaged programs: each is an image or an error, soon and in little memory, and
//! never a panic; the same for questions about the lines and the
//! variables of damaged debug information.

mod compiler;

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use compiler::build;
use steam_image::Image;

static PANICS: AtomicUsize = AtomicUsize::new(0);

/// The largest address space that this process had so far, in bytes.
fn peak() -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("the status of this process");
    let field = status.lines().find_map(|line| line.strip_prefix("VmPeak:")).expect("the peak");
    let kibibytes = field.trim().trim_end_matches(" kB").parse::<usize>().expect("a number");
    kibibytes << 10
}

/// A small generator with a fixed start (xorshift64*), so that every run tests the same files.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// Values that sit at the borders of checks.
const EXTREME: [u32; 16] = [
    0,
    1,
    2,
    0x7f,
    0xff,
    0xfff,
    0x1000,
    0xffff,
    0x1_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xbfff_ffff,
    0xc000_0000,
    0xffff_f000,
    0xffff_fffe,
    0xffff_ffff,
];

/// A program and the places in it that matter most.
struct Seed {
    bytes: Vec<u8>,
    /// Offsets of the tables of headers: start and size.
    headers: Vec<(usize, usize)>,
    /// Where sections with symbols and debug information lie.
    details: Vec<(usize, usize)>,
}

impl Seed {
    fn new(bytes: Vec<u8>) -> Seed {
        let word = |at: usize| {
            u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize
        };
        let half = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        let (programs, sections) = (word(28), word(32));
        let headers = vec![(0, 52), (programs, 32 * half(44)), (sections, 40 * half(48))];
        let mut details = Vec::new();
        for index in 0..half(48) {
            let header = sections + 40 * index;
            let (kind, flags) = (word(header + 4), word(header + 8));
            // Whatever is not loaded: symbols, their names, debug information.
            if kind != 0 && kind != 8 && flags & 2 == 0 && word(header + 20) > 0 {
                details.push((word(header + 16), word(header + 20)));
            }
        }
        Seed { bytes, headers, details }
    }

    /// A damaged copy.
    fn mutate(&self, random: &mut Random) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for _ in 0..=random.below(4) {
            self.damage(&mut bytes, random);
        }
        bytes
    }

    fn damage(&self, bytes: &mut Vec<u8>, random: &mut Random) {
        let (start, size) = self.target(random);
        let place = (start + random.below(size)).min(bytes.len().saturating_sub(4));
        if bytes.len() < 8 {
            return;
        }
        match random.below(8) {
            0 => bytes[place] ^= 1 << random.below(8),
            1 => bytes[place] = random.next() as u8,
            2 | 3 => {
                let aligned = place & !3;
                let value = EXTREME[random.below(EXTREME.len())];
                bytes[aligned..aligned + 4].copy_from_slice(&value.to_le_bytes());
            }
            4 => {
                let aligned = place & !1;
                let value = EXTREME[random.below(EXTREME.len())] as u16;
                bytes[aligned..aligned + 2].copy_from_slice(&value.to_le_bytes());
            }
            5 => {
                let aligned = place & !3;
                let old = u32::from_le_bytes(bytes[aligned..aligned + 4].try_into().expect("four"));
                let new = old.wrapping_add(random.below(9) as u32).wrapping_sub(4);
                bytes[aligned..aligned + 4].copy_from_slice(&new.to_le_bytes());
            }
            6 => self.splice(bytes, place, random),
            _ if random.below(4) == 0 => bytes.truncate(random.below(bytes.len())),
            _ => bytes[place] = 0xff,
        }
    }

    /// Copies one stretch of the file over another.
    fn splice(&self, bytes: &mut [u8], place: usize, random: &mut Random) {
        let (start, size) = self.target(random);
        let length = 1 + random.below(64);
        let from = (start + random.below(size)).min(self.bytes.len() - 1);
        let length = length.min(self.bytes.len() - from).min(bytes.len() - place);
        bytes[place..place + length].copy_from_slice(&self.bytes[from..from + length]);
    }

    /// Half of the damage goes to the headers, most of the rest to symbols and lines.
    fn target(&self, random: &mut Random) -> (usize, usize) {
        match random.below(10) {
            0..5 => self.headers[random.below(self.headers.len())],
            5..9 if !self.details.is_empty() => self.details[random.below(self.details.len())],
            _ => (0, self.bytes.len()),
        }
    }
}

/// What became of the damaged files.
#[derive(Default)]
struct Outcome {
    images: usize,
    errors: usize,
    with_lines: usize,
    variables: usize,
    locals: usize,
}

/// Loads a damaged file and asks for lines and variables all over it.
fn try_out(bytes: &[u8], random: &mut Random, outcome: &mut Outcome) {
    let image = match Image::parse(bytes, "damaged") {
        Ok(image) => image,
        Err(error) => {
            assert!(error.to_string().len() > 10);
            outcome.errors += 1;
            return;
        }
    };
    outcome.images += 1;
    let ranges = image.ranges();
    for page in image.pages() {
        let inside = ranges.iter().any(|it| (it.start..it.end).contains(&page.address));
        assert!(inside, "page {:#x} is outside of all ranges", page.address);
    }
    let mut known = false;
    let addresses: Vec<u32> = image.symbols.iter().map(|symbol| symbol.address).collect();
    for _ in 0..40 {
        let near = addresses.get(random.below(addresses.len())).copied().unwrap_or(image.entry);
        let frames = image.lines.frames(near.wrapping_add(random.below(64) as u32));
        known |= frames.iter().any(|frame| frame.line.is_some());
    }
    image.lines.frames(random.next() as u32);
    if let Ok(declared) = image.declarations.get() {
        let sizes = declared.all_variables().filter_map(|it| declared.types().size(it.type_id));
        outcome.variables += sizes.count();
        for &address in addresses.iter().take(8) {
            let near = address.wrapping_add(random.below(64) as u32);
            outcome.locals += declared.locals(near, &image.unwinder).len();
        }
    }
    image.symbols.find("main").count();
    outcome.with_lines += usize::from(known);
}

const SMALL: &str = "
static inline int step(int x) { return x * 3 + 1; }
int data[3] = { 1, 2, 3 };
int zero[2000];
__attribute__((noinline)) int walk(int n) {
    while (n != 1) { zero[n & 15]++; n = n & 1 ? step(n) : n / 2; }
    return n;
}
void _start(void) { for (;;) data[0] += walk(data[1]); }
";

const REAL: &str = "
#include <stdio.h>
static inline int step(int x) { return x * 3 + 1; }
int main(int argc, char **argv) {
    for (int i = 0; i < 10; i++) argc = step(argc);
    return printf(\"%d\\n\", argc) < 0;
}
";

const NO_LIBRARY: &str = "-m32 -static -nostdlib -fno-stack-protector";
const SMALL_FILES: usize = 14_000;
const REAL_FILES: usize = 400;
/// What all of this may take, with the caches of the allocator.
const MEMORY: usize = 128 << 20;

#[test]
fn no_damaged_program_causes_a_panic_a_hang_or_a_flood() {
    std::panic::set_hook(Box::new(|panic| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        eprintln!("{panic}");
    }));
    let seed = |command: String, file, source, output| {
        let path = build(&command, file, source, output);
        Seed::new(fs::read(path).expect("the program"))
    };
    let small = [
        seed(format!("gcc {NO_LIBRARY} -g -O2"), "s.c", SMALL, "mutate_small"),
        seed(format!("gcc {NO_LIBRARY} -gdwarf-4 -O1"), "s.c", SMALL, "mutate_small_4"),
        seed(
            format!("g++ {NO_LIBRARY} -g -O2 -fpie -static-pie"),
            "s.cc",
            SMALL,
            "mutate_small_pie",
        ),
    ];
    let real = seed("gcc -m32 -static -g -O2".to_owned(), "r.c", REAL, "mutate_real");
    let mut random = Random(0x5eed_0001);
    let mut outcome = Outcome::default();
    let mut slowest = Duration::ZERO;
    let before = peak();
    let seeds = (0..SMALL_FILES).map(|index| &small[index % small.len()]);
    for (index, seed) in seeds.chain((0..REAL_FILES).map(|_| &real)).enumerate() {
        let bytes = seed.mutate(&mut random);
        let start = Instant::now();
        try_out(&bytes, &mut random, &mut outcome);
        slowest = slowest.max(start.elapsed());
        assert!(start.elapsed() < Duration::from_secs(60), "file {index} hangs");
    }
    let Outcome { images, errors, with_lines, variables, locals } = outcome;
    println!("{images} images ({with_lines} with lines), {errors} errors, slowest {slowest:?}");
    let grown = peak() - before;
    assert!(grown < MEMORY, "memory grew by {} MiB", grown >> 20);
    assert_eq!(PANICS.load(Ordering::Relaxed), 0);
    assert_eq!(images + errors, SMALL_FILES + REAL_FILES);
    // The damage must reach both the loader's checks and what lies after them.
    assert!(images > 2000 && errors > 2000 && with_lines > 1000);
    assert!(variables > 2000 && locals > 2000, "{variables} variables, {locals} locals");
}
