//! Single answers: names of cells, the user's list, and what is not decided.

#[path = "../../steam-image/tests/compiler/mod.rs"]
mod compiler;

use std::sync::Arc;

use compiler::build;
use steam_access::{Atomics, Doubt, Origin, Reason, Verdict};
use steam_image::{Declared, Image};

const C: &str = r#"
#include <stdatomic.h>
struct inner { short left, right; };
struct node { int plain; atomic_int flag; struct node *next; struct inner in[2]; union { int whole; char bytes[4]; }; };
atomic_int count; int plain_count; struct node box, table[4]; int grid[2][3]; volatile int seen; int mixed;
union { atomic_int one; int two; } both;
int own(void) { static int calls; return calls++; }
int get(struct node *p) { return p->plain; }
int put(struct node *p) { p->plain = 3; return 0; }
int both_ways(void) { mixed = 3; __atomic_fetch_add(&mixed, 1, 5); return mixed; }
int only_added(void) { mixed += 4; return 0; }
int add(struct node *p) { return __atomic_fetch_add((int *)&p->in[0], 1, 5); }
int peek(struct node *p) { return *(int *)&p->in[0]; }
int globals(void) { plain_count = 3; count = 5; both.two = 4; return box.plain; }
int waits(void) { volatile int done = 0; while (!done) done = seen; return done; }
int main(void) { return own() + get(&box) + put(table) + both_ways() + only_added() + add(&box) + peek(&box) + globals() + waits() + grid[1][2]; }
"#;

const CPP: &str = r#"
#include <atomic>
namespace space { struct Node { int plain; std::atomic<int> flag; }; Node nodes[3]; std::atomic<int> total; }
class Counter { public: int hits; static int made; int get() const { return hits; } virtual ~Counter() {} };
int Counter::made; Counter counter;
int main() { return counter.get() + space::total + space::nodes[1].plain + Counter::made; }
"#;

fn image(compiler: &str, source: (&str, &str), output: &str) -> Arc<Image> {
    let command = format!("{compiler} -m32 -static -w");
    Arc::new(Image::read_file(build(&command, source.0, source.1, output)).expect("a program"))
}

fn c(output: &str) -> Arc<Image> {
    image("gcc -g -O1", ("answers.c", C), output)
}

fn address(image: &Image, name: &str) -> u32 {
    image.symbols.find(name).next().unwrap_or_else(|| panic!("{name}")).address
}

/// The instructions of a function, and what is said of their accesses to some bytes.
fn verdicts(image: &Image, atomics: &Atomics, function: &str, at: u32) -> Vec<Verdict> {
    let declared: &Declared = image.declarations.get().expect("declarations");
    let function = declared.functions(function).next().unwrap_or_else(|| panic!("{function}"));
    let &(start, end) = function.ranges.first().expect("code");
    let mut found = Vec::new();
    let mut eip = start;
    while eip < end {
        let segment = image.segment_at(eip).expect("code");
        let bytes = &segment.data[(eip - segment.address) as usize..][..15];
        let decoded = vm_isa::decode(bytes, eip).expect("an instruction");
        let stack = decoded.op.base == 4 || decoded.op.base == 5;
        let whole = decoded.op.locked() || decoded.op.exchanges_memory();
        if vm_isa::effects(bytes, eip).size == 4 && !stack && !whole {
            found.push(atomics.decide(eip, at, 4));
        }
        eip += u32::from(decoded.length);
    }
    assert!(!found.is_empty(), "no accesses");
    found
}

#[test]
fn cells_have_names() {
    let image = c("answers_names");
    let atomics = Atomics::new(&image);
    let name = |symbol: &str, offset: u32, size| {
        atomics.name(address(&image, symbol) + offset, size).unwrap_or_default()
    };
    assert_eq!(name("count", 0, 4), "count");
    assert_eq!(name("box", 0, 4), "box.plain");
    assert_eq!(name("box", 8, 4), "box.next");
    assert_eq!(name("table", 24 * 3 + 4, 4), "table[3].flag");
    assert_eq!(name("box", 16, 2), "box.in[1].left");
    assert_eq!(name("box", 12, 4), "box.in[0]");
    // Several members of a union share these bytes.
    assert_eq!(name("box", 20, 4), "box");
    assert_eq!(name("box", 0, 8), "box");
    assert_eq!(name("grid", 20, 4), "grid[1][2]");
    let calls = image.symbols.iter().find(|symbol| symbol.name.starts_with("calls"));
    let calls = calls.expect("a static variable").address;
    assert_eq!(atomics.name(calls, 4).as_deref(), Some("own::calls"));
    assert_eq!(atomics.name(image.entry, 4), None);

    let image = self::image("g++ -g -O1", ("answers.cc", CPP), "answers_cpp_names");
    let atomics = Atomics::new(&image);
    let name = |symbol: &str, offset: u32| atomics.name(address(&image, symbol) + offset, 4);
    assert_eq!(name("_ZN5space5nodesE", 12).as_deref(), Some("space::nodes[1].flag"));
    assert_eq!(name("_ZN5space5totalE", 0).as_deref(), Some("space::total"));
    assert_eq!(name("counter", 4).as_deref(), Some("counter.hits"));
    assert_eq!(name("_ZN7Counter4madeE", 0).as_deref(), Some("Counter::made"));
}

