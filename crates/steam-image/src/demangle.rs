//! C++ names as people write them.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cpp_demangle::{BorrowedSymbol, DemangleOptions, DemangleWrite};

/// Names that are longer are shown as they are: a few letters can stand for gigabytes.
const LONGEST: usize = 16 << 10;

/// Turns a mangled C++ name into source form; any other name is returned as it is.
pub fn demangle(name: &str) -> String {
    // A name of C may start with the letter, but never with this prefix.
    if !name.starts_with("_Z") || name.len() > LONGEST {
        return name.to_owned();
    }
    // The names come from the file, which may be hostile: a fault in the library must not end
    // the check.
    let attempt = catch_unwind(AssertUnwindSafe(|| bounded(name)));
    attempt.ok().flatten().unwrap_or_else(|| name.to_owned())
}

fn bounded(name: &str) -> Option<String> {
    let symbol = BorrowedSymbol::new(name.as_bytes()).ok()?;
    let mut text = BoundedText(String::new());
    symbol.structured_demangle(&mut text, &DemangleOptions::new()).ok()?;
    Some(text.0)
}

/// A text that refuses to grow beyond the longest name.
struct BoundedText(String);

impl DemangleWrite for BoundedText {
    fn write_string(&mut self, piece: &str) -> fmt::Result {
        if self.0.len() + piece.len() > LONGEST {
            return Err(fmt::Error);
        }
        self.0.push_str(piece);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_cpp_are_demangled_and_others_kept() {
        assert_eq!(demangle("_ZN5space3fooEii"), "space::foo(int, int)");
        assert_eq!(demangle("main"), "main");
        assert_eq!(demangle("_Zebra"), "_Zebra");
        assert_eq!(demangle("_Z"), "_Z");
    }

    #[test]
    fn a_name_that_explodes_is_kept() {
        assert_eq!(demangle(&doubling(1)), "f(x<int, int>, x<x<int, int>, x<int, int> >)");
        let explosive = doubling(40);
        assert_eq!(demangle(&explosive), explosive);
    }

    /// Each argument is a template of twice the one before.
    fn doubling(levels: u32) -> String {
        let mut name = String::from("_Z1f1xIiiE");
        for level in 0..levels {
            let last = base36(level);
            name.push_str(&format!("S_IS{last}_S{last}_E"));
        }
        name
    }

    fn base36(number: u32) -> String {
        let digit = |value: u32| char::from_digit(value, 36).unwrap_or('0').to_ascii_uppercase();
        match number {
            0..36 => digit(number).to_string(),
            _ => format!("{}{}", digit(number / 36), digit(number % 36)),
        }
    }
}
