//! Random formulas.

use steam_ltl::{AtomId, Atoms, Binary, Syntax, Unary};

use crate::chance::Random;

/// The number of atoms in random formulas.
pub const ATOMS: usize = 3;

/// A table with the atoms of random formulas.
pub fn atoms() -> Atoms {
    let mut atoms = Atoms::default();
    for text in ["a", "x == 1", "{quoted"] {
        atoms.number(text).expect("few atoms");
    }
    atoms
}

/// A formula of a depth, with all operators.
pub fn formula(random: &mut Random, depth: usize) -> Syntax {
    if depth == 0 || random.below(8) == 0 {
        return match random.below(12) {
            0 => Syntax::True,
            1 => Syntax::False,
            number => Syntax::Atom(AtomId((number % ATOMS) as u8)),
        };
    }
    let unary = [Unary::Not, Unary::Next, Unary::Finally, Unary::Globally];
    let binary = [
        Binary::And,
        Binary::Or,
        Binary::Implies,
        Binary::Iff,
        Binary::Until,
        Binary::Release,
        Binary::WeakUntil,
    ];
    let left = formula(random, depth - 1);
    match random.below(unary.len() + binary.len()) {
        number if number < unary.len() => Syntax::unary(unary[number], left),
        number => {
            let right = formula(random, depth - 1);
            Syntax::binary(binary[number - unary.len()], left, right)
        }
    }
}
