//! One random program of two threads that allocate, fill, hand over and free blocks of all sizes.
//!
//! Whatever the library does for that is no race of the program's, and no block has another thread's bytes. The
//! cells, locks and statements beside are those of the programs of threads.

use super::cells::Cells;
use super::dice::Dice;
use super::statements::{self, Statement};
use super::text::{self, lines};

/// What is there beside the prelude of the programs of threads.
pub const PRELUDE: &str = r#"#include <string.h>

/* Blocks that go from one thread to the other. */
unsigned char *handed[2];

"#;

/// About how many instructions each thread may have, its blocks aside.
const BUDGET: u32 = 8;

/// Small ones, those that a heap of the library's grows for, and those that it would map.
const SIZES: [u32; 8] = [1, 24, 100, 1_000, 30_000, 140_000, 200_000, 600_000];

/// The C text of a program: its thread and `program_<seed>`.
pub fn text(seed: u64) -> String {
    let mut dice = Dice::new(seed ^ 0xa110_c001);
    let cells = Cells::choose(&mut dice);
    let (thread, main) = (part(&mut dice, &cells), part(&mut dice, &cells));
    text::two_threads("allocating", seed, None, thread, main)
}

fn part(dice: &mut Dice, cells: &Cells) -> Vec<String> {
    let mut own = text::within_budget(BUDGET, || statements::bare(dice, cells));
    for _ in 0..1 + dice.below(2) {
        let place = dice.below(own.len() as u32 + 1) as usize;
        own.insert(place, allocating(dice));
    }
    lines(own).collect()
}

/// The first, the last or a byte between.
fn byte(dice: &mut Dice, size: u32) -> u32 {
    dice.pick(&[0, size / 2, size - 1])
}

fn allocating(dice: &mut Dice) -> Statement {
    let size = dice.pick(&SIZES);
    let (written, handed) = (byte(dice, size), dice.below(2));
    let value = 1 + dice.below(3);
    let made = match dice.below(3) {
        0 => format!("unsigned char *block = calloc({size}, 1);"),
        _ => format!("unsigned char *block = malloc({size});"),
    };
    let write = format!("block[{written}] = {value};");
    let read = format!("read = read * 3 + block[{written}];");
    let order = "__ATOMIC_SEQ_CST";
    let mut lines = vec!["{".to_owned(), made, write];
    match dice.below(5) {
        0 => lines.extend([read, "free(block);".to_owned()]),
        1 => lines.extend([
            format!("block = realloc(block, {});", size + dice.pick(&SIZES)),
            read,
            "free(block);".to_owned(),
        ]),
        // Several at once, so that a heap grows past any size that it begins with.
        2 => lines.extend([
            "unsigned char *more[4];".to_owned(),
            "for (int i = 0; i < 4; i++)".to_owned(),
            format!("    *(more[i] = malloc({size})) = i;"),
            "for (int i = 0; i < 4; i++)".to_owned(),
            "    read += *more[i], free(more[i]);".to_owned(),
            read,
            "free(block);".to_owned(),
        ]),
        _ => lines.extend([
            format!("block = __atomic_exchange_n(&handed[{handed}], block, {order});"),
            "if (block)".to_owned(),
            "    read = read * 3 + block[0];".to_owned(),
            "free(block);".to_owned(),
        ]),
    }
    lines.push("}".to_owned());
    Statement { lines, cost: 12 }
}
