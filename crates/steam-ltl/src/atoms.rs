//! Atoms: what formulas say about one state, by number. Their text is kept for whoever resolves it.

/// An atom by its number in a table of [`Atoms`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomId(pub u8);

/// The texts of atoms, by number. Several formulas may share a table, and with it valuations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Atoms {
    texts: Vec<String>,
}

impl Atoms {
    /// The largest number of atoms: a [`Valuation`] is one word.
    pub const MOST: usize = 64;

    /// Returns the number of atoms.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Returns the text of an atom, as it was first written.
    pub fn text(&self, atom: AtomId) -> &str {
        &self.texts[usize::from(atom.0)]
    }

    /// Returns all atoms with their texts, by number.
    pub fn iter(&self) -> impl Iterator<Item = (AtomId, &str)> {
        self.texts.iter().zip(0..).map(|(text, number)| (AtomId(number), text.as_str()))
    }

    /// Returns the number of a text, a new one if it differs from all others in more than blanks;
    /// nothing if there are [`Atoms::MOST`] already.
    pub fn number(&mut self, text: &str) -> Option<AtomId> {
        let tight = without_blanks(text);
        let known = self.texts.iter().position(|known| without_blanks(known) == tight);
        let index = known.unwrap_or(self.texts.len());
        if index == Atoms::MOST {
            return None;
        }
        if known.is_none() {
            self.texts.push(text.to_owned());
        }
        Some(AtomId(index as u8))
    }

    /// Forgets all but the first atoms.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.texts.truncate(length);
    }
}

/// The text without blanks that separate nothing. Blanks in quotes stay, and those between two
/// letters or two signs: `- -` is not `--`.
fn without_blanks(text: &str) -> String {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut tight = String::new();
    let mut quoted = false;
    let mut letters = text.trim().chars().peekable();
    while let Some(letter) = letters.next() {
        quoted ^= letter == '\'';
        if letter.is_whitespace() && !quoted {
            while letters.next_if(|next| next.is_whitespace()).is_some() {}
            let (Some(last), Some(&next)) = (tight.chars().last(), letters.peek()) else {
                continue;
            };
            let brackets = |letter: char| "()[],.".contains(letter);
            if is_word(last) == is_word(next) && !brackets(last) && !brackets(next) {
                tight.push(' ');
            }
        } else {
            tight.push(letter);
        }
    }
    tight
}

/// Which atoms hold in a state: one bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Valuation(pub u64);

impl Valuation {
    /// Returns whether an atom holds.
    pub fn holds(self, atom: AtomId) -> bool {
        self.0 >> atom.0 & 1 == 1
    }

    /// Returns the valuation with one atom set.
    #[must_use]
    pub fn with(self, atom: AtomId, holds: bool) -> Valuation {
        Valuation(self.0 & !(1 << atom.0) | u64::from(holds) << atom.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_make_no_atom() {
        let mut atoms = Atoms::default();
        let first = atoms.number("x == 1").unwrap();
        assert_eq!(atoms.number("x==1"), Some(first));
        assert_eq!(atoms.number(" x  ==\t1 "), Some(first));
        assert_ne!(atoms.number("x == 11"), Some(first));
        let spaced = atoms.number("a - -b").unwrap();
        assert_ne!(atoms.number("a --b"), Some(spaced));
        let letter = atoms.number("c == ' '").unwrap();
        assert_ne!(atoms.number("c == '  '"), Some(letter));
        assert_eq!(atoms.number("holds(2,&m)"), atoms.number("holds( 2, & m )"));
        assert_eq!(atoms.text(first), "x == 1");
    }

    #[test]
    fn there_are_64_at_most() {
        let mut atoms = Atoms::default();
        for number in 0..64 {
            assert_eq!(atoms.number(&format!("a{number}")), Some(AtomId(number)));
        }
        assert_eq!(atoms.number("more"), None);
        assert_eq!(atoms.number("a63"), Some(AtomId(63)));
    }

    #[test]
    fn a_valuation_holds_what_was_set() {
        let valuation = Valuation::default().with(AtomId(63), true).with(AtomId(2), true);
        assert!(valuation.holds(AtomId(63)) && valuation.holds(AtomId(2)));
        assert!(!valuation.with(AtomId(2), false).holds(AtomId(2)));
        assert!(!valuation.holds(AtomId(0)));
    }
}
