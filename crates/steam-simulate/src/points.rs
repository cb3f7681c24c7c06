//! What the user wants to be stopped at or shown: breakpoints, watched expressions, displays.
//! They have one numbering, as in gdb.

use steam_expr::Expression;
use steam_state::Space;

/// What a number stands for.
pub enum Point {
    /// A place in the code.
    Break {
        /// Where, in words: `dine at deadlock.c:14`.
        place: String,
        /// The instructions before which it stops.
        addresses: Vec<u32>,
        /// The expression that has to be true there, as it was typed.
        condition: Option<String>,
    },
    /// An expression that stops where its value becomes another one.
    Watch {
        /// As it was typed.
        text: String,
        /// What it means.
        expression: Expression,
        /// The process whose memory is meant.
        space: Option<Space>,
    },
    /// An expression that is shown at each stop.
    Display {
        /// As it was typed.
        text: String,
        /// The letter of its format, if any.
        format: Option<char>,
    },
}

/// All points, with their numbers.
#[derive(Default)]
pub struct Points {
    last: u32,
    list: Vec<(u32, Point)>,
}

impl Points {
    /// Adds a point; its number.
    pub fn add(&mut self, point: Point) -> u32 {
        self.last += 1;
        self.list.push((self.last, point));
        self.last
    }

    /// Removes a point; whether there was one.
    pub fn remove(&mut self, number: u32) -> bool {
        let before = self.list.len();
        self.list.retain(|(own, _)| *own != number);
        self.list.len() < before
    }

    /// Removes all points.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// The points and their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Point)> {
        self.list.iter().map(|(number, point)| (*number, point))
    }

    /// The breakpoints at an instruction, with their conditions.
    pub fn at(&self, address: u32) -> impl Iterator<Item = (u32, Option<String>)> {
        self.iter().filter_map(move |(number, point)| match point {
            Point::Break { addresses, condition, .. } => {
                addresses.contains(&address).then(|| (number, condition.clone()))
            }
            _ => None,
        })
    }

    /// Whether there are breakpoints.
    pub fn has_breaks(&self) -> bool {
        self.iter().any(|(_, point)| matches!(point, Point::Break { .. }))
    }

    /// Whether expressions are watched.
    pub fn has_watches(&self) -> bool {
        self.iter().any(|(_, point)| matches!(point, Point::Watch { .. }))
    }
}
