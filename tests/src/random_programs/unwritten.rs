//! One random program that writes, copies and uses the bytes of a heap block, a stack array and a variable, some of which
//! it never wrote.
//!
//! Which bytes are written is known here, statement by statement, by the meaning of C alone: the line of the first
//! use of one that is not is marked with `/* USE <seed> */`. A program without that mark uses none.

use super::dice::Dice;
use super::text::function;

/// What all programs share. Who gets a block from `opaque` cannot know what is in it.
pub const PRELUDE: &str = r#"#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const unsigned char table[4] = {1, 2, 3, 4};
volatile int zero;

__attribute__((noipa)) void *opaque(void *block)
{
    return block;
}

struct pair {
    unsigned char small;
    int large;
};

"#;

/// Bytes of a block; reallocation doubles them.
const SIZE: usize = 8;
const STATEMENTS: u32 = 9;

/// The C text of a program.
pub fn text(seed: u64) -> String {
    let mut world = World { dice: Dice::new(seed ^ 0x0de_f1ed), ..World::default() };
    let mut body: Vec<String> = [
        "unsigned char array[8];",
        "unsigned char *s = opaque(array), *h = opaque(malloc(8));",
        "struct pair first, second = {0, 0};",
        "struct pair *one = opaque(&first), *other = opaque(&second);",
        "int x = 0, total = 0;",
        "one->small = 1;",
    ]
    .map(str::to_owned)
    .to_vec();
    let mut is_marked = false;
    for _ in 0..STATEMENTS {
        let (mut line, uses) = world.statement();
        if uses && !is_marked {
            is_marked = true;
            line.push_str(&format!(" /* USE {seed} */"));
        }
        body.push(line);
    }
    body.push("_exit(total & 63);".to_owned());
    let mut text = String::new();
    function(&mut text, &format!("void program_{seed}(void)"), &body);
    text
}

/// Which bytes are written.
struct World {
    dice: Dice,
    heap: Vec<bool>,
    stack: [bool; SIZE],
    /// The variable `x`, and the member `large` of `one` and of `other`.
    x: bool,
    one: bool,
    other: bool,
    /// How often the block of the heap has grown.
    reallocated: u32,
}

impl Default for World {
    fn default() -> Self {
        Self {
            dice: Dice::new(0),
            heap: vec![false; SIZE],
            stack: [false; SIZE],
            x: true,
            one: false,
            other: true,
            reallocated: 0,
        }
    }
}

impl World {
    fn below(&mut self, limit: usize) -> usize {
        self.dice.below(limit as u32) as usize
    }

    /// A part of `size` bytes: where it begins and how long it is.
    fn part(&mut self, size: usize) -> (usize, usize) {
        let start = self.below(size);
        (start, 1 + self.below(size - start))
    }

    /// The next statement, and whether it uses what was never written.
    fn statement(&mut self) -> (String, bool) {
        let value = self.below(4);
        let (from, to) = (self.below(SIZE), self.below(SIZE));
        match self.dice.below(17) {
            0 => {
                self.heap[to] = true;
                (format!("h[{to}] = {value};"), false)
            }
            1 => {
                self.stack[to] = true;
                (format!("s[{to}] = {value};"), false)
            }
            2 => {
                self.heap[to] = self.stack[from];
                (format!("h[{to}] = s[{from}];"), false)
            }
            3 => {
                self.stack[to] = self.heap[from];
                (format!("s[{to}] = h[{from}];"), false)
            }
            4 => {
                let (start, count) = self.part(SIZE);
                let part = start..start + count;
                self.heap[part.clone()].copy_from_slice(&self.stack[part]);
                (format!("memcpy(h + {start}, s + {start}, {count});"), false)
            }
            5 => {
                let (start, count) = self.part(SIZE);
                self.heap[start..start + count].fill(true);
                (format!("memset(h + {start}, {value}, {count});"), false)
            }
            6 => {
                self.x = self.heap[from];
                (format!("x = h[{from}];"), false)
            }
            7 => {
                self.x &= self.stack[from];
                (format!("x = x * 3 + s[{from}];"), false)
            }
            // Whatever is there: nothing of it is left.
            8 => {
                self.x = true;
                ("x &= zero;".to_owned(), false)
            }
            9 => (format!("x += {value};"), false),
            10 => {
                self.one = self.x;
                ("one->large = x;".to_owned(), false)
            }
            11 => {
                self.other = self.one;
                ("*other = *one;".to_owned(), false)
            }
            12 => self.block(),
            13 => (format!("if (x == {value}) total++;"), !self.x),
            14 => (format!("if (h[{from}] > {value}) total++;"), !self.heap[from]),
            15 => (format!("if (other->large == {value}) total += 2;"), !self.other),
            _ => {
                let (start, count) = self.part(SIZE);
                let all = self.stack[start..start + count].iter().all(|written| *written);
                match self.dice.below(2) {
                    0 => (format!("total += table[s[{from}] & 3];"), !self.stack[from]),
                    _ => (format!("if (write(1, s + {start}, {count}) < 0) total++;"), !all),
                }
            }
        }
    }

    /// Another block for the heap.
    fn block(&mut self) -> (String, bool) {
        match self.dice.below(3) {
            0 => {
                self.heap = vec![false; SIZE];
                self.reallocated = 0;
                ("free(h), h = opaque(malloc(8));".to_owned(), false)
            }
            1 => {
                self.heap = vec![true; SIZE];
                self.reallocated = 0;
                ("free(h), h = opaque(calloc(8, 1));".to_owned(), false)
            }
            _ => {
                self.reallocated += 1;
                // What was there stays; the first half is the one that statements touch.
                (format!("h = opaque(realloc(h, {}));", SIZE << self.reallocated), false)
            }
        }
    }
}
