//! What the text of the source says at an instruction: whether it stands at a call of one of the
//! compiler's atomic operations, of which debug information says nothing.
//!
//! The line table gives a file, a line and a column. Where the file can be read and a call such as
//! `__atomic_load_n(&count, ...)` begins there, one access of the instructions at that place is the
//! atomic one (`builtins.rs` says which).

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use steam_image::{Frame, Image};

/// Larger files are not read.
const LARGEST: u64 = 1 << 24;

/// A call of an atomic operation in the source.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Call {
    /// The text of its line, from the call on; of OpenMP, the statement.
    pub text: Arc<str>,
    /// File, line and column.
    place: (Arc<str>, u32, u32),
    pub kind: Kind,
    /// Whether the first argument is the address of what it accesses.
    pub by_address: bool,
}

/// What an operation does to the one object that it accesses atomically.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Load,
    Store,
    /// It changes it, and may read it before by a plain instruction.
    Update,
}

/// The operations that are plain instructions, by name.
const PLAIN: &[(&str, Kind)] = &[
    ("__atomic_load_n", Kind::Load),
    ("__atomic_load", Kind::Load),
    ("__atomic_store_n", Kind::Store),
    ("__atomic_store", Kind::Store),
    ("__atomic_clear", Kind::Store),
    ("__sync_lock_release", Kind::Store),
    ("atomic_load", Kind::Load),
    ("atomic_load_explicit", Kind::Load),
    ("atomic_store", Kind::Store),
    ("atomic_store_explicit", Kind::Store),
    ("atomic_flag_clear", Kind::Store),
    ("atomic_flag_clear_explicit", Kind::Store),
];

/// How the names of the other operations begin.
const OTHERS: &[&str] = &["__atomic_", "__sync_", "atomic_fetch_"];

/// What stands before a statement that OpenMP makes atomic.
const PRAGMA: &str = "#pragma omp atomic";

type Text = Option<Arc<[Arc<str>]>>;

/// The files of a program's source, as far as they were asked for.
#[derive(Default)]
pub(crate) struct Sources {
    files: RwLock<HashMap<String, Text>>,
}

/// What the source says at an instruction.
pub(crate) enum Said {
    /// A call of an atomic operation.
    Call(Call),
    /// Something else.
    Other,
    /// The line is not known, or the file cannot be read.
    Nothing,
}

impl Sources {
    /// What the source says at an instruction.
    pub fn at(&self, image: &Image, eip: u32) -> Said {
        let frame = image.lines.frames(eip).into_iter().next();
        let Some(Frame { file: Some(file), line: Some(line), column, .. }) = frame else {
            return Said::Nothing;
        };
        let Some(lines) = self.lines(&file) else { return Said::Nothing };
        let before = (line as usize).checked_sub(2).and_then(|at| lines.get(at));
        let Some(own) = (line as usize).checked_sub(1).and_then(|at| lines.get(at)) else {
            return Said::Nothing;
        };
        let place = |column| (Arc::from(file.as_str()), line, column);
        if let Some(kind) = before.and_then(|text| pragma(text)) {
            let text = Arc::clone(own);
            return Said::Call(Call { text, place: place(0), kind, by_address: false });
        }
        let Some(column) = column.filter(|&column| column > 0) else { return Said::Other };
        let Some(text) = own.get(column as usize - 1..) else { return Said::Other };
        match operation(text) {
            Some(kind) => Said::Call(Call {
                text: Arc::from(text),
                place: place(column),
                kind,
                by_address: true,
            }),
            None => Said::Other,
        }
    }

    fn lines(&self, file: &str) -> Text {
        let known = self.files.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(lines) = known.get(file) {
            return lines.clone();
        }
        drop(known);
        let small =
            std::fs::metadata(file).is_ok_and(|data| data.is_file() && data.len() <= LARGEST);
        let text = small.then(|| std::fs::read(file).ok()).flatten();
        let lines = text.map(|text| {
            let text = String::from_utf8_lossy(&text);
            text.lines().map(Arc::from).collect::<Arc<[Arc<str>]>>()
        });
        let mut known = self.files.write().unwrap_or_else(PoisonError::into_inner);
        known.entry(file.to_owned()).or_insert(lines).clone()
    }
}

/// What an OpenMP pragma makes of the statement behind it.
fn pragma(text: &str) -> Option<Kind> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let rest = words.join(" ");
    let rest = rest.strip_prefix(PRAGMA)?;
    let has = |word: &str| rest.split(|it: char| !it.is_alphanumeric()).any(|it| it == word);
    Some(match () {
        () if has("capture") || has("update") => Kind::Update,
        () if has("read") => Kind::Load,
        () if has("write") => Kind::Store,
        () => Kind::Update,
    })
}

/// The operation that is called where a text begins.
fn operation(text: &str) -> Option<Kind> {
    let end = text.find(|it: char| !it.is_alphanumeric() && it != '_')?;
    let (name, rest) = text.split_at(end);
    if !rest.trim_start().starts_with('(') {
        return None;
    }
    let plain = PLAIN.iter().find(|(own, _)| *own == name).map(|&(_, kind)| kind);
    plain.or_else(|| OTHERS.iter().any(|begin| name.starts_with(begin)).then_some(Kind::Update))
}

impl Call {
    /// The variable whose address is the first argument, and whether the argument goes on behind its
    /// name.
    pub fn variable(&self) -> Option<(&str, bool)> {
        let (_, argument) = self.text.split_once('(')?;
        let argument = argument.trim_start().strip_prefix('&')?.trim_start();
        let end = argument.find(|it: char| !it.is_alphanumeric() && it != '_')?;
        let (name, rest) = argument.split_at(end);
        match rest.trim_start().chars().next()? {
            ',' | ')' => Some((name, false)),
            '.' | '[' => Some((name, true)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_known_by_their_names() {
        for (text, kind) in [
            ("__atomic_load_n(&x, 5);", Some(Kind::Load)),
            ("atomic_store_explicit (&x, 1, r)", Some(Kind::Store)),
            ("__sync_lock_release(&x)", Some(Kind::Store)),
            ("__sync_fetch_and_or(&x, 2)", Some(Kind::Update)),
            ("atomic_load_fast(&x)", None),
            ("atomic_read(&x)", None),
            ("atomic_init(&x, 1)", None),
            ("__atomic_load_n", None),
            ("x = __atomic_load_n(&x, 5)", None),
        ] {
            assert_eq!(operation(text), kind, "{text}");
        }
    }

    #[test]
    fn pragmas_say_what_the_statement_does() {
        assert_eq!(pragma(" #pragma  omp atomic read seq_cst"), Some(Kind::Load));
        assert_eq!(pragma("#pragma omp atomic write"), Some(Kind::Store));
        assert_eq!(pragma("#pragma omp atomic"), Some(Kind::Update));
        assert_eq!(pragma("#pragma omp critical"), None);
    }

    #[test]
    fn the_variable_is_the_one_whose_address_is_taken() {
        let variable = |text: &str| {
            let place = (Arc::from("a.c"), 1, 1);
            let call = Call { text: Arc::from(text), place, kind: Kind::Load, by_address: true };
            call.variable().map(|(name, part)| (name.to_owned(), part))
        };
        assert_eq!(variable("__atomic_load_n(&x, 5)"), Some(("x".to_owned(), false)));
        assert_eq!(variable("__atomic_load_n( & x.a, 5)"), Some(("x".to_owned(), true)));
        assert_eq!(variable("__atomic_load_n(&p->a, 5)"), None);
        assert_eq!(variable("__atomic_load_n(p, 5)"), None);
    }
}
