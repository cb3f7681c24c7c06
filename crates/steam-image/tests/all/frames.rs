//! Source lines and inlined frames, compared with `addr2line` of the binutils.

use std::collections::BTreeMap;
use std::path::Path;

use crate::compiler::{VARIABLES, build, installed, run};
use steam_image::{Frame, Image, NoLines};

/// C++ with functions that get inlined into each other, templates, lambdas and classes.
const INLINING: &str = r#"
#include <cstdio>
#include <string>
#include <vector>
namespace shapes {
template <typename T> inline T square(T x) { return x * x; }
static inline int leaf(int x) {
    int sum = 0;
    for (int i = 0; i < x; i++)
        sum += square(i) ^ square(x + i);
    return sum;
}
struct Shape {
    virtual ~Shape() {}
    virtual double area() const = 0;
    inline int code(int x) const { return leaf(x) + leaf(x + 1); }
};
struct Circle : Shape {
    double radius;
    explicit Circle(double r) : radius(r) {}
    double area() const override { return 3.14 * square(radius); }
};
__attribute__((noinline)) int measure(const Shape &shape, int n) {
    int total = shape.code(n);
    if (shape.area() > 10.0)
        total += leaf(total & 15);
    return total;
}
}
__attribute__((noinline)) unsigned apply(const std::vector<unsigned> &values) {
    auto twist = [](unsigned x) { return shapes::square(x) >> 3; };
    unsigned result = 0;
    for (unsigned value : values)
        result += twist(value) + shapes::leaf(value & 7);
    return result;
}
int main(int argc, char **) {
    shapes::Circle circle(argc + 2.5);
    std::vector<unsigned> values = { 1, 2, 3, (unsigned)argc };
    std::string text = "n" + std::to_string(argc);
    std::printf("%d %u %s\n", shapes::measure(circle, argc), apply(values), text.c_str());
    return 0;
}
"#;

/// One frame as `addr2line` prints it: function, file, line.
type Line = (String, String, Option<u32>);

/// Asks the binutils about all addresses at once.
fn binutils(path: &Path, addresses: &[u32]) -> BTreeMap<u32, Vec<Line>> {
    let mut result: BTreeMap<u32, Vec<Line>> = BTreeMap::new();
    for chunk in addresses.chunks(500) {
        let words: Vec<String> = chunk.iter().map(|address| format!("{address:#x}")).collect();
        let mut arguments = vec!["-a", "-f", "-i", "-C", "-e", path.to_str().expect("a path")];
        arguments.extend(words.iter().map(String::as_str));
        let text = run("addr2line", &arguments);
        let mut current = 0;
        let mut lines = text.lines();
        while let Some(first) = lines.next() {
            if let Some(address) = first.strip_prefix("0x") {
                current = u32::from_str_radix(address, 16).expect("an address");
                continue;
            }
            let place = lines.next().expect("a place after each function");
            let place = place.split(" (discriminator").next().expect("a place");
            let (file, line) = place.rsplit_once(':').expect("a file and a line");
            let line = (first.to_owned(), file.to_owned(), line.parse().ok());
            result.entry(current).or_default().push(line);
        }
    }
    result
}

fn ours(frame: &Frame) -> Line {
    let unknown = || "??".to_owned();
    (
        frame.function.clone().unwrap_or_else(unknown),
        frame.file.clone().unwrap_or_else(unknown),
        frame.line,
    )
}

/// Addresses in the functions of the program itself, and some in its libraries.
fn addresses(image: &Image) -> Vec<u32> {
    let own =
        ["main", "measure", "apply", "shapes", "twice", "hidden", "square", "vector", "string"];
    let mut addresses = Vec::new();
    for symbol in image.symbols.iter() {
        let start = symbol.address - image.base.min(symbol.address);
        if own.iter().any(|name| symbol.name.contains(name)) && image_code(image, symbol.address) {
            addresses.extend((start..start + symbol.size).step_by(3).take(250));
        }
    }
    addresses.sort_unstable();
    addresses.dedup();
    addresses
}

fn image_code(image: &Image, address: u32) -> bool {
    image.segment_at(address).is_some_and(|segment| segment.execute)
}

/// A program, and addresses in it with the answers for them.
struct Asked {
    output: &'static str,
    image: Image,
    answers: BTreeMap<u32, Vec<Line>>,
}

