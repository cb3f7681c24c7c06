//! Names and the messages about them: what is found, what is not, and what to write instead.

use std::fs;
use std::path::PathBuf;

use crate::compiler;
use crate::initial::Initial;
use steam_expr::{ProgramNames, Value};
use steam_image::Image;

const ONE: &str = r#"
struct shared { int alpha, beta; struct { int gamma; }; } object = { 1, 2, { 3 } };
struct later;
struct later *pointer;
extern struct later whole;
static int count = 10;
static int only_one = 11;
int first(void) { static int calls = 12; return count + only_one + calls++; }
extern int second(void);
int bits_of(void) { return 0; }
union word { int i; } word;
void *nothing;
double real = 1.5;
int row[3] = { 5, 6, 7 };
struct { int length; char room[1]; } text;
struct { unsigned bit : 3; } field;
int main(void) { count++; only_one++; return first() + second() + (pointer != 0); }
"#;

const TWO: &str = r#"
struct later { int inside; };
struct later whole = { 77 };
static int count = 20;
int second(void) { static int calls = 22; count++; return count + calls++; }
"#;

fn program(flags: &str, output: &str) -> Image {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(output);
    fs::create_dir_all(&directory).expect("the directory for test programs");
    fs::write(directory.join("two.c"), TWO).expect("the second file");
    let command = format!("gcc -m32 -static -g {flags} two.c");
    Image::read_file(compiler::build(&command, "one.c", ONE, output)).expect("a program")
}

