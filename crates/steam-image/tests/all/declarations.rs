//! Types, variables and functions as the compilers describe them.

use crate::compiler::build;
use steam_image::{
    Address, Bits, CALL_FRAME, Declared, Encoding, Image, Keyword, NoDeclarations, NoLines, Offset,
    Place, TypeId, TypeKind, Types,
};

const SOURCE: &str = r#"
typedef unsigned char byte;
struct forward;
enum color { RED, GREEN = 5, LAST = 4000000000u };
struct all {
    signed char c; byte b; long long wide; float f; long double ld; _Bool truth;
    struct forward *unknown; int grid[2][3]; enum color paint; volatile const int fixed;
    unsigned low : 3, high : 7; union { int a; short s; };
    int (*call)(char, struct all *); int flexible[];
};
struct all object;
static int hidden = 5;
_Thread_local int own;
extern int outside;
int twice(int x) { static int calls; int doubled = 2 * x; { int inner = calls++; return doubled + inner; } }
int main(int argc, char **argv) { return twice(argc) + hidden++ + own; }
"#;

fn image(flags: &str, output: &str) -> Image {
    let path = build(&format!("gcc -m32 -static {flags}"), "d.c", SOURCE, output);
    Image::read_file(path).expect("a program")
}

fn member(declared: &Declared, name: &str) -> (TypeId, Offset, Option<Bits>) {
    let object = declared.variables("object").next().expect("the object");
    let TypeKind::Aggregate(aggregate) = declared.types().kind(object.type_id) else {
        panic!("a struct")
    };
    let found = aggregate.members.iter().find(|member| member.name.as_deref() == Some(name));
    let found = found.unwrap_or_else(|| panic!("{name}"));
    (found.type_id, found.offset, found.bits)
}

#[test]
fn types_are_those_of_the_source() {
    for (flags, output) in [("-g", "d_5"), ("-gdwarf-4 -O2", "d_4"), ("-gdwarf-2", "d_2")] {
        let image = image(flags, output);
        let declared = image.declarations.get().expect("declarations");
        let types = declared.types();
        let kind = |name| types.kind(member(declared, name).0);
        let size = |name| types.size(member(declared, name).0);
        assert_eq!(*kind("c"), TypeKind::Base(Encoding::SignedCharacter));
        assert_eq!(*kind("b"), TypeKind::Base(Encoding::UnsignedCharacter));
        assert_eq!(types.get(member(declared, "b").0).name.as_deref(), Some("byte"));
        assert_eq!((kind("wide"), size("wide")), (&TypeKind::Base(Encoding::Signed), Some(8)));
        assert_eq!((kind("ld"), size("ld")), (&TypeKind::Base(Encoding::Float), Some(12)));
        assert_eq!(*kind("truth"), TypeKind::Base(Encoding::Boolean));
        assert_eq!(*kind("fixed"), TypeKind::Base(Encoding::Signed));
        let &TypeKind::Pointer(target) = kind("unknown") else { panic!("a pointer") };
        assert_eq!(*types.kind(target), TypeKind::Declared(Keyword::Struct, None));
        assert_eq!(size("grid"), Some(24));
        let &TypeKind::Array(row, Some(2)) = kind("grid") else { panic!("two rows") };
        assert!(matches!(types.kind(row), TypeKind::Array(_, Some(3))));
        assert!(matches!(kind("flexible"), TypeKind::Array(_, None)));
        let TypeKind::Enum(paint) = kind("paint") else { panic!("an enumeration") };
        let constants: Vec<_> =
            paint.constants.iter().map(|(name, value)| (&**name, *value)).collect();
        assert_eq!(constants, [("RED", 0), ("GREEN", 5), ("LAST", 4_000_000_000)]);
        assert!(!paint.signed);
        let bits = |name| (member(declared, name).1, member(declared, name).2);
        let low = Bits { shift: 0, width: 3 };
        let high = Bits { shift: 3, width: 7 };
        assert_eq!(bits("low"), (bits("high").0, Some(low)), "{flags}");
        assert_eq!(bits("high").1, Some(high), "{flags}");
        let &TypeKind::Pointer(call) = kind("call") else { panic!("a pointer") };
        let TypeKind::Function(signature) = types.kind(call) else { panic!("a function") };
        assert_eq!((signature.parameters.len(), signature.variadic), (2, false));
    }
}

#[test]
fn variables_have_their_places() {
    let image = image("-g", "d_places");
    let declared = image.declarations.get().expect("declarations");
    let one = |name| declared.variables(name).next().unwrap_or_else(|| panic!("{name}"));
    let symbol = |name| image.symbols.find(name).next().expect("a symbol").address;
    assert_eq!(one("object").place, Place::Memory(Address::Fixed(symbol("object"))));
    assert!(one("object").external && !one("hidden").external);
    assert_eq!(&*one("hidden").file, "d.c");
    assert_eq!(one("calls").function.as_deref(), Some("twice"));
    assert!(matches!(
        one("own").place,
        Place::Memory(Address::Register { register: steam_image::THREAD_BASE, .. })
    ));
    assert_eq!(declared.variables("outside").count(), 0, "declared and not defined");
    assert_eq!(declared.variables("doubled").count(), 0, "a local variable");
    assert!(declared.names().any(|name| name == "GREEN"));
    assert_eq!(declared.constants("GREEN").next().map(|it| it.1), Some(5));
}