#[track_caller]
fn ask(
    command: &str,
    (file, source): (&str, &str),
    output: &'static str,
    oracle: fn(&Path, &[u32]) -> BTreeMap<u32, Vec<Line>>,
) -> Asked {
    let path = build(command, file, source, output);
    let image = Image::read_file(&path).expect("a program");
    assert_eq!(image.lines.missing(), None);
    let addresses = addresses(&image);
    assert!(addresses.len() > 30, "{output}: only {} addresses", addresses.len());
    let answers = oracle(&path, &addresses);
    assert_eq!(answers.len(), addresses.len());
    Asked { output, image, answers }
}

impl Asked {
    /// Compares all answers with ours, and whether functions were inlined.
    #[track_caller]
    fn check(&self, inlining: bool, agree: impl Fn(&[Line], &[Line]) -> bool) {
        let Asked { output, image, answers } = self;
        let mut deepest = 0;
        let mut with_lines = 0;
        let mut wrong = Vec::new();
        for (&address, expected) in answers {
            let frames = image.lines.frames(address + image.base);
            let found: Vec<Line> = frames.iter().map(ours).collect();
            deepest = deepest.max(found.len());
            with_lines += usize::from(found[0].2.is_some());
            for (depth, frame) in frames.iter().enumerate() {
                assert_eq!(frame.inlined, depth + 1 < frames.len());
            }
            if !agree(expected, &found) {
                wrong.push((address, expected, found));
            }
        }
        let (count, all) = (wrong.len(), answers.len());
        let shown = &wrong[..count.min(3)];
        assert!(wrong.is_empty(), "{output}: {count} of {all} addresses differ: {shown:x?}");
        assert!(with_lines > 25, "{output}: only {with_lines} addresses have lines");
        assert_eq!(deepest > 1, inlining, "{output}: {deepest} frames");
    }
}

const C: (&str, &str) = ("v.c", VARIABLES);
const CPP: (&str, &str) = ("i.cc", INLINING);

#[track_caller]
fn check(command: &str, program: (&str, &str), output: &'static str, inlining: bool) {
    let asked = ask(command, program, output, binutils);
    asked.check(inlining, |expected, found| agree(expected, found, program.1));
}

/// Whether both say the same. Without a line, the binutils fill in the name of an object file,
/// and the choice among several names of a symbol is anybody's.
fn agree(expected: &[Line], found: &[Line], source: &str) -> bool {
    if let ([(_, _, None)], [(_, _, line)]) = (expected, found) {
        return line.is_none();
    }
    expected.len() == found.len()
        && expected
            .iter()
            .zip(found)
            .all(|(one, ours)| agree_on_one(one, ours, source) || misnamed(one, ours, expected))
}

/// For an inlined function whose debug information has the bare name alone, the binutils give
/// the name of the function around it.
fn misnamed(expected: &Line, found: &Line, frames: &[Line]) -> bool {
    let around = &frames[frames.len() - 1].0;
    let bare = !found.0.replace("operator()", "").contains('(');
    bare && expected.0 == *around && (&expected.1, expected.2) == (&found.1, found.2)
}

/// Binutils 2.40 take some lines of headers for lines of the main file, which is shorter: then
/// the file does not count.
fn agree_on_one(expected: &Line, found: &Line, source: &str) -> bool {
    let impossible = |line: u32| line as usize > source.lines().count();
    let misplaced = expected.1.ends_with("/i.cc") && expected.2.is_some_and(impossible);
    let same_file = if misplaced { !found.1.ends_with("/i.cc") } else { expected.1 == found.1 };
    same_name(&expected.0, &found.0) && same_file && expected.2 == found.2
}

/// The demangler takes the first parameter of a constructor template for the type of its result:
/// for functions of the standard library the parameters do not count.
fn same_name(expected: &str, found: &str) -> bool {
    let bare = |name: &str| name.split('(').next().map(str::to_owned);
    expected == found || expected.starts_with("std::") && bare(expected) == bare(found)
}

#[test]
fn frames_of_c_programs_are_those_of_the_binutils() {
    check("gcc -m32 -static -g -O0", C, "f_c_o0", false);
    check("gcc -m32 -static -gdwarf-4 -O2", C, "f_c_o2", true);
    check("gcc -m32 -static-pie -fpie -g -O2", C, "f_c_pie", true);
}

