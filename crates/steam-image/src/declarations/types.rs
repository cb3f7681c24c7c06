//! Types of C and C++ as values: what a program declares, and what expressions add to it.
//!
//! Types refer to each other by [`TypeId`]. They come from a file that was not checked: a type may
//! refer to itself in senseless ways, so whoever follows references counts the steps.

use std::collections::HashMap;
use std::sync::Arc;

/// Through so many typedefs, qualifiers and declarations a type is followed.
const LONGEST_CHAIN: usize = 64;

/// A type in a [`Types`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(u32);

/// A type of C or C++.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type {
    /// Its own name, without namespaces and without `struct`.
    pub name: Option<String>,
    /// The namespaces and classes around it, with `::` between them.
    pub scope: Arc<str>,
    /// What the compiler says of its size in bytes.
    pub size: Option<u32>,
    /// What it is.
    pub kind: TypeKind,
    /// Whether the compiler made it up: nothing in the source has this type.
    pub artificial: bool,
}

impl Type {
    /// A type of which the source has no name.
    pub(crate) fn unnamed(kind: TypeKind, size: Option<u32>) -> Self {
        Self { name: None, scope: Arc::from(""), size, kind, artificial: false }
    }
}

/// What a type is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeKind {
    /// No value at all.
    Void,
    /// A number, a truth value or a character.
    Base(Encoding),
    /// A pointer.
    Pointer(TypeId),
    /// A reference of C++, which is a pointer that is followed by itself.
    Reference(TypeId),
    /// A struct, a union or a class with its members.
    Aggregate(Aggregate),
    /// A struct, a union, a class or an enum that this unit only declares, and where it is
    /// defined, if it is.
    Declared(Keyword, Option<TypeId>),
    /// Consecutive elements; their number where it is known.
    Array(TypeId, Option<u32>),
    /// An enumeration.
    Enum(Enumeration),
    /// Another name for a type.
    Typedef(TypeId),
    /// A type with a qualifier.
    Qualified(Qualifier, TypeId),
    /// A function.
    Function(Signature),
    /// A type that expressions cannot use; the text says what it is.
    Other(&'static str),
}

/// How the bytes of a number are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// A signed number.
    Signed,
    /// An unsigned number.
    Unsigned,
    /// A character that is a signed number.
    SignedCharacter,
    /// A character that is an unsigned number.
    UnsignedCharacter,
    /// A truth value.
    Boolean,
    /// A binary floating-point number.
    Float,
}

/// The word with which a type is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Keyword {
    /// `struct`
    Struct,
    /// `union`
    Union,
    /// `class`
    Class,
    /// `enum`
    Enum,
}

/// A qualifier of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Qualifier {
    /// `const`
    Const,
    /// `volatile`
    Volatile,
    /// `_Atomic`
    Atomic,
    /// `restrict`
    Restrict,
}

/// The members of a struct, a union or a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aggregate {
    /// How it is declared.
    pub keyword: Keyword,
    /// Base classes and members that take room, in the order of the source.
    pub members: Vec<Member>,
}

/// A member of a struct, a union or a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name; none for base classes and anonymous structs and unions.
    pub name: Option<String>,
    /// Its type.
    pub type_id: TypeId,
    /// Where it lies.
    pub offset: Offset,
    /// Which bits of the bytes from its offset on it takes, if it is a bit-field.
    pub bits: Option<Bits>,
    /// Whether it is a base class.
    pub base: bool,
}

/// Where a member lies in its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offset {
    /// At a number of bytes from the start.
    Bytes(u32),
    /// Where the virtual table says: the number that lies so many bytes before the table's
    /// address is the offset.
    Virtual(u32),
}

/// The bits of a bit-field, counted from the lowest one of the byte at its offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bits {
    /// The number of bits below it, up to seven.
    pub shift: u8,
    /// The number of its bits, one to 64.
    pub width: u8,
}

/// The constants of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enumeration {
    /// Names and values in the order of the source.
    pub constants: Vec<(String, i64)>,
    /// Whether its values have a sign.
    pub signed: bool,
    /// Whether it is one of C++, where its constants have its type.
    pub cpp: bool,
}