#[track_caller]
fn number(program: &mut ProgramNames<'_>, memory: &mut Initial<'_>, text: &str) -> i128 {
    let expression = program.compile(text, None).unwrap_or_else(|error| panic!("{text}: {error}"));
    match expression.evaluate(memory) {
        Value::Integer { value, .. } => value,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn statics_are_found_by_file_and_function() {
    let image = program("", "m_found");
    let mut program = ProgramNames::new(&image).expect("declarations");
    let mut memory = Initial::new(&image);
    let mut expect =
        |text, value| assert_eq!(number(&mut program, &mut memory, text), value, "{text}");
    expect("one.c::count", 10);
    expect("two.c::count", 20);
    expect("'two.c'::count", 20);
    expect("only_one", 11);
    expect("first::calls", 12);
    expect("second::calls", 22);
    expect("two.c::second::calls", 22);
    expect("object.gamma + ::object.beta", 5);
    // Declared in one file, defined in the other.
    expect("whole.inside", 77);
    expect("((struct later *)&whole)->inside", 77);
}

#[track_caller]
fn fails(program: &mut ProgramNames<'_>, text: &str, at: usize, message: &str) {
    let error = program.compile(text, None).expect_err(text);
    assert!(error.message.contains(message), "{text}: {error}");
    assert_eq!(error.at, at, "{text}: {error}");
}

#[test]
fn messages_say_what_is_wrong_and_what_to_write() {
    let image = program("", "m_wrong");
    let mut program = ProgramNames::new(&image).expect("declarations");
    let program = &mut program;
    fails(program, "1 + coutn", 4, "there is no variable `coutn`; nearest: count");
    fails(program, "count", 0, "`count` is ambiguous: write one.c::count or two.c::count");
    fails(program, "calls", 0, "`calls` is ambiguous: write first::calls or second::calls");
    fails(program, "one.c::calls == two.c::only_one", 16, "there is one.c::only_one");
    fails(program, "first::x", 0, "a local variable of `first`");
    fails(program, "object.alhpa", 6, "`struct shared` has no member `alhpa`; nearest: alpha");
    fails(program, "object.zzzzz", 6, "it has alpha, beta, gamma");
    fails(program, "object->alpha", 6, "this is no pointer (`struct shared`): write `.`");
    fails(program, "pointer.inside", 7, "this is a pointer (`struct later *`): write `->`");
    fails(program, "(&object).alpha", 9, "write `->`");
    fails(program, "real.x", 4, "`double` has no members");
    fails(program, "object + 1", 7, "`struct shared`, which is no number");
    fails(program, "*nothing", 0, "`void *` must be cast");
    fails(program, "*real", 0, "only a pointer can be followed, not `double`");
    fails(program, "real % 2", 5, "needs integers");
    fails(program, "real << 1", 5, "needs integers");
    fails(program, "~real", 0, "needs an integer");
    fails(program, "pointer * 2", 8, "needs numbers, not pointers");
    fails(program, "pointer + pointer", 8, "two pointers cannot be added");
    fails(program, "1 - pointer", 2, "cannot be subtracted from a number");
    fails(program, "&1", 0, "`&` needs a variable");
    fails(program, "&field.bit", 0, "a bit-field has no address");
    fails(program, "(struct shred *)nothing", 1, "there is no `struct shred`; nearest: shared");
    fails(program, "(struct shared)1", 0, "nothing can be cast to `struct shared`");
    fails(program, "(struct shared *)real", 0, "`double` cannot be cast to `struct shared *`");
    fails(program, "(void)1", 0, "nothing can be cast to `void`");
    fails(program, "sizeof(void)", 0, "the size of `void` is not known");
    fails(program, "object ? 1 : 2", 7, "which is no number");
    fails(program, "(real ? pointer : real)", 6, "no common type");
    fails(program, "first.x", 5, "has no members");
    fails(program, "word.i++", 6, "expressions do not change variables: `++`");
    fails(program, "--word.i", 0, "expressions do not change variables: `--`");
}

#[test]
fn a_message_points_at_its_place() {
    let image = program("", "m_points");
    let mut program = ProgramNames::new(&image).expect("declarations");
    let text = "only_one +\tcoutn";
    let explained = program.compile(text, None).expect_err("unknown").explain(text);
    let expected = "only_one + coutn\n           ^\nthere is no variable `coutn`; nearest: count";
    assert_eq!(explained, expected);
}

#[test]
fn what_is_optimised_away_is_said_to_be() {
    let source = "static int gone = 3; int main(void) { return gone; }";
    let path = compiler::build("gcc -m32 -static -g -O2", "o.c", source, "m_gone");
    let image = Image::read_file(path).expect("a program");
    let mut program = ProgramNames::new(&image).expect("declarations");
    // gcc tells the value of such a variable, or nothing.
    match program.compile("gone", None) {
        Err(error) => assert!(error.message.contains("`gone` is optimised away"), "{error}"),
        Ok(expression) => {
            let value = expression.evaluate(&mut Initial::new(&image));
            assert!(matches!(value, Value::Integer { value: 3, .. }), "{value:?}");
        }
    }
}

#[test]
fn without_debug_information_the_message_says_what_to_do() {
    let path =
        compiler::build("gcc -m32 -static", "one.c", "int main(void) { return 0; }", "m_no_g");
    let image = Image::read_file(path).expect("a program");
    let error = ProgramNames::new(&image).expect_err("nothing is known");
    assert_eq!(error.to_string(), "the variables of the program are not known: compile with -g");
}

#[test]
fn arrays_have_ends() {
    let image = program("", "m_ends");
    let mut program = ProgramNames::new(&image).expect("declarations");
    let error = program.compile("row[3] < 5", None).expect_err("there are three");
    assert_eq!(
        error.explain("row[3] < 5"),
        "row[3] < 5\n   ^\nthere is no element 3 of 3, which count from 0; what lies there is `*(array + 3)`"
    );
    for text in ["row[-1]", "row[1 + 2]", "&row[4]"] {
        assert!(program.compile(text, None).is_err(), "{text}");
    }
    // The size of what is not there, the address right after the end, and a member that stands for more.
    for text in ["row[2]", "sizeof row[3]", "&row[3]", "text.room[7]", "2[row]", "(row + 1)[2]"] {
        assert!(program.compile(text, None).is_ok(), "{text}");
    }
}

#[test]
fn values_that_do_not_exist_are_values() {
    let image = program("", "m_values");
    let mut program = ProgramNames::new(&image).expect("declarations");
    let mut evaluate =
        |text: &str| program.compile(text, None).expect(text).evaluate(&mut Initial::new(&image));
    assert_eq!(evaluate("pointer->inside"), Value::Unreadable(0));
    assert_eq!(evaluate("*(int *)0x10 + 1"), Value::Unreadable(16));
    assert_eq!(evaluate("1 / (only_one - 11)"), Value::Undefined("division by zero"));
    assert_eq!(evaluate("1 / 0"), Value::Undefined("division by zero"));
    assert_eq!(
        evaluate("1 << 32 + only_one"),
        Value::Undefined("a shift by more bits than there are")
    );
    assert_eq!(evaluate("row[only_one - 8]"), Value::Undefined("an index outside of its array"));
    assert_eq!(evaluate("row[10 - only_one]"), Value::Undefined("an index outside of its array"));
    assert_eq!(evaluate("row[only_one - 9] == 7").truth(), Some(true));
    assert_eq!(evaluate("*(row + only_one - 9) == 7").truth(), Some(true));
    assert_eq!(evaluate("&row[only_one - 8] == row + 3").truth(), Some(true));
    assert_eq!(evaluate("pointer && pointer->inside").truth(), Some(false));
    assert_eq!(evaluate("real").truth(), Some(true));
    assert_eq!(evaluate("object").truth(), None);
}

#[test]
fn cells_are_known_where_addresses_are_fixed() {
    let image = program("", "m_cells");
    let mut program = ProgramNames::new(&image).expect("declarations");
    let address = |name: &str| image.symbols.find(name).next().expect("a symbol").address;
    let (object, real) = (address("object"), address("real"));
    // Each as its start and end.
    let mut cells = |text: &str| {
        let cells = program.compile(text, None).expect(text).cells()?;
        Some(cells.iter().map(|cell| (cell.start, cell.end)).collect::<Vec<_>>())
    };
    assert_eq!(cells("1 + 2"), Some(vec![]));
    assert_eq!(cells("&object.beta"), Some(vec![]));
    assert_eq!(cells("sizeof object"), Some(vec![]));
    assert_eq!(cells("object.beta"), Some(vec![(object + 4, object + 8)]));
    assert_eq!(cells("object.gamma + object.beta"), Some(vec![(object + 4, object + 12)]));
    assert_eq!(cells("(&object)->alpha"), Some(vec![(object, object + 4)]));
    assert_eq!(cells("(&object.alpha)[2]"), Some(vec![(object + 8, object + 12)]));
    assert_eq!(cells("*(char *)&real"), Some(vec![(real, real + 1)]));
    assert_eq!(cells("field.bit").map(|cells| cells[0].1 - cells[0].0), Some(1));
    assert_eq!(cells("object"), Some(vec![(object, object + 12)]));
    let mut both = vec![(object, object + 4), (real, real + 8)];
    both.sort_unstable();
    assert_eq!(cells("real > 1 && object.alpha"), Some(both));
    assert_eq!(cells("pointer->inside"), None);
    assert_eq!(cells("(&object.alpha)[only_one]"), None);
}

#[test]
fn constants_are_folded() {
    let image = program("", "m_fold");
    let mut program = ProgramNames::new(&image).expect("declarations");
    let mut constant = |text: &str| program.compile(text, None).expect(text).is_constant();
    for text in ["1 + 2 * 3", "sizeof object * 2", "&object.beta + 1", "1.5 > 1 && !0", "first"] {
        assert!(constant(text), "{text}");
    }
    for text in ["object.alpha", "1 / 0", "only_one * 0"] {
        assert!(!constant(text), "{text}");
    }
}

#[test]
fn the_size_of_what_is_optimised_away_is_known() {
    let source =
        "struct s { int a[5]; }; static struct s gone; int main(void) { return gone.a[1]; }";
    let path = compiler::build("gcc -m32 -static -g -O2", "s.c", source, "m_size");
    let image = Image::read_file(path).expect("a program");
    let mut program = ProgramNames::new(&image).expect("declarations");
    let mut memory = Initial::new(&image);
    assert_eq!(number(&mut program, &mut memory, "sizeof gone + sizeof gone.a[0]"), 24);
    fails(&mut program, "gone.a[1] + sizeof gone", 0, "`gone` is optimised away: compile with -O0");
}