#[test]
fn frames_of_cpp_programs_are_those_of_the_binutils() {
    check("g++ -m32 -static -g -O0", CPP, "f_cc_o0", false);
    check("g++ -m32 -static -g -O2", CPP, "f_cc_o2", true);
    check("g++ -m32 -static -gdwarf-4 -O3", CPP, "f_cc_o3_dwarf4", true);
}

/// Of what clang writes as DWARF 5, the binutils 2.40 understand no range lists.
#[test]
fn frames_of_clang_programs_are_those_of_the_binutils() {
    if installed("clang") {
        check("clang -m32 -static -g -O0", C, "f_c_clang", false);
        check("clang++ -m32 -static -g -O0", CPP, "f_clang_o0", false);
        check("clang++ -m32 -static -gdwarf-4 -O2", CPP, "f_clang_dwarf4", true);
    }
}

/// Asks LLVM about all addresses at once.
fn llvm(path: &Path, addresses: &[u32]) -> BTreeMap<u32, Vec<Line>> {
    let object = format!("--obj={}", path.display());
    let words: Vec<String> = addresses.iter().map(|address| format!("{address:#x}")).collect();
    let mut arguments = vec![object.as_str(), "--inlines", "--demangle"];
    arguments.extend(words.iter().map(String::as_str));
    let text = run("llvm-symbolizer", &arguments);
    let answer = |paragraph: &str| -> Vec<Line> {
        let lines: Vec<_> = paragraph.lines().collect();
        lines.chunks(2).map(|pair| llvm_line(pair[0], pair[1])).collect()
    };
    addresses.iter().copied().zip(text.split("\n\n").map(answer)).collect()
}

fn llvm_line(function: &str, place: &str) -> Line {
    let mut fields = place.rsplitn(3, ':').skip(1);
    let line = fields.next().and_then(|line| line.parse().ok()).filter(|&line| line != 0);
    // The two demanglers write lambdas differently, and LLVM tells the cold part of a function.
    let function = function.trim_end_matches(".cold").trim_end_matches(" (.cold)");
    let function = function.replace("'lambda'(unsigned int)", "{lambda(unsigned int)#1}");
    (function, fields.next().expect("a file").to_owned(), line)
}

#[test]
fn frames_are_those_of_llvm() {
    if !installed("llvm-symbolizer") {
        return;
    }
    let agree = |expected: &[Line], found: &[Line]| match (expected, found) {
        ([(_, _, None)], [(_, _, line)]) => line.is_none(),
        _ => {
            expected.len() == found.len()
                && expected.iter().zip(found).all(|(one, ours)| {
                    same_name(&one.0, &ours.0) && (&one.1, one.2) == (&ours.1, ours.2)
                })
        }
    };
    ask("g++ -m32 -static -g -O0", CPP, "l_gcc_o0", llvm).check(false, agree);
    ask("g++ -m32 -static -g -O2", CPP, "l_gcc_o2", llvm).check(true, agree);
    if installed("clang") {
        ask("clang++ -m32 -static -g -O0", CPP, "l_clang_o0", llvm).check(false, agree);
        ask("clang++ -m32 -static -g -O2", CPP, "l_clang_o2", llvm).check(true, agree);
    }
}

#[test]
fn without_debug_information_the_symbol_names_the_function() {
    let path = build("g++ -m32 -static -O1", "i.cc", INLINING, "f_no_g");
    let image = Image::read_file(path).expect("a program");
    assert_eq!(image.lines.missing(), Some(&NoLines::Absent));
    let apply = image.symbols.iter().find(|symbol| symbol.name.starts_with("_Z5applyRK"));
    let frames = image.lines.frames(apply.expect("the function").address + 5);
    assert_eq!(frames.len(), 1);
    let name = frames[0].function.as_deref().expect("a name");
    assert!(name.starts_with("apply(std::vector<unsigned int"), "{name}");
    assert_eq!((frames[0].line, frames[0].inlined), (None, false));
    assert!(image.lines.frames(0x10).is_empty());
}

#[test]
fn split_debug_information_gives_lines_and_the_names_of_symbols() {
    let path = build("gcc -m32 -static -g -gsplit-dwarf", "v.c", VARIABLES, "f_split");
    let image = Image::read_file(path).expect("a program");
    let twice = image.symbols.find("twice").next().expect("the function");
    let frames = image.lines.frames(twice.address);
    assert_eq!(frames[0].function.as_deref(), Some("twice"));
    assert!(frames[0].line.is_some());
}
