//! Local variables at every instruction of a function: gdb steps through the program and tells
//! registers, memory and the values of expressions; ours are evaluated with the same registers
//! and memory.

use std::fs;
use std::path::{Path, PathBuf};

use crate::compiler;
use crate::initial::Initial;
use steam_expr::{Limits, Printer, ProgramNames, Value};
use steam_image::{Image, THREAD_BASE};

const SOURCE: &str = r#"
struct pair { int left; long long right; };
int sink, own = 31;
static int inlined(int given) { int tripled = given * 3; return tripled ^ sink; }
__attribute__((noinline)) int work(int a, short b, struct pair *pair, double real) {
    static int calls = 40;
    int sum = a + b;
    struct pair copy = *pair;
    long long wide = copy.right * 2;
    calls++;
    for (int i = 0; i < 3; i++) {
        int square = i * i + own;
        sum += square + inlined(sum);
        if (square & 1) {
            int a = square - 1;
            sum += a;
            sink = a;
        }
    }
    sink = sum + (int)wide + (int)real;
    return sum;
}
int main(int argc, char **argv) {
    struct pair values = { 5, 1ll << 33 };
    int before = argc + 6;
    int result = work(before, -2, &values, 2.5);
    return result + values.left == 0;
}
"#;

const METHODS: &str = r#"
struct root { int first; };
class counter : public root {
    int count; static int shared;
public:
    counter(int start) : count(start) { first = 9; }
    __attribute__((noinline)) int add(const int &more, counter &other) {
        int was = count;
        count += more;
        { int count = was + other.first; shared += count; }
        return was;
    }
};
int counter::shared = 70;
int main(int argc, char **argv) { counter one(argc), two(5); int step = 4; return one.add(step, two); }
"#;

const EXPRESSIONS: &str = "a; b; pair; pair->left; pair->right; copy; copy.right; sum; wide; calls; i; \
    square; given; tripled; a + b; real == 2.5; &copy; argc; before; values; \
    values.left * 2; result; work::calls; sink";
const OF_METHODS: &str = "count; first; was; more + 1; other.first; this; *this; shared; \
    this->count; counter::shared; &more; &other; sizeof *this; other.count";
const REGISTERS: [(&str, u8); 9] = [
    ("eax", 0),
    ("ecx", 1),
    ("edx", 2),
    ("ebx", 3),
    ("esp", 4),
    ("ebp", 5),
    ("esi", 6),
    ("edi", 7),
    ("eip", 8),
];
const STEPS: usize = 120;

/// The commands for gdb: at each step, registers, memory, and the value of each expression.
fn script(directory: &Path, function: &str, expressions: &str) -> Vec<String> {
    let mut commands = vec![
        "set print address on".to_owned(),
        "set max-value-size unlimited".to_owned(),
        // gdb would tell values that are known from the caller alone.
        "set print entry-values no".to_owned(),
        "set print static-members off".to_owned(),
        format!("break *{function}"),
        "run".to_owned(),
    ];
    for step in 0..STEPS {
        commands.push("echo @@\\n".to_owned());
        for (register, _) in REGISTERS {
            commands.push(format!("output/u (unsigned)${register}"));
            commands.push("echo \\n".to_owned());
        }
        let dump = |part: &str, from: &str, to: &str| {
            format!("dump binary memory {}/{part}{step} {from} {to}", directory.display())
        };
        commands.push(dump("stack", "$esp-256", "$esp+512"));
        commands.push(dump("data", "(char*)&__data_start", "(char*)&_end"));
        for expression in expressions.split(';') {
            commands.push(format!("output {}", expression.trim()));
            commands.push("echo \\n".to_owned());
        }
        commands.push("echo @end\\n".to_owned());
        commands.push("stepi".to_owned());
    }
    commands.push("kill".to_owned());
    commands
}

/// How many answers were alike, and how many gdb has and we do not.
#[derive(Debug, Default)]
struct Outcome {
    alike: usize,
    not_ours: usize,
}

#[track_caller]
fn compare(flags: &str, function: &str, output: &str) -> Outcome {
    let command = format!("gcc -m32 -static {flags}");
    compare_with(&command, ("l.c", SOURCE), EXPRESSIONS, function, output)
}