/// What a function takes and returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The type of its result.
    pub result: TypeId,
    /// The types of its parameters.
    pub parameters: Vec<TypeId>,
    /// Whether it takes further arguments.
    pub variadic: bool,
}

/// The types that every program knows, in the order of their ids.
const STANDARD: [(&str, u32, Option<Encoding>); 17] = [
    ("void", 0, None),
    ("int", 4, Some(Encoding::Signed)),
    ("unsigned int", 4, Some(Encoding::Unsigned)),
    ("long", 4, Some(Encoding::Signed)),
    ("unsigned long", 4, Some(Encoding::Unsigned)),
    ("long long", 8, Some(Encoding::Signed)),
    ("unsigned long long", 8, Some(Encoding::Unsigned)),
    ("short", 2, Some(Encoding::Signed)),
    ("unsigned short", 2, Some(Encoding::Unsigned)),
    ("char", 1, Some(Encoding::SignedCharacter)),
    ("signed char", 1, Some(Encoding::SignedCharacter)),
    ("unsigned char", 1, Some(Encoding::UnsignedCharacter)),
    ("_Bool", 1, Some(Encoding::Boolean)),
    ("float", 4, Some(Encoding::Float)),
    ("double", 8, Some(Encoding::Float)),
    ("long double", 12, Some(Encoding::Float)),
    ("bool", 1, Some(Encoding::Boolean)),
];

/// A collection of types. Cloning one that was read from a program is cheap, and what is added to
/// the copy is the copy's own.
#[derive(Debug, Clone)]
pub struct Types {
    read: Arc<Vec<Type>>,
    added: Vec<Type>,
    pointers: HashMap<TypeId, TypeId>,
}

impl Default for Types {
    /// The types that every program knows.
    fn default() -> Types {
        Types::new(Types::standard())
    }
}

impl Types {
    /// `void`
    pub const VOID: TypeId = TypeId(0);
    /// `int`
    pub const INT: TypeId = TypeId(1);
    /// `unsigned int`
    pub const UNSIGNED: TypeId = TypeId(2);
    /// `long`
    pub const LONG: TypeId = TypeId(3);
    /// `unsigned long`
    pub const UNSIGNED_LONG: TypeId = TypeId(4);
    /// `long long`
    pub const LONG_LONG: TypeId = TypeId(5);
    /// `unsigned long long`
    pub const UNSIGNED_LONG_LONG: TypeId = TypeId(6);
    /// `short`
    pub const SHORT: TypeId = TypeId(7);
    /// `unsigned short`
    pub const UNSIGNED_SHORT: TypeId = TypeId(8);
    /// `char`
    pub const CHAR: TypeId = TypeId(9);
    /// `signed char`
    pub const SIGNED_CHAR: TypeId = TypeId(10);
    /// `unsigned char`
    pub const UNSIGNED_CHAR: TypeId = TypeId(11);
    /// `_Bool`
    pub const BOOL: TypeId = TypeId(12);
    /// `float`
    pub const FLOAT: TypeId = TypeId(13);
    /// `double`
    pub const DOUBLE: TypeId = TypeId(14);
    /// `long double`
    pub const LONG_DOUBLE: TypeId = TypeId(15);
    /// `bool` of C++
    pub const CPP_BOOL: TypeId = TypeId(16);

    /// The types that every program knows.
    pub(crate) fn standard() -> Vec<Type> {
        let standard = |&(name, size, encoding): &(&str, u32, Option<Encoding>)| Type {
            name: Some(name.to_owned()),
            scope: Arc::from(""),
            size: Some(size),
            kind: encoding.map_or(TypeKind::Void, TypeKind::Base),
            artificial: false,
        };
        STANDARD.iter().map(standard).collect()
    }

    /// Makes a collection of types whose first ones are the standard ones.
    pub(crate) fn new(read: Vec<Type>) -> Types {
        Types { read: Arc::new(read), added: Vec::new(), pointers: HashMap::new() }
    }

