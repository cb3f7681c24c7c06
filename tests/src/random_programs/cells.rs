//! The memory that the threads of a random program share: globals, plain and volatile, bytes that
//! are neighbours in one word, eight bytes that take two accesses, a heap cell, and locals of main
//! whose address its threads get. Processes share what was mapped before they were made, and have
//! copies of a global.

use super::dice::Dice;

/// Cells of one program. Few cells make many conflicts.
#[derive(Clone, Debug)]
pub struct Cells(Vec<&'static str>);

const INTEGERS: [&str; 6] = ["plain[0]", "plain[1]", "careful[0]", "careful[1]", "*heap", "*own"];
const ODD: [&str; 3] = ["bytes[0]", "bytes[1]", "wide"];
const COMMON: [&str; 5] =
    ["common->plain[0]", "common->plain[1]", "common->careful[0]", "common->careful[1]", "copied"];
const COMMON_ODD: [&str; 2] = ["common->bytes[0]", "common->bytes[1]"];

impl Cells {
    /// Chooses the cells that a program of threads uses.
    pub fn choose(dice: &mut Dice) -> Self {
        Self::among(dice, &INTEGERS, &ODD)
    }

    /// Chooses the cells that a program of processes uses.
    pub fn choose_common(dice: &mut Dice) -> Self {
        Self::among(dice, &COMMON, &COMMON_ODD)
    }

    fn among(dice: &mut Dice, integers: &[&'static str], odd: &[&'static str]) -> Self {
        let mut cells = vec![dice.pick(integers), dice.pick(integers)];
        if dice.one_in(3) {
            cells.push(dice.pick(odd));
        }
        Self(cells)
    }

    /// Any cell.
    pub fn any(&self, dice: &mut Dice) -> &'static str {
        dice.pick(&self.0)
    }

    /// A cell of four bytes, as the atomic operations want it.
    pub fn integer(&self, dice: &mut Dice) -> &'static str {
        self.0[dice.below(2) as usize]
    }
}
