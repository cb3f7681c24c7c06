//! From tokens to syntax, by C's grammar of expressions without assignments, calls and commas.

#[cfg(test)]
mod tests;
mod types;

use steam_image::Types;

use crate::error::ExprError;
use crate::syntax::{Arithmetic, BinarySign, Path, Relation, Syntax, SyntaxKind, UnarySign};
use crate::token::{Token, TokenKind, tokens};

/// Expressions within each other: whoever walks through them may recurse.
const DEEPEST: u32 = 250;

/// All operators between two operands, with their precedence; higher binds closer.
const BINARY: [(&str, u8, BinarySign); 18] = [
    ("||", 1, BinarySign::Or),
    ("&&", 2, BinarySign::And),
    ("|", 3, BinarySign::Arithmetic(Arithmetic::BitOr)),
    ("^", 4, BinarySign::Arithmetic(Arithmetic::BitXor)),
    ("&", 5, BinarySign::Arithmetic(Arithmetic::BitAnd)),
    ("==", 6, BinarySign::Relation(Relation::Equal)),
    ("!=", 6, BinarySign::Relation(Relation::Unequal)),
    ("<", 7, BinarySign::Relation(Relation::Less)),
    ("<=", 7, BinarySign::Relation(Relation::LessEqual)),
    (">", 7, BinarySign::Relation(Relation::Greater)),
    (">=", 7, BinarySign::Relation(Relation::GreaterEqual)),
    ("<<", 8, BinarySign::Arithmetic(Arithmetic::ShiftLeft)),
    (">>", 8, BinarySign::Arithmetic(Arithmetic::ShiftRight)),
    ("+", 9, BinarySign::Arithmetic(Arithmetic::Add)),
    ("-", 9, BinarySign::Arithmetic(Arithmetic::Subtract)),
    ("*", 10, BinarySign::Arithmetic(Arithmetic::Multiply)),
    ("/", 10, BinarySign::Arithmetic(Arithmetic::Divide)),
    ("%", 10, BinarySign::Arithmetic(Arithmetic::Remainder)),
];

/// All operators before their operand.
const UNARY: [(&str, UnarySign); 6] = [
    ("*", UnarySign::Follow),
    ("&", UnarySign::Address),
    ("!", UnarySign::Not),
    ("~", UnarySign::Complement),
    ("-", UnarySign::Minus),
    ("+", UnarySign::Plus),
];

/// Turns a text into syntax; `is_type` says which names are types.
pub(crate) fn parse(text: &str, is_type: &dyn Fn(&Path) -> bool) -> Result<Syntax, ExprError> {
    let mut parser = Parser { tokens: tokens(text)?, next: 0, open: 0, is_type };
    let syntax = parser.conditional()?;
    match &parser.peek().kind {
        TokenKind::End => Ok(syntax),
        kind => Err(parser.unexpected(kind, "after a complete expression")),
    }
}