    /// Returns a type; ids of another collection give `void`.
    pub fn get(&self, id: TypeId) -> &Type {
        let index = id.0 as usize;
        let added = || self.added.get(index - self.read.len());
        self.read.get(index).or_else(added).unwrap_or(&self.read[0])
    }

    /// Returns all types that were read.
    pub fn iter(&self) -> impl Iterator<Item = &Type> {
        self.read.iter()
    }

    /// Returns the type behind typedefs, qualifiers and mere declarations.
    pub fn strip(&self, id: TypeId) -> TypeId {
        let mut id = id;
        for _ in 0..LONGEST_CHAIN {
            id = match self.get(id).kind {
                TypeKind::Typedef(next)
                | TypeKind::Qualified(_, next)
                | TypeKind::Declared(_, Some(next)) => next,
                _ => return id,
            };
        }
        Types::VOID
    }

    /// Returns the kind of the type behind typedefs, qualifiers and mere declarations.
    pub fn kind(&self, id: TypeId) -> &TypeKind {
        &self.get(self.strip(id)).kind
    }

    /// Returns the size of a value in bytes, where it has one.
    pub fn size(&self, id: TypeId) -> Option<u32> {
        let mut id = self.strip(id);
        let mut count = 1u32;
        for _ in 0..LONGEST_CHAIN {
            let found = self.get(id);
            match (&found.kind, found.size) {
                (TypeKind::Array(element, elements), None) => {
                    count = count.checked_mul((*elements)?)?;
                    id = self.strip(*element);
                }
                (TypeKind::Pointer(_) | TypeKind::Reference(_), _) => return count.checked_mul(4),
                (TypeKind::Void | TypeKind::Function(_) | TypeKind::Declared(..), _) => {
                    return None;
                }
                (_, size) => return count.checked_mul(size?),
            }
        }
        None
    }

    /// Returns the type of pointers to `target`.
    pub fn pointer_to(&mut self, target: TypeId) -> TypeId {
        if let Some(&known) = self.pointers.get(&target) {
            return known;
        }
        let id = TypeId((self.read.len() + self.added.len()) as u32);
        let kind = TypeKind::Pointer(target);
        self.added.push(Type::unnamed(kind, Some(4)));
        self.pointers.insert(target, id);
        id
    }

    /// Makes the id of the type at an index of the list that is read.
    pub(crate) fn id(index: usize) -> TypeId {
        TypeId(index as u32)
    }

    /// Says whether `first` and `second` are spelt alike once qualifiers are left out.
    pub fn same(&self, first: TypeId, second: TypeId) -> bool {
        let (mut first, mut second) = (self.strip(first), self.strip(second));
        for _ in 0..LONGEST_CHAIN {
            if first == second {
                return true;
            }
            let (one, two) = (self.get(first), self.get(second));
            (first, second) = match (&one.kind, &two.kind) {
                (TypeKind::Pointer(one), TypeKind::Pointer(two))
                | (TypeKind::Array(one, _), TypeKind::Array(two, _)) => {
                    (self.strip(*one), self.strip(*two))
                }
                (TypeKind::Void, TypeKind::Void) => return true,
                (TypeKind::Base(_), TypeKind::Base(_))
                | (TypeKind::Enum(_), TypeKind::Enum(_))
                | (TypeKind::Aggregate(_), TypeKind::Aggregate(_)) => {
                    return one.name.is_some()
                        && (&one.name, &one.scope, one.size) == (&two.name, &two.scope, two.size);
                }
                _ => return false,
            };
        }
        false
    }
}

impl TypeId {
    /// Returns its index in the list that is read.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Type {
    /// Returns its name with namespaces and classes.
    pub fn qualified_name(&self) -> Option<String> {
        let name = self.name.as_deref()?;
        match &*self.scope {
            "" => Some(name.to_owned()),
            scope => Some(format!("{scope}::{name}")),
        }
    }
}

impl Keyword {
    /// Returns the word.
    pub fn word(self) -> &'static str {
        match self {
            Keyword::Struct => "struct",
            Keyword::Union => "union",
            Keyword::Class => "class",
            Keyword::Enum => "enum",
        }
    }
}
