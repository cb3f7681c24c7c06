//! Values as C and gdb write them: `{x = 1, next = 0x804c0a0 <list+8>}`.

mod scalars;
mod text;

use steam_image::{Aggregate, Bits, Member, Offset, Symbols, TypeId, TypeKind, Types};

use crate::program::ProgramNames;
use crate::scalar::{Kind, Scalar};
use crate::type_name::type_name;
use crate::value::{Memory, Value};

/// How much of a value is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Structs and arrays within each other.
    pub depth: usize,
    /// Elements of arrays and letters of texts, in all.
    pub elements: usize,
    /// So many equal elements in a row are printed as one.
    pub repeats: usize,
}

impl Default for Limits {
    /// Those of gdb.
    fn default() -> Limits {
        Limits { depth: 20, elements: 200, repeats: 10 }
    }
}

/// Prints the values of one program's expressions.
#[derive(Debug, Clone)]
pub struct Printer<'p> {
    types: &'p Types,
    symbols: &'p Symbols,
    limits: Limits,
}

impl<'p> Printer<'p> {
    /// Makes a printer for values of expressions that `program` has compiled.
    pub fn new(program: &'p ProgramNames<'_>, limits: Limits) -> Printer<'p> {
        Printer { types: &program.types, symbols: &program.image.symbols, limits }
    }

    /// Returns a value as text; `memory` gives the texts to which pointers point.
    pub fn print(&self, value: &Value, memory: &mut dyn Memory) -> String {
        let mut printing = Printing { printer: self, memory, left: self.limits.elements };
        match value {
            Value::Integer { type_id, value } => self.integer(*type_id, *value),
            Value::Float { type_id, value } => self.float(*type_id, *value),
            Value::Pointer { type_id, address } => {
                let text = printing.pointer(*type_id, *address);
                match text.ends_with('"') {
                    true => text,
                    false => format!("({}) {text}", type_name(self.types, *type_id)),
                }
            }
            Value::Aggregate { type_id, bytes, .. } => printing.bytes(*type_id, bytes, 0),
            Value::Unreadable(address) => format!("<cannot read {address:#x}>"),
            Value::Undefined(why) => format!("<{why}>"),
        }
    }
}

/// One value that is being printed.
struct Printing<'a, 'p> {
    printer: &'a Printer<'p>,
    memory: &'a mut dyn Memory,
    /// Elements and letters that may still be printed.
    left: usize,
}

impl Printing<'_, '_> {
    /// The value of a type that some bytes hold; missing bytes are said to be missing.
    fn bytes(&mut self, type_id: TypeId, bytes: &[u8], depth: usize) -> String {
        let types = self.printer.types;
        match types.kind(type_id) {
            TypeKind::Aggregate(_) | TypeKind::Array(..) if depth > self.printer.limits.depth => {
                "{...}".to_owned()
            }
            TypeKind::Aggregate(aggregate) => self.aggregate(aggregate, bytes, depth),
            TypeKind::Array(element, count) => self.array(*element, *count, bytes, depth),
            TypeKind::Reference(target) => match Kind::U32.read(bytes) {
                Scalar::Integer(address) if bytes.len() >= 4 => {
                    format!("@{}", self.pointer(*target, address as u32))
                }
                _ => "<missing>".to_owned(),
            },
            kind => match Kind::of(types, type_id) {
                Some(number) if bytes.len() >= number.size() => {
                    self.scalar(type_id, number, number.read(bytes))
                }
                Some(_) => "<missing>".to_owned(),
                None => match kind {
                    TypeKind::Other(what) => format!("<{what}>"),
                    _ => "<no value>".to_owned(),
                },
            },
        }
    }

    fn scalar(&mut self, type_id: TypeId, kind: Kind, value: Scalar) -> String {
        match value {
            Scalar::Float(value) => self.printer.float(type_id, value),
            Scalar::Integer(value) => match self.printer.types.kind(type_id) {
                TypeKind::Pointer(_) => self.pointer(type_id, value as u32),
                _ if kind == Kind::U64 => self.printer.integer(type_id, i128::from(value as u64)),
                _ => self.printer.integer(type_id, i128::from(value)),
            },
        }
    }

    fn aggregate(&mut self, aggregate: &Aggregate, bytes: &[u8], depth: usize) -> String {
        let mut texts = Vec::new();
        for member in &aggregate.members {
            if self.left == 0 {
                texts.push("...".to_owned());
                break;
            }
            // Each counts, so that structs that contain each other come to an end.
            self.left -= 1;
            let value = self.member(member, bytes, depth);
            texts.push(match (&member.name, member.base) {
                (Some(name), _) => format!("{name} = {value}"),
                (None, true) => {
                    format!("<{}> = {value}", base_name(self.printer.types, member.type_id))
                }
                (None, false) => value,
            });
        }
        format!("{{{}}}", texts.join(", "))
    }

    fn member(&mut self, member: &Member, bytes: &[u8], depth: usize) -> String {
        let Offset::Bytes(offset) = member.offset else {
            return "<a virtual base>".to_owned();
        };
        let own = bytes.get(offset as usize..).unwrap_or_default();
        match member.bits {
            Some(bits) => self.bit_field(member.type_id, bits, own),
            None => {
                let size = self.printer.types.size(member.type_id).unwrap_or(0) as usize;
                self.bytes(member.type_id, &own[..size.min(own.len())], depth + 1)
            }
        }
    }

    fn bit_field(&mut self, type_id: TypeId, bits: Bits, bytes: &[u8]) -> String {
        let Some(kind) = Kind::of(self.printer.types, type_id) else {
            return "<no value>".to_owned();
        };
        let field = crate::tree::Field::new(bits, kind);
        let mut word = [0; 16];
        match bytes.get(..field.bytes()) {
            Some(own) => word[..own.len()].copy_from_slice(own),
            None => return "<missing>".to_owned(),
        }
        self.scalar(type_id, kind, field.read(word))
    }

    fn array(&mut self, element: TypeId, count: Option<u32>, bytes: &[u8], depth: usize) -> String {
        let types = self.printer.types;
        if text::is_character(types, element) && count != Some(0) {
            return self.characters(bytes);
        }
        let size = types.size(element).unwrap_or(0) as usize;
        if size == 0 {
            return "{}".to_owned();
        }
        let mut texts = Vec::new();
        let mut rest = bytes;
        while rest.len() >= size {
            if self.left == 0 {
                texts.push("...".to_owned());
                break;
            }
            self.left -= 1;
            let first = &rest[..size];
            let equal = rest.chunks_exact(size).take_while(|other| *other == first).count();
            let value = self.bytes(element, first, depth + 1);
            let shown = match equal >= self.printer.limits.repeats.max(2) {
                true => {
                    texts.push(format!("{value} <repeats {equal} times>"));
                    equal
                }
                false => {
                    texts.push(value);
                    1
                }
            };
            rest = &rest[shown * size..];
        }
        match texts.last_mut() {
            // As gdb: `0, 0, 0...`
            Some(last) if last == "..." => {
                texts.pop();
                format!("{{{}...}}", texts.join(", "))
            }
            _ => format!("{{{}}}", texts.join(", ")),
        }
    }
}

fn base_name(types: &Types, type_id: TypeId) -> String {
    types.get(types.strip(type_id)).qualified_name().unwrap_or_default()
}