#[test]
fn objects_are_atomic_byte_by_byte() {
    let image = c("answers_objects");
    let atomics = Atomics::new(&image);
    let atomic = |symbol: &str, offset| atomics.is_atomic_object(address(&image, symbol) + offset);
    assert!((0..4).all(|byte| atomic("count", byte)));
    assert!(!atomic("plain_count", 0) && !atomic("seen", 0));
    let node: Vec<u32> = (0..24).filter(|&byte| atomic("box", byte)).collect();
    assert_eq!(node, [4, 5, 6, 7]);
    assert!(atomic("table", 24 * 2 + 4) && !atomic("table", 24 * 2 + 8));
    assert!(!atomic("both", 0), "the members of the union say different things");
    assert!(!atomics.is_atomic_object(image.entry));
}

#[test]
fn what_the_program_does_not_say_is_not_decided() {
    let image = c("answers_doubts");
    let atomics = Atomics::new(&image);
    let at = |name: &str| address(&image, name);
    let of = |function: &str, at: u32| verdicts(&image, &atomics, function, at);
    // Plain moves of what is added to with a `lock` prefix elsewhere may be `__atomic_load_n`.
    let mixed = of("both_ways", at("mixed"));
    assert!(matches!(mixed[..], [Verdict::Undecided(Doubt::LockedElsewhere(_)), ..]), "{mixed:?}");
    // An addition without the prefix is never one.
    assert!(of("only_added", at("mixed")).contains(&Verdict::Plain));
    // The same by the type of a struct on the heap.
    let heap = of("peek", 0x6000_0000);
    assert!(matches!(heap[..], [Verdict::Undecided(Doubt::LockedElsewhere(_))]), "{heap:?}");
    assert_eq!(of("get", 0x6000_0000), [Verdict::Plain]);
    assert!(of("globals", at("both")).contains(&Verdict::Undecided(Doubt::NoType)));
    let library = at("malloc");
    assert_eq!(atomics.origin(library), Origin::Library);
    assert_eq!(atomics.origin(at("get")), Origin::Source);
    assert_eq!(atomics.decide(library, at("count"), 4), Verdict::Undecided(Doubt::Library));
    assert_eq!(atomics.member(at("get")), None, "it loads its parameter first");

    let old = self::image("gcc -gdwarf-4 -O1", ("answers.c", C), "answers_old");
    let atomics = Atomics::new(&old);
    let found = verdicts(&old, &atomics, "get", 0x6000_0000);
    assert_eq!(found, [Verdict::Undecided(Doubt::OldDebugInformation)]);

    let bare = self::image("gcc", ("answers.c", C), "answers_bare");
    let atomics = Atomics::new(&bare);
    assert_eq!(atomics.origin(address(&bare, "get")), Origin::Library);
    assert!(!atomics.is_atomic_object(address(&bare, "count")));
}

#[test]
fn the_users_list_is_followed() {
    let image = c("answers_list");
    let names = [
        "plain_count",
        "answers.c::seen",
        "own::calls",
        "struct node.plain",
        "get",
        "waits::done",
        "box.next",
        "cuont",
        "struct node.plian",
        "nothing.c::seen",
    ];
    let names = names.map(str::to_owned);
    let (atomics, unmatched) = Atomics::with_list(&image, &names);
    let messages: Vec<_> = unmatched.iter().map(|it| (it.entry, it.to_string())).collect();
    assert_eq!(messages.len(), 3, "{messages:?}");
    assert_eq!(messages[0].0, 7);
    assert!(messages[0].1.contains("nearest: count"), "{}", messages[0].1);
    assert!(messages[1].1.contains("`node` has no member `plian`; nearest: plain"), "{messages:?}");
    assert_eq!(messages[2].0, 9);
    let at = |name: &str| address(&image, name);
    let of = |function: &str, at: u32| verdicts(&image, &atomics, function, at);
    let listed = |entry| Verdict::Atomic(Reason::Listed(entry));
    assert!(of("globals", at("plain_count")).iter().all(|it| *it == listed(0)));
    assert!(of("waits", at("seen")).iter().all(|it| *it == listed(1)));
    assert_eq!(of("put", 0x6000_0000), [Verdict::Atomic(Reason::Type)]);
    assert_eq!(of("get", 0x6000_0000), [listed(4)]);
    assert!(atomics.is_atomic_object(at("box")) && atomics.is_atomic_object(at("box") + 8));
    assert!(!atomics.is_atomic_object(at("box") + 12));
    assert!(
        atomics.is_atomic_object(at("table") + 24) && !atomics.is_atomic_object(at("table") + 32)
    );
    let declared = image.declarations.get().expect("declarations");
    let &(start, end) = &declared.functions("waits").next().expect("the function").ranges[0];
    assert!((start..end).any(|eip| atomics.is_atomic_code(eip)), "the local variable");

    let image = self::image("g++ -g -O1", ("answers.cc", CPP), "answers_cpp_list");
    let names = ["Counter::hits", "Counter::made", "space::Node.plain", "Counter::hist"];
    let (atomics, unmatched) = Atomics::with_list(&image, &names.map(str::to_owned));
    assert_eq!(unmatched.len(), 1);
    assert!(unmatched[0].message.contains("nearest: hits"), "{}", unmatched[0]);
    assert!(atomics.is_atomic_object(address(&image, "counter") + 4));
    assert!(!atomics.is_atomic_object(address(&image, "counter")));
    assert!(atomics.is_atomic_object(address(&image, "_ZN7Counter4madeE")));
    assert!(atomics.is_atomic_object(address(&image, "_ZN5space5nodesE") + 8));
}