#[track_caller]
fn compare_with(
    command: &str,
    (name, source): (&str, &str),
    expressions: &str,
    function: &str,
    output: &str,
) -> Outcome {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(output);
    let path = compiler::build(command, name, source, output);
    let commands = script(&directory, function, expressions);
    let file = |name: &str| directory.join(name).to_str().expect("a path").to_owned();
    let path_text = path.to_str().expect("a path");
    // As arguments: a script would end at the first name that is not in scope.
    let mut arguments = vec!["-nx", "-batch", path_text];
    arguments.extend(commands.iter().flat_map(|command| ["-ex", command]));
    let answers = compiler::run("gdb", &arguments);
    let image = Image::read_file(&path).expect("a program");
    let mut program = ProgramNames::new(&image).expect("declarations");
    let address = |name| image.symbols.find(name).next().expect("a symbol").address;
    let data = address("__data_start");
    let mut outcome = Outcome::default();
    let mut wrong = Vec::new();
    for (step, answer) in answers.split("@@\n").skip(1).enumerate() {
        let mut lines = answer.lines();
        let mut memory = Initial::new(&image);
        for (_, number) in REGISTERS {
            let value = lines.next().expect("a register").parse().expect("a number");
            memory.registers.push((number, value));
        }
        let register = |number| memory.registers.iter().find(|it| it.0 == number).expect("one").1;
        let (pc, stack) = (register(8), register(4));
        let read = |part: &str| fs::read(file(&format!("{part}{step}"))).expect("memory");
        memory.changed = vec![(stack - 256, read("stack")), (data, read("data"))];
        for (expression, expected) in expressions.split(';').zip(lines) {
            let Ok(compiled) = program.compile(expression, Some(pc)) else {
                outcome.not_ours += usize::from(!expected.is_empty() && !expected.contains("opt"));
                continue;
            };
            let value = compiled.evaluate(&mut memory);
            let ours = Printer::new(&program, Limits::default()).print(&value, &mut memory);
            match expected {
                // Not in the scope of gdb's frame, which may be one of an inlined function.
                "" => {}
                _ if ours == expected => outcome.alike += 1,
                _ if ours.starts_with('<') && expected.contains("optimized out") => {}
                _ => wrong.push(format!("{pc:#x}{expression}: gdb {expected}, ours {ours}")),
            }
        }
    }
    let shown = wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{command} {function}: {} differ:\n{shown}", wrong.len());
    println!("{command} {function}: {outcome:?}");
    outcome
}

/// Whether gdb is there and may run programs; says so where it is not.
fn gdb_runs_programs() -> bool {
    if !compiler::installed("gdb") {
        return false;
    }
    let path = compiler::build("gcc -m32 -static -g", "l.c", SOURCE, "l_gdb");
    let path = path.to_str().expect("a path");
    let commands = ["break main", "run", "output/u (unsigned)$eip", "kill", "echo @"];
    let mut arguments = vec!["-nx", "-batch", path];
    arguments.extend(commands.iter().flat_map(|command| ["-ex", command]));
    let answer = compiler::run("gdb", &arguments);
    let runs = answer.contains("Breakpoint 1, main");
    if !runs {
        eprintln!("gdb cannot run programs here: local variables are not tested");
    }
    runs
}

#[test]
fn locals_have_the_values_that_gdb_tells() {
    if !gdb_runs_programs() {
        return;
    }
    let plain = compare("-g -O0", "work", "l_o0");
    assert!(plain.alike > 1500 && plain.not_ours == 0, "{plain:?}");
    let main = compare("-g -O0", "main", "l_main");
    assert!(main.alike > 500 && main.not_ours == 0, "{main:?}");
    let no_frame = compare("-g -O1 -fomit-frame-pointer", "work", "l_o1");
    assert!(no_frame.alike > 500, "{no_frame:?}");
    let optimised = compare("-g -O2", "work", "l_o2");
    assert!(optimised.alike > 500, "{optimised:?}");
    let dwarf4 = compare("-gdwarf-4 -O2", "main", "l_dwarf4");
    assert!(dwarf4.alike > 300, "{dwarf4:?}");
}

#[test]
fn members_are_known_in_methods() {
    if !gdb_runs_programs() {
        return;
    }
    for (flags, output) in [("-g -O0", "l_cc_o0"), ("-g -O2", "l_cc_o2"), ("-gdwarf-4", "l_cc_4")] {
        let command = format!("g++ -m32 -static {flags}");
        let found = compare_with(&command, ("l.cc", METHODS), OF_METHODS, "counter::add", output);
        assert!(found.alike > 100, "{flags}: {found:?}");
    }
}

const THREADS: &str = r#"
#include <stdio.h>
static _Thread_local char padding[13] = "pad"; _Thread_local int own = 31;
_Thread_local _Alignas(64) long long zero;
int main(void) {
    unsigned base;
    __asm__("movl %%gs:0, %0" : "=r"(base));
    printf("%u %u %u %u\n", base, (unsigned)&own, (unsigned)&zero, (unsigned)padding);
    return 0;
}
"#;

/// gdb does not find them in static programs: the program tells by itself.
#[test]
fn variables_of_threads_are_found() {
    for flags in ["-g", "-g -O2", "-gdwarf-4"] {
        let command = format!("gcc -m32 -static {flags}");
        let path = compiler::build(&command, "t.c", THREADS, "l_threads");
        let told = compiler::run(path.to_str().expect("a path"), &[]);
        let told: Vec<u32> = told.split_whitespace().map(|it| it.parse().expect("one")).collect();
        let image = Image::read_file(&path).expect("a program");
        let mut program = ProgramNames::new(&image).expect("declarations");
        let mut memory = Initial::new(&image);
        memory.registers.push((THREAD_BASE, told[0]));
        for (text, address) in ["&own", "&zero", "&padding[0]"].iter().zip(&told[1..]) {
            let value = program.compile(text, None).expect(text).evaluate(&mut memory);
            let found = matches!(value, Value::Pointer { address: own, .. } if own == *address);
            assert!(found, "{flags}: {text}: {value:?}, not {address:#x}");
        }
    }
}
