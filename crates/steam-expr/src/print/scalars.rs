//! Numbers, truth values, characters, constants of enumerations and addresses.

use steam_image::{Encoding, Enumeration, SymbolKind, TypeId, TypeKind, demangle};

use super::text::{character, is_character};
use super::{Printer, Printing};

impl Printer<'_> {
    /// An integer of a type.
    pub(super) fn integer(&self, type_id: TypeId, value: i128) -> String {
        match self.types.kind(type_id) {
            TypeKind::Enum(enumeration) => constant(enumeration, value),
            TypeKind::Base(Encoding::Boolean) => match value {
                0 => "false".to_owned(),
                1 => "true".to_owned(),
                value => value.to_string(),
            },
            TypeKind::Base(_) if is_character(self.types, type_id) => {
                format!("{value} {}", character(value as u8))
            }
            _ => value.to_string(),
        }
    }

    /// A floating-point number of a type: as few digits as tell it from its neighbours.
    pub(super) fn float(&self, type_id: TypeId, value: f64) -> String {
        if value.is_nan() {
            return "nan".to_owned();
        }
        if value.is_infinite() {
            return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
        }
        let single = self.types.size(type_id) == Some(4);
        let magnitude = value.abs();
        let plain = magnitude == 0.0 || (1e-4..1e17).contains(&magnitude);
        let narrow = value as f32;
        match (plain, single) {
            (true, true) => format!("{narrow}"),
            (true, false) => format!("{value}"),
            (false, true) => exponent(&format!("{narrow:e}")),
            (false, false) => exponent(&format!("{value:e}")),
        }
    }

    /// The function or variable at an address, as gdb writes it: ` <list+8>`.
    fn symbol(&self, address: u32) -> String {
        let Some((symbol, offset)) = self.symbols.at(address) else { return String::new() };
        if !matches!(symbol.kind, SymbolKind::Function | SymbolKind::Object | SymbolKind::Ifunc) {
            return String::new();
        }
        let name = demangle(&symbol.name);
        match offset {
            0 => format!(" <{name}>"),
            offset => format!(" <{name}+{offset}>"),
        }
    }
}

impl Printing<'_, '_> {
    /// An address, and what is there if that is known: a symbol, a text.
    pub(super) fn pointer(&mut self, type_id: TypeId, address: u32) -> String {
        let text = match *self.printer.types.kind(type_id) {
            TypeKind::Pointer(target) if is_character(self.printer.types, target) => {
                self.text_at(address)
            }
            _ => None,
        };
        let symbol = match address {
            0 => String::new(),
            address => self.printer.symbol(address),
        };
        let text = text.map(|text| format!(" {text}")).unwrap_or_default();
        format!("{address:#x}{symbol}{text}")
    }
}

/// An exponent as C writes it, with a sign and two digits: `1e+20`.
fn exponent(text: &str) -> String {
    match text.split_once('e') {
        Some((digits, power)) => match power.strip_prefix('-') {
            Some(power) => format!("{digits}e-{power:0>2}"),
            None => format!("{digits}e+{power:0>2}"),
        },
        None => text.to_owned(),
    }
}

/// A constant by its name; a sum of flags by theirs.
fn constant(enumeration: &Enumeration, value: i128) -> String {
    let constants = &enumeration.constants;
    if let Some((name, _)) = constants.iter().find(|(_, own)| i128::from(*own) == value) {
        return name.clone();
    }
    let Ok(bits) = u64::try_from(value) else { return value.to_string() };
    let mut known = 0;
    let mut names = Vec::new();
    for (name, flag) in constants.iter().filter(|(_, flag)| *flag != 0) {
        let flag = *flag as u64;
        // Constants that share bits are no flags.
        if known & flag != 0 {
            return value.to_string();
        }
        known |= flag;
        if bits & flag == flag {
            names.push(name.clone());
        }
    }
    let unknown = bits & !known;
    if names.is_empty() || !flags(enumeration) {
        return value.to_string();
    }
    if unknown != 0 {
        names.push(format!("unknown: {unknown:#x}"));
    }
    format!("({})", names.join(" | "))
}

/// Whether each constant is a bit of its own.
fn flags(enumeration: &Enumeration) -> bool {
    enumeration.constants.iter().all(|(_, value)| (*value as u64).count_ones() <= 1)
}
