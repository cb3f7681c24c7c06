//! The variables that have one place for the whole run, by address.

use steam_image::{Address, Declared, Place, Symbols, THREAD_BASE, TypeId, Variable};

/// Variables by address.
pub(crate) struct Objects {
    /// Start, size and variable, by ascending start.
    fixed: Vec<(u32, u32, Variable)>,
    /// A thread's own: offset from the thread's base, size and variable.
    own: Vec<(u32, u32, Variable)>,
}

/// A variable, and how far into it an address is.
#[derive(Clone, Copy)]
pub(crate) struct Within<'a> {
    pub variable: &'a Variable,
    pub at: u32,
}

impl Objects {
    pub fn new(declared: &Declared, symbols: &Symbols) -> Objects {
        let (mut fixed, mut own) = (Vec::new(), Vec::new());
        for variable in declared.all_variables() {
            let size = declared.types().size(variable.type_id);
            match variable.place {
                Place::Memory(Address::Fixed(start)) => {
                    // Of an array without a length, the linker knows it.
                    let of_symbol = || symbols.at(start).map(|(symbol, _)| symbol.size);
                    let size = size.or_else(of_symbol).unwrap_or(0);
                    fixed.push((start, size, variable.clone()));
                }
                Place::Memory(Address::Register { register: THREAD_BASE, offset }) => {
                    own.push((offset, size.unwrap_or(0), variable.clone()));
                }
                _ => {}
            }
        }
        fixed.sort_by_key(|&(start, size, _)| (start, size));
        own.sort_by_key(|&(start, size, _)| (start, size));
        Objects { fixed, own }
    }

    /// The variable at an address.
    pub fn at(&self, address: u32) -> Option<Within<'_>> {
        find(&self.fixed, address)
    }

    /// The variable of a thread at an offset from the thread's base.
    pub fn of_thread(&self, offset: u32) -> Option<Within<'_>> {
        find(&self.own, offset)
    }
}

fn find(list: &[(u32, u32, Variable)], address: u32) -> Option<Within<'_>> {
    let after = list.partition_point(|&(start, ..)| start <= address);
    let (start, size, variable) = list[..after].last()?;
    let at = address - start;
    (at < *size).then_some(Within { variable, at })
}

impl Within<'_> {
    pub fn type_id(&self) -> TypeId {
        self.variable.type_id
    }
}
