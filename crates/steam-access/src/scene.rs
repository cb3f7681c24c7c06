//! What debug information says at each instruction of one function: which variables have a place
//! there, and which inlined call it belongs to.

use std::collections::HashMap;

use steam_image::{Body, Place, Placed};

use crate::code::Instruction;

/// So many times a variable at an instruction is kept, in all.
const MOST: usize = 1 << 22;

/// The instructions of a function with their variables.
pub(crate) struct Scene<'a> {
    pub variables: &'a [Placed],
    here: HashMap<u32, Here>,
}

/// One instruction.
#[derive(Default)]
struct Here {
    /// The numbers of variables and of their places.
    variables: Vec<(u32, u32)>,
    /// The number of the innermost inlined call.
    call: Option<usize>,
}

impl<'a> Scene<'a> {
    /// Finds what belongs to each of the instructions, which are sorted by address.
    pub fn new(body: &'a Body, code: &[Instruction]) -> Scene<'a> {
        let mut here: HashMap<u32, Here> =
            code.iter().map(|instruction| (instruction.address, Here::default())).collect();
        let between = |from: u32, to: u32| {
            let start = code.partition_point(|instruction| instruction.address < from);
            code[start..]
                .iter()
                .map(|instruction| instruction.address)
                .take_while(move |&at| at < to)
        };
        let mut left = MOST;
        for (number, variable) in body.variables.iter().enumerate() {
            for (which, &(from, to, _)) in variable.places.iter().enumerate() {
                for at in between(from, to).take(left) {
                    left -= 1;
                    here.entry(at).or_default().variables.push((number as u32, which as u32));
                }
            }
        }
        // Inner calls come later.
        for (number, call) in body.inlined.iter().enumerate() {
            for at in call.ranges.iter().flat_map(|&(from, to)| between(from, to)).take(left) {
                left -= 1;
                here.entry(at).or_default().call = Some(number);
            }
        }
        Scene { variables: &body.variables, here }
    }

    /// The variables that have a place at an instruction, with their places.
    pub fn variables_at(&self, at: u32) -> impl Iterator<Item = (&'a Placed, &'a Place)> {
        let variables = self.variables;
        let numbers = self.here.get(&at).map_or(&[][..], |here| &here.variables);
        numbers.iter().map(move |&(number, which)| {
            let variable = &variables[number as usize];
            (variable, &variable.places[which as usize].2)
        })
    }

    /// The number of the innermost inlined call at an instruction.
    pub fn call_at(&self, at: u32) -> Option<usize> {
        self.here.get(&at).and_then(|here| here.call)
    }
}
