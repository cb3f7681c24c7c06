//! Values as text: as gdb prints them, and within limits.

use crate::compiler;
use crate::initial::Initial;
use steam_expr::{Limits, Printer, ProgramNames, type_name};
use steam_image::Image;

const SOURCE: &str = r#"
#include <stdbool.h>
typedef struct point { int x, y; } point;
enum color { RED, GREEN = 5, BLUE };
enum flag { A = 1, B = 2, C = 4 };
struct node { int value; struct node *next; };
struct bits { unsigned a : 3; int b : 5; _Bool c : 1; enum color d : 3; };
union word { int i; unsigned char bytes[4]; };
struct anonymous { int before; union { int i; float f; }; struct { short s; char t[4]; } named; };
int number = -5; unsigned large = 4000000000u; long long wide = -1ll << 40;
char letter = 'a', newline = '\n', quote = '\'', negative = -1; unsigned char byte = 200;
bool yes = true; float single = 0.1f; double half = 0.5, huge = 0x1p200, tiny = 1.5e-10, whole = 42;
enum color paint = GREEN, odd = 77; enum flag both = A | C, more = 9;
point here = { 1, -2 }; struct node last = { 2, 0 }; struct node first = { 1, &last };
struct bits packed = { 5, -3, 1, BLUE }; union word word = { .i = 0x01020304 };
struct anonymous mixed = { 1, { 0x40000000 }, { 3, "abc" } };
int few[3] = { 1, 2, 3 }, zeros[16], runs[20] = { 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 2 };
int grid[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; point points[12] = { { 1, 2 } }; int many[500] = { 1, 2 };
char text[6] = "hello", exact[3] = "abc"; const char *literal = "tab\there \"quoted\" \\ \001";
void *nothing; int *into = &few[1]; point *to_point = &here; const volatile int fixed = 9;
struct node *chain = &first; char *words[2] = { "one", 0 }; int *array_of[3] = { &number, 0, few };
static int twice(int x) { return 2 * x; }
int (*function)(int) = twice; struct { int (*call)(int); } table = { twice };
int main(void) { return twice(fixed); }
"#;

/// What gdb and we print alike.
const ALIKE: &str = "number; large; wide; letter; newline; quote; negative; byte; yes; half; huge; \
    tiny; whole; paint; odd; both; more; here; last; first; packed; word; mixed; few; zeros; runs; \
    grid; points; many; text; exact; literal; nothing; into; to_point; fixed; chain; words; \
    array_of; function; table; *chain; *chain->next; here.x; few[1]; &few[1]; grid[1]; &grid[1]; \
    &here; &number; few + 1; number + large; letter + 1; !number; number < 0; half * 2; (char)65; \
    (enum color)6; (short)number; &chain->next->value; *to_point; mixed.named.t; &text; 1.5f; \
    (long long)1; sizeof(point); paint == GREEN; packed.b; packed.d; word.bytes; &function";

fn image() -> (Image, std::path::PathBuf) {
    let path = compiler::build("gcc -m32 -static -g -w", "p.c", SOURCE, "print");
    (Image::read_file(&path).expect("a program"), path)
}

#[track_caller]
fn print(image: &Image, text: &str, limits: Limits) -> String {
    let mut program = ProgramNames::new(image).expect("declarations");
    let expression = program.compile(text, None).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut memory = Initial::new(image);
    let value = expression.evaluate(&mut memory);
    Printer::new(&program, limits).print(&value, &mut memory)
}

#[test]
fn values_are_printed_as_by_gdb() {
    if !compiler::installed("gdb") {
        return;
    }
    let (image, path) = image();
    let expressions: Vec<_> = ALIKE.split(';').map(str::trim).collect();
    let mut arguments = vec!["-nx".to_owned(), "-batch".to_owned()];
    for expression in &expressions {
        arguments.extend(["-ex".to_owned(), format!("output {expression}")]);
        arguments.extend(["-ex".to_owned(), "echo \\n".to_owned()]);
    }
    arguments.push(path.to_str().expect("a path").to_owned());
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let answers = compiler::run("gdb", &arguments);
    let mut wrong = Vec::new();
    assert_eq!(answers.lines().count(), expressions.len(), "{answers}");
    for (expression, expected) in expressions.iter().zip(answers.lines()) {
        let ours = print(&image, expression, Limits::default());
        if ours != expected {
            wrong.push(format!("{expression}\n  gdb  {expected}\n  ours {ours}"));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn limits_are_kept() {
    let (image, _) = image();
    let small = Limits { depth: 1, elements: 5, repeats: 3 };
    let check = |text, expected| assert_eq!(print(&image, text, small), expected, "{text}");
    check("few", "{1, 2, 3}");
    check("zeros", "{0 <repeats 16 times>}");
    check("many", "{1, 2, 0 <repeats 498 times>}");
    check("runs", "{1, 1, 7 <repeats 11 times>, 2, 0 <repeats 6 times>}");
    check("grid", "{{1, 2, 3}, {...}}");
    check("text", "\"hello\"");
    check("literal[0]", "116 't'");
    check("mixed", "{before = 1, {i = 1073741824, f = 2}, named = {...}}");
    check("*(point *)0", "<cannot read 0x0>");
    check("1 / 0", "<division by zero>");
}

#[test]
fn types_are_written_as_in_c() {
    let (image, _) = image();
    let mut program = ProgramNames::new(&image).expect("declarations");
    let mut check = |text: &str, expected: &str| {
        let type_id = program.compile(text, None).expect(text).type_id();
        assert_eq!(type_name(program.types(), type_id), expected, "{text}");
    };
    check("number", "int");
    check("&number", "int *");
    check("&here", "point *");
    check("chain", "struct node *");
    check("&chain", "struct node **");
    check("grid", "int [2][3]");
    check("&grid", "int (*)[2][3]");
    check("&grid[0]", "int (*)[3]");
    check("function", "int (*)(int)");
    check("&function", "int (**)(int)");
    check("twice", "int (*)(int)");
    check("&fixed", "volatile const int *");
    check("literal", "const char *");
    check("paint", "enum color");
    check("1 + letter", "int");
    check("1u + letter", "unsigned int");
    check("array_of", "int *[3]");
    check("table", "struct {...}");
}
