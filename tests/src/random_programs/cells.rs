//! The memory that the threads of a random program share: globals, plain and volatile, bytes that
//! are neighbours in one word, eight bytes that take two accesses, a heap cell, and locals of main
//! whose address its threads get.

use super::dice::Dice;

/// Cells of one program. Few cells make many conflicts.
#[derive(Clone, Debug)]
pub struct Cells(Vec<&'static str>);

const INTEGERS: [&str; 6] = ["plain[0]", "plain[1]", "careful[0]", "careful[1]", "*heap", "*own"];
const ODD: [&str; 3] = ["bytes[0]", "bytes[1]", "wide"];

impl Cells {
    /// Chooses the cells that a program uses.
    pub fn choose(dice: &mut Dice) -> Self {
        let mut cells = vec![dice.pick(&INTEGERS), dice.pick(&INTEGERS)];
        if dice.one_in(3) {
            cells.push(dice.pick(&ODD));
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
