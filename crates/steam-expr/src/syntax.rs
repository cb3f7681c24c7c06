//! Expressions as they are written: a tree without names resolved and without types.

use steam_image::{Keyword, TypeId};

/// An expression, and where it starts in the text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Syntax {
    pub at: usize,
    /// The number of expressions within each other, up to this one.
    pub height: u32,
    pub kind: SyntaxKind,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SyntaxKind {
    Integer(u64, TypeId),
    Float(f64, TypeId),
    Name(Path),
    Unary(UnarySign, Box<Syntax>),
    Binary(BinarySign, Box<Syntax>, Box<Syntax>),
    Conditional(Box<Syntax>, Box<Syntax>, Box<Syntax>),
    /// An object, whether it is a pointer to it (`->`), and a member's name.
    Member(Box<Syntax>, bool, String),
    Index(Box<Syntax>, Box<Syntax>),
    Cast(TypeName, Box<Syntax>),
    SizeOf(Box<Syntax>),
    SizeOfType(TypeName),
}

/// A name with what stands before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Path {
    /// The file before the first `::`.
    pub file: Option<String>,
    /// Whether it starts with `::`, and so stands in no namespace.
    pub global: bool,
    /// The names between `::`; there is at least one.
    pub parts: Vec<String>,
}

/// A type as it is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TypeName {
    pub at: usize,
    pub base: BaseName,
    /// The number of `*` after it.
    pub stars: u32,
}

/// A type as it is written, without `*`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BaseName {
    Standard(TypeId),
    Tagged(Keyword, Path),
    Named(Path),
}

/// An operator before its operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnarySign {
    Follow,
    Address,
    Not,
    Complement,
    Minus,
    Plus,
}

/// An operator between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BinarySign {
    Arithmetic(Arithmetic),
    Relation(Relation),
    And,
    Or,
}

/// An operator that computes a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
}

/// An operator that compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Path {
    /// Returns the last name.
    pub fn name(&self) -> &str {
        self.parts.last().map_or("", String::as_str)
    }

    /// Returns the names before the last one.
    pub fn qualifiers(&self) -> &[String] {
        &self.parts[..self.parts.len().saturating_sub(1)]
    }

    /// Returns it as it is written.
    pub fn spelling(&self) -> String {
        let file = self.file.as_ref().map(|file| format!("{file}::")).unwrap_or_default();
        let global = if self.global { "::" } else { "" };
        format!("{file}{global}{}", self.parts.join("::"))
    }
}
