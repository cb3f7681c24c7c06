//! The program over whose variables expressions are: its declarations, and the types that
//! expressions add to them.

use steam_image::{Declared, Image, NoDeclarations, Types};

use crate::check;
use crate::error::ExprError;
use crate::names::Frame;
use crate::parse::parse;
use crate::tree::Expression;

/// Texts that are longer are no expressions.
const LONGEST: usize = 64 << 10;

/// A program, for expressions over its variables.
#[derive(Debug, Clone)]
pub struct ProgramNames<'i> {
    pub(crate) image: &'i Image,
    pub(crate) declared: &'i Declared,
    pub(crate) types: Types,
}

impl<'i> ProgramNames<'i> {
    /// Reads what the program declares; the error says why nothing is known of it.
    pub fn new(image: &'i Image) -> Result<ProgramNames<'i>, NoDeclarations> {
        let declared = image.declarations.get().map_err(NoDeclarations::clone)?;
        Ok(ProgramNames { image, declared, types: declared.types().clone() })
    }

    /// Returns the types of the program and of all expressions compiled so far.
    pub fn types(&self) -> &Types {
        &self.types
    }

    /// Compiles an expression. With the address of an instruction (of a waiting function, one
    /// within its call: [`probe`](steam_image::Activation::probe)) it may use the local variables
    /// there; it is then for that instruction alone, and evaluating it needs the registers.
    pub fn compile(&mut self, text: &str, at: Option<u32>) -> Result<Expression, ExprError> {
        if text.len() > LONGEST {
            return Err(ExprError::new(0, "the expression is too long"));
        }
        let frame = at.map(|pc| Frame::new(self, pc));
        let syntax = parse(text, &|path| self.is_type(path))?;
        check::check(self, frame.as_ref(), &syntax)
    }
}
