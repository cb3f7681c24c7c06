//! What the user calls the things that lie at an address.

use steam_access::Atomics;
use steam_image::{Image, Symbol, SymbolKind, demangle};
use steam_report::Location;
use steam_state::{Place, Space};
use steam_sync::Address;

/// The names of one program.
pub struct Names<'a> {
    /// The program.
    pub image: &'a Image,
    /// What its source says of its variables.
    pub source: &'a Atomics,
}

impl Names<'_> {
    /// A variable or a part of one: `glob`, `counts[2]`, or `counts+8` where the source is not known; nothing
    /// for what has no name.
    pub fn variable(&self, address: u32) -> Option<String> {
        if let Some(name) = self.source.name(address, 1) {
            return Some(name);
        }
        let (symbol, offset) = self.image.symbols.at(address)?;
        (symbol.kind == SymbolKind::Object).then(|| with_offset(symbol, offset))
    }

    /// An object that was used as the member of a type: a variable, or that member and where it lies.
    pub fn member(&self, place: Address, member: Option<&str>) -> String {
        let own = Place::from_number(place).filter(|place| place.space() != Space::SHARED);
        let named = own.is_none_or(|place| self.variable(place.address()).is_some());
        match member.filter(|_| !named) {
            Some(member) => format!("{member} ({})", self.object(place)),
            None => self.object(place),
        }
    }

    /// An object: a variable, or where it lies.
    pub fn object(&self, place: Address) -> String {
        let place = Place::from_number(place).unwrap_or(Space::FIRST.at(0));
        let address = place.address();
        if place.space() == Space::SHARED {
            return format!("shared memory at {address:#x}");
        }
        self.variable(address).unwrap_or_else(|| format!("{address:#010x}"))
    }
}

fn with_offset(symbol: &Symbol, offset: u32) -> String {
    let name = demangle(&symbol.name);
    // A static variable of a function has a number after its name.
    let name = name.split_once('.').map_or(name.as_str(), |(name, _)| name);
    if offset == 0 { name.to_owned() } else { format!("{name}+{offset}") }
}

/// What a thread is called: the function with which the user's part of it begins, or the class of
/// that function.
pub fn thread_name(stack: &[Location]) -> Option<String> {
    let outermost = stack.iter().rev().find(|location| location.is_users())?;
    let name = outermost.function.as_ref().map(|_| outermost.function_name())?;
    if name.contains("{lambda") {
        return Some("lambda".to_owned());
    }
    Some(name.rsplit_once("::").map_or(name.clone(), |(class, _)| class.to_owned()))
}