#[test]
fn locals_are_those_of_the_block() {
    let image = image("-g", "d_locals");
    let declared = image.declarations.get().expect("declarations");
    let twice = declared.functions("twice").next().expect("the function");
    let (start, end) = twice.ranges[0];
    let names = |pc| {
        let locals = declared.locals(pc, &image.unwinder);
        locals.into_iter().map(|local| local.name).collect::<Vec<_>>()
    };
    assert_eq!(names(start), ["doubled", "calls", "x"]);
    assert!((start..end).any(|pc| names(pc) == ["inner", "doubled", "calls", "x"]));
    let main = declared.functions("main").next().expect("main").ranges[0].0;
    assert_eq!(names(main), ["argv", "argc"]);
    assert!(names(image.entry).is_empty());
    assert_eq!(declared.function_at(start).map(|it| &*it.name), Some("twice"));
}

#[test]
fn a_position_independent_program_has_the_addresses_of_the_process() {
    let path = build("gcc -m32 -static-pie -fpie -g", "d.c", SOURCE, "d_pie");
    let image = Image::read_file(path).expect("a program");
    let declared = image.declarations.get().expect("declarations");
    let symbol = image.symbols.find("object").next().expect("a symbol").address;
    let object = declared.variables("object").next().expect("the object");
    assert_eq!(object.place, Place::Memory(Address::Fixed(symbol)));
    let twice = declared.functions("twice").next().expect("the function");
    let symbol = image.symbols.find("twice").next().expect("a symbol").address;
    assert_eq!(twice.ranges[0].0, symbol);
    assert!(!declared.locals(symbol, &image.unwinder).is_empty());
}

#[test]
fn without_debug_information_there_is_a_reason() {
    let image = image("", "d_none");
    assert_eq!(image.declarations.get().err(), Some(&NoDeclarations(NoLines::Absent)));
}

#[test]
fn standard_types_are_in_every_program() {
    let image = image("-g", "d_standard");
    let types = image.declarations.get().expect("declarations").types();
    for (id, name, size) in [
        (Types::INT, "int", Some(4)),
        (Types::UNSIGNED_LONG_LONG, "unsigned long long", Some(8)),
        (Types::LONG_DOUBLE, "long double", Some(12)),
        (Types::CHAR, "char", Some(1)),
        (Types::VOID, "void", None),
        (Types::CPP_BOOL, "bool", Some(1)),
    ] {
        assert_eq!(types.get(id).name.as_deref(), Some(name));
        assert_eq!(types.size(id), size);
    }
    let mut own = types.clone();
    let pointer = own.pointer_to(Types::INT);
    assert_eq!(own.pointer_to(Types::INT), pointer);
    assert_eq!(own.kind(pointer), &TypeKind::Pointer(Types::INT));
    assert_eq!(types.kind(pointer), &TypeKind::Void, "the program's own types stay as they are");
}

#[test]
fn the_body_of_a_function_has_what_was_inlined() {
    let source = r#"
namespace space { struct Box { int value; int get() const { return value; } }; }
static inline int twice(space::Box *box) { int seen = box->get(); return seen * 2; }
int outer(space::Box *box, int more) { return twice(box) + more; }
int main() { space::Box box{3}; return outer(&box, 4); }
"#;
    for (flags, output) in [("-g", "body_5"), ("-gdwarf-4", "body_4")] {
        let command = format!("g++ -m32 -static -O2 -fno-ipa-cp {flags}");
        let image = Image::read_file(build(&command, "b.cc", source, output)).expect("a program");
        let declared = image.declarations.get().expect("declarations");
        let outer = declared.functions("outer").next().expect("the function");
        let body = declared.body(outer);
        let names: Vec<_> = body.inlined.iter().map(|it| (&*it.scope, &*it.name)).collect();
        assert_eq!(names, [("", "twice"), ("space::Box", "get")], "{flags}");
        assert_eq!(body.inlined[1].outer, Some(0));
        let within = |ranges: &[(u32, u32)]| ranges.iter().all(|it| outer.ranges[0].0 <= it.0);
        assert!(body.inlined.iter().all(|it| !it.ranges.is_empty() && within(&it.ranges)));
        let own = body.variables.iter().find(|it| &*it.name == "more").expect("a parameter");
        let place = Place::Memory(Address::Register { register: CALL_FRAME, offset: 4 });
        assert_eq!((own.inlined, &own.places[0].2), (None, &place));
        let this = body.variables.iter().find(|it| &*it.name == "this").expect("a parameter");
        assert_eq!((this.inlined, this.artificial), (Some(1), true));
        assert_eq!(&*declared.home(outer).1, "outer");
    }
}