/// What is left to read.
struct Parser<'a> {
    tokens: Vec<Token>,
    next: usize,
    /// The number of parentheses, operators and the like around the next token.
    open: u32,
    is_type: &'a dyn Fn(&Path) -> bool,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        // The last token is the end, which is never passed.
        &self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    fn at(&self) -> usize {
        self.peek().at
    }

    /// Passes a sign if it is the next token.
    fn pass(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek().kind, TokenKind::Sign(next) if next == sign);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str, opened: usize) -> Result<(), ExprError> {
        if self.pass(sign) {
            return Ok(());
        }
        let message = format!("`{sign}` is missing; what it ends starts at column {}", opened + 1);
        Err(ExprError::new(self.at(), message))
    }

    /// Passes a name.
    fn name(&mut self) -> Option<String> {
        let TokenKind::Name(name) = &self.peek().kind else { return None };
        let name = name.clone();
        self.next += 1;
        Some(name)
    }

    fn unexpected(&self, kind: &TokenKind, place: &str) -> ExprError {
        let what = match kind {
            TokenKind::End => return ExprError::new(self.at(), "the expression ends too early"),
            TokenKind::Name(name) => name.clone(),
            TokenKind::Integer(value, _) => value.to_string(),
            TokenKind::Float(value, _) => value.to_string(),
            TokenKind::File(file) => format!("{file}::"),
            TokenKind::Sign("=") => {
                let message = "expressions do not assign; `==` compares";
                return ExprError::new(self.at(), message);
            }
            TokenKind::Sign(sign @ ("++" | "--")) => {
                let message = format!("expressions do not change variables: `{sign}`");
                return ExprError::new(self.at(), message);
            }
            TokenKind::Sign(sign) => (*sign).to_owned(),
        };
        ExprError::new(self.at(), format!("`{what}` cannot stand {place}"))
    }

    fn make(&self, at: usize, kind: SyntaxKind) -> Result<Syntax, ExprError> {
        let parts = match &kind {
            SyntaxKind::Unary(_, one)
            | SyntaxKind::Member(one, ..)
            | SyntaxKind::Cast(_, one)
            | SyntaxKind::SizeOf(one) => one.height,
            SyntaxKind::Binary(_, one, two) | SyntaxKind::Index(one, two) => {
                one.height.max(two.height)
            }
            SyntaxKind::Conditional(one, two, three) => {
                one.height.max(two.height).max(three.height)
            }
            _ => 0,
        };
        self.bounded(at, parts + 1)?;
        Ok(Syntax { at, height: parts + 1, kind })
    }

    fn bounded(&self, at: usize, height: u32) -> Result<(), ExprError> {
        match height > DEEPEST {
            true => Err(ExprError::new(at, "the expression is nested too deeply")),
            false => Ok(()),
        }
    }

    /// Reads what stands between others, one level deeper.
    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, ExprError>,
    ) -> Result<T, ExprError> {
        self.open += 1;
        self.bounded(self.at(), self.open)?;
        let result = read(self);
        self.open -= 1;
        result
    }

    fn conditional(&mut self) -> Result<Syntax, ExprError> {
        let condition = self.binary(1)?;
        let at = self.at();
        if !self.pass("?") {
            return Ok(condition);
        }
        let yes = self.nested(Self::conditional)?;
        self.expect(":", at)?;
        let no = self.nested(Self::conditional)?;
        let kind = SyntaxKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no));
        self.make(at, kind)
    }

    /// Operators that bind at least as closely as `lowest`.
    fn binary(&mut self, lowest: u8) -> Result<Syntax, ExprError> {
        let mut left = self.unary()?;
        loop {
            let at = self.at();
            let TokenKind::Sign(sign) = self.peek().kind else { return Ok(left) };
            let found = BINARY.iter().find(|(text, level, _)| *text == sign && *level >= lowest);
            let Some(&(_, level, operation)) = found else { return Ok(left) };
            self.next += 1;
            // Operators of one level group from the left.
            let right = self.nested(|parser| parser.binary(level + 1))?;
            let kind = SyntaxKind::Binary(operation, Box::new(left), Box::new(right));
            left = self.make(at, kind)?;
        }
    }

    fn unary(&mut self) -> Result<Syntax, ExprError> {
        let at = self.at();
        if let TokenKind::Sign(sign) = self.peek().kind
            && let Some(&(_, operation)) = UNARY.iter().find(|(text, _)| *text == sign)
        {
            self.next += 1;
            let operand = self.nested(Self::unary)?;
            return self.make(at, SyntaxKind::Unary(operation, Box::new(operand)));
        }
        if matches!(&self.peek().kind, TokenKind::Name(name) if name == "sizeof") {
            self.next += 1;
            return self.size_of(at);
        }
        if let Some(type_name) = self.type_in_parentheses()? {
            let operand = self.nested(Self::unary)?;
            return self.make(at, SyntaxKind::Cast(type_name, Box::new(operand)));
        }
        self.postfix()
    }

    fn size_of(&mut self, at: usize) -> Result<Syntax, ExprError> {
        if let Some(type_name) = self.type_in_parentheses()? {
            return self.make(at, SyntaxKind::SizeOfType(type_name));
        }
        let operand = self.nested(Self::unary)?;
        self.make(at, SyntaxKind::SizeOf(Box::new(operand)))
    }

    fn postfix(&mut self) -> Result<Syntax, ExprError> {
        let mut object = self.primary()?;
        loop {
            let at = self.at();
            let kind = if self.pass("[") {
                let index = self.nested(Self::conditional)?;
                self.expect("]", at)?;
                SyntaxKind::Index(Box::new(object), Box::new(index))
            } else if self.pass(".") || self.pass("->") {
                let arrow = self.tokens[self.next - 1].kind.is_sign("->");
                let Some(name) = self.name() else {
                    return Err(ExprError::new(self.at(), "the name of a member is missing"));
                };
                SyntaxKind::Member(Box::new(object), arrow, name)
            } else if self.pass("(") {
                return Err(ExprError::new(at, "expressions do not call functions"));
            } else {
                return Ok(object);
            };
            object = self.make(at, kind)?;
        }
    }

    fn primary(&mut self) -> Result<Syntax, ExprError> {
        let at = self.at();
        let kind = match self.peek().kind.clone() {
            TokenKind::Integer(value, type_id) => {
                self.next += 1;
                SyntaxKind::Integer(value, type_id)
            }
            TokenKind::Float(value, type_id) => {
                self.next += 1;
                SyntaxKind::Float(value, type_id)
            }
            TokenKind::Sign("(") => {
                self.next += 1;
                let inner = self.nested(Self::conditional)?;
                self.expect(")", at)?;
                return Ok(inner);
            }
            TokenKind::Name(_) | TokenKind::File(_) | TokenKind::Sign("::") => {
                SyntaxKind::Name(self.path()?)
            }
            kind => return Err(self.unexpected(&kind, "where a value is expected")),
        };
        self.make(at, kind)
    }

    /// A name with what stands before it.
    fn path(&mut self) -> Result<Path, ExprError> {
        let file = match &self.peek().kind {
            TokenKind::File(file) => Some(file.clone()),
            _ => None,
        };
        self.next += usize::from(file.is_some());
        let global = self.pass("::");
        let mut parts = Vec::new();
        loop {
            let Some(name) = self.name() else {
                return Err(ExprError::new(self.at(), "a name is missing after `::`"));
            };
            parts.push(name);
            if !self.pass("::") {
                return Ok(Path { file, global, parts });
            }
        }
    }
}

impl TokenKind {
    fn is_sign(&self, sign: &str) -> bool {
        matches!(self, TokenKind::Sign(own) if *own == sign)
    }
}

impl SyntaxKind {
    /// The words of C++ and C that stand for constants, unless the program uses them otherwise.
    pub(crate) fn word(name: &str) -> Option<SyntaxKind> {
        let (value, type_id) = match name {
            "true" => (1, Types::CPP_BOOL),
            "false" => (0, Types::CPP_BOOL),
            "NULL" | "nullptr" => (0, Types::INT),
            _ => return None,
        };
        Some(SyntaxKind::Integer(value, type_id))
    }
}
