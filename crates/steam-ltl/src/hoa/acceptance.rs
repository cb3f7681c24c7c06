//! The acceptance condition: only "each of these sets again and again" can be used.

use super::token::{Kind, Tokens};
use crate::error::LtlError;

/// Reads `Acceptance: n condition`; returns for each set of the file its number among those that
/// count, and how many count.
pub(super) fn read(tokens: &mut Tokens) -> Result<(Vec<Option<u32>>, u32), LtlError> {
    let at = tokens.at();
    let count = tokens.number("the number of acceptance sets")?;
    if count > u64::BITS {
        return Err(LtlError::new(at, "there are more than 64 acceptance sets"));
    }
    let mut sets = vec![None; count as usize];
    let mut used = 0;
    loop {
        let open = tokens.pass_if(&Kind::Sign('('));
        let at = tokens.at();
        let token = tokens.pass();
        match token.kind {
            Kind::Word(word) if word == "t" => {}
            Kind::Word(word) if word == "Inf" => {
                tokens.expect(&Kind::Sign('('), "`(`")?;
                if tokens.peek().kind == Kind::Sign('!') {
                    return Err(refused(at));
                }
                let set = tokens.number("the number of a set")?;
                let place = sets.get_mut(set as usize);
                let place =
                    place.ok_or_else(|| LtlError::new(at, format!("there is no set {set}")))?;
                if place.is_none() {
                    *place = Some(used);
                    used += 1;
                }
                tokens.expect(&Kind::Sign(')'), "`)`")?;
            }
            _ => return Err(refused(at)),
        }
        if open {
            tokens.expect(&Kind::Sign(')'), "`)`")?;
        }
        match tokens.peek().kind {
            Kind::Sign('&') => drop(tokens.pass()),
            Kind::Sign('|') => return Err(refused(tokens.at())),
            _ => return Ok((sets, used)),
        }
    }
}

fn refused(at: usize) -> LtlError {
    LtlError::new(at, "this acceptance condition cannot be used")
        .hint("Büchi and generalised Büchi can: `Inf(0)&Inf(1)`; Spot's autfilt --tgba writes them")
}
