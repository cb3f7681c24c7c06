//! What the text of the source says at an instruction: whether it stands at a call of one of the
//! compiler's atomic operations, of which debug information says nothing.
//!
//! The line table gives a file, a line and a column. Where the file can be read and a call such as
//! `__atomic_load_n(&count, ...)` begins there, or the use of a macro that stands for one, one access of the
//! instructions at that place is the atomic one (`builtins.rs` says which).

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use steam_image::{Frame, Image, read_regular};

use crate::assembly;
use crate::macros::{Macros, closing, included};
use crate::statements::{self, Statement};

/// Larger files are not read.
const LARGEST: u64 = 1 << 24;

/// A call of an atomic operation in the source.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Call {
    /// The text from the call on, of as many lines as it takes; of OpenMP, the statement.
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
    /// The same, and by its name threads have each their own copy meanwhile: a reduction of OpenMP.
    Merge,
    /// An instruction of inline assembly loads or stores it.
    Assembly,
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

/// A call has no more lines than this.
const LINES: usize = 16;

/// Files may include each other this deeply.
const DEEPEST: usize = 6;

/// What stands before a statement that OpenMP makes atomic.
const PRAGMA: &str = "#pragma omp atomic";

type Text = Option<Arc<[Arc<str>]>>;

/// A file, a line and a column.
pub(crate) type Place = (String, u32, u32);

/// The files of a program's source, as far as they were asked for.
#[derive(Default)]
pub(crate) struct Sources {
    files: RwLock<HashMap<String, Text>>,
    /// The macros that each of them sees.
    macros: RwLock<HashMap<String, Arc<Macros>>>,
    /// Whether accesses to volatile objects count as atomic.
    pub volatile: bool,
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
        let at = |line: u32| (line as usize).checked_sub(1).and_then(|at| lines.get(at));
        let Some(own) = at(line) else { return Said::Nothing };
        let place = |column| (Arc::from(file.as_str()), line, column);
        let statement = |kind, text: &Arc<str>| {
            let text = Arc::clone(text);
            Said::Call(Call { text, place: place(0), kind, by_address: false })
        };
        if openmp(image, eip) {
            // Compilers give what an update begins with to the line of the pragma.
            let behind = (line + 1..).map_while(at).find(|text| !is_remark(text));
            if let (Some(kind), Some(next)) = (pragma(own), behind) {
                return statement(kind, next);
            }
            if reduces((line..).map_while(at)) {
                return statement(Kind::Merge, own);
            }
            let mut above = (1..line).rev().map_while(at).filter(|text| !is_remark(text));
            let mut before = above.next();
            // The preprocessor may have left the pragma out.
            let mut conditional = false;
            while before.is_some_and(|text| is_condition(text)) {
                (before, conditional) = (above.next(), true);
            }
            let before = before.and_then(|text| pragma(text));
            if conditional && before.is_some() {
                return Said::Nothing;
            }
            // What stands after the statement on its line is another one.
            let ends = own.find(';').unwrap_or(own.len());
            if let Some(kind) = before.filter(|_| column.is_none_or(|it| it as usize <= ends + 1)) {
                return statement(kind, own);
            }
        }
        let next = lines.get(line as usize..).unwrap_or_default();
        let Some(column) = column.filter(|&column| column > 0) else {
            return self.somewhere(&file, own);
        };
        let Some(text) = called_at(own, column as usize - 1) else { return Said::Other };
        let text = whole_call(text, next);
        let call = |text: &str, kind| {
            let by_address = kind != Kind::Assembly;
            Said::Call(Call { text: Arc::from(text), place: place(column), kind, by_address })
        };
        if let Some(kind) = operation(&text) {
            return call(&text, kind);
        }
        match self.macros(&file).expand(&text) {
            Some(stands_for) => match &operations(&stands_for)[..] {
                [] => Said::Other,
                [(kind, at)] => call(&stands_for[*at..], *kind),
                // Which access is whose cannot be seen.
                _ => Said::Nothing,
            },
            None => Said::Other,
        }
    }

    /// The file, the line and the column of an instruction; the column is 0 where it is not known.
    pub fn place(image: &Image, eip: u32) -> Option<Place> {
        let frame = image.lines.frames(eip).into_iter().next()?;
        let Frame { file: Some(file), line: Some(line), column, .. } = frame else { return None };
        Some((file, line, column.unwrap_or(0)))
    }

    /// The statement around a place, with its macros written out.
    pub fn statement(&self, (file, line, column): &Place) -> Option<Statement> {
        let found = statements::around(&self.lines(file)?, *line, *column)?;
        Some(Statement { text: self.macros(file).expand_all(&found.text), ..found })
    }

    /// What a line says of which no column is known: an operation on it may be any of its accesses.
    fn somewhere(&self, file: &str, own: &str) -> Said {
        let text = self.macros(file).expand_all(own);
        if operations(&text).is_empty() { Said::Other } else { Said::Nothing }
    }

    /// Whether an instruction accesses a part of a variable though its line names only the whole, as a copy of
    /// a struct does; or initialises it by `atomic_init`. That is no atomic access in C, whatever the part is.
    pub fn is_of_whole(&self, image: &Image, eip: u32, whole: &str, part: &str) -> bool {
        let Some((file, text, column)) = self.line(image, eip) else { return false };
        let here = column.and_then(|column| text.get((column as usize).checked_sub(1)?..));
        if here.is_some_and(|here| words(here).next() == Some("atomic_init")) {
            return true;
        }
        let code = without_comments(&text);
        let has = |name: &str| words(&code).any(|word| word == name);
        has(whole) && !has(part) && !self.uses_macros(&file, &code)
    }

    /// The same for parts that are reached by a pointer: the line names a member that contains them (`outer`), or
    /// what a name `points` to.
    pub fn copies_whole(
        &self,
        image: &Image,
        eip: u32,
        parts: &[&str],
        outer: &[&str],
        points: impl Fn(&str) -> bool,
    ) -> bool {
        const COPIERS: [&str; 4] = ["memcpy", "memmove", "__builtin_memcpy", "__builtin_memmove"];
        let Some((file, text, _)) = self.line(image, eip) else { return false };
        let code = without_comments(&text);
        let has = |name: &str| words(&code).any(|word| word == name);
        let copied = || COPIERS.into_iter().any(has) && words(&code).any(&points);
        !parts.iter().any(|part| has(part))
            && !self.uses_macros(&file, &code)
            && (outer.iter().any(|it| has(it))
                || wholes(&code).into_iter().any(&points)
                || copied())
    }

    /// The names through which the line of an instruction accesses what they point to as a whole.
    pub fn wholes(&self, image: &Image, eip: u32) -> Vec<String> {
        let code = self.line(image, eip).map(|(_, text, _)| without_comments(&text));
        wholes(&code.unwrap_or_default()).into_iter().map(str::to_owned).collect()
    }

    /// All names on the line of an instruction.
    pub fn names(&self, image: &Image, eip: u32) -> Vec<String> {
        let code = self.line(image, eip).map(|(_, text, _)| without_comments(&text));
        words(&code.unwrap_or_default()).map(str::to_owned).collect()
    }

    /// Whether the line of an instruction names nothing that a text names.
    pub fn leaves_out(&self, image: &Image, eip: u32, text: &str) -> bool {
        let Some((file, line, _)) = self.line(image, eip) else { return false };
        let code = without_comments(&line);
        let begins = |word: &&str| !word.starts_with(|it: char| it.is_ascii_digit());
        !self.uses_macros(&file, &code)
            && words(text).filter(begins).all(|name| words(&code).all(|word| word != name))
    }

    /// Whether a text uses a macro that a file sees.
    fn uses_macros(&self, file: &str, code: &str) -> bool {
        let macros = self.macros(file);
        words(code).any(|word| macros.defines(word))
    }

    /// The file and the text of the line of an instruction, and its column there.
    fn line(&self, image: &Image, eip: u32) -> Option<(String, Arc<str>, Option<u32>)> {
        let frame = image.lines.frames(eip).into_iter().next()?;
        let Frame { file: Some(file), line: Some(line), column, .. } = frame else { return None };
        let text = Arc::clone(self.lines(&file)?.get((line as usize).checked_sub(1)?)?);
        Some((file, text, column))
    }

    /// The macros that a file sees.
    fn macros(&self, file: &str) -> Arc<Macros> {
        let known = self.macros.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(macros) = known.get(file) {
            return Arc::clone(macros);
        }
        drop(known);
        let mut macros = Macros::default();
        self.add_macros(file, DEEPEST, &mut macros);
        let mut known = self.macros.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(file.to_owned()).or_insert_with(|| Arc::new(macros)))
    }

    fn add_macros(&self, file: &str, depth: usize, macros: &mut Macros) {
        let Some(lines) = self.lines(file) else { return };
        if depth > 0 {
            for name in lines.iter().filter_map(|line| included(line)) {
                let path = Path::new(file).with_file_name(name);
                self.add_macros(&path.to_string_lossy(), depth - 1, macros);
            }
        }
        macros.add(&lines);
    }

    fn lines(&self, file: &str) -> Text {
        let known = self.files.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(lines) = known.get(file) {
            return lines.clone();
        }
        drop(known);
        let text = read_regular(Path::new(file), LARGEST).ok();
        let lines = text.map(|text| {
            let text = String::from_utf8_lossy(&text);
            text.lines().map(Arc::from).collect::<Arc<[Arc<str>]>>()
        });
        let mut known = self.files.write().unwrap_or_else(PoisonError::into_inner);
        known.entry(file.to_owned()).or_insert(lines).clone()
    }
}

/// Whether the compiler took notice of OpenMP where an instruction comes from.
fn openmp(image: &Image, eip: u32) -> bool {
    let declared = image.declarations.get().ok();
    declared.and_then(|it| it.function_at(eip)).is_some_and(|function| function.openmp)
}

/// A line without what is said beside the code.
fn without_comments(line: &str) -> String {
    let mut code = String::new();
    let mut rest = line.split_once("//").map_or(line, |(before, _)| before);
    while let Some((before, behind)) = rest.split_once("/*") {
        code += before;
        code.push(' ');
        rest = behind.split_once("*/").map_or("", |(_, behind)| behind);
    }
    code + rest
}

/// The names and numbers of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|word| !word.is_empty())
}

/// The names through which a text accesses what they point to as a whole: `*p` and `p[i]`, unless a member
/// follows.
fn wholes(code: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = code;
    for name in words(code) {
        let Some((before, behind)) = rest.split_once(name) else { break };
        rest = behind;
        let mut behind = behind.trim_start();
        let starred = before.trim_end().ends_with('*');
        let mut element = false;
        while behind.starts_with('[') {
            let Some(end) = matching(behind) else { break };
            (behind, element) = (behind[end + 1..].trim_start(), true);
        }
        if (starred || element) && !behind.starts_with('.') && !behind.starts_with("->") {
            names.push(name);
        }
    }
    names
}

/// Where the bracket closes with which a text begins.
fn matching(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.find(|letter: char| {
        depth += i32::from(letter == '[') - i32::from(letter == ']');
        depth == 0
    })
}

/// What stands at a place of a line. Of a call, g++ gives the place of its parenthesis: then it begins with
/// what is called.
fn called_at(line: &str, at: usize) -> Option<&str> {
    let text = line.get(at..)?;
    let before = line[..at].trim_end();
    let is_letter = |it: char| it.is_alphanumeric() || it == '_';
    let name = before.trim_end_matches(is_letter).len();
    if text.starts_with('(') && name < before.len() { line.get(name..) } else { Some(text) }
}

/// A text that begins with a call, with as many of the next lines as belong to it.
fn whole_call(text: &str, next: &[Arc<str>]) -> String {
    let mut whole = text.to_owned();
    let begins = text.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(text.len());
    let begins = assembly::opens(text).unwrap_or(begins);
    let is_call = |rest: &str| rest.trim_start().is_empty() || rest.trim_start().starts_with('(');
    if begins > 0 && is_call(&text[begins..]) {
        for line in next.iter().take(LINES) {
            if closing(&whole[begins..]).is_some() {
                break;
            }
            whole.push(' ');
            whole += line.trim();
        }
    }
    whole
}

/// The operations that are called in a text, and where.
fn operations(text: &str) -> Vec<(Kind, usize)> {
    let is_letter = |it: char| it.is_alphanumeric() || it == '_';
    let begins = |at: usize| !text[..at].chars().next_back().is_some_and(is_letter);
    let positions = text.char_indices().map(|(at, _)| at).filter(|&at| begins(at));
    positions.filter_map(|at| Some((operation(&text[at..])?, at))).collect()
}

/// Whether some lines begin with a pragma of OpenMP by which threads add what they have to a variable.
fn reduces<'a>(lines: impl Iterator<Item = &'a Arc<str>>) -> bool {
    let mut goes_on = true;
    let own = lines.take_while(|line| std::mem::replace(&mut goes_on, line.ends_with('\\')));
    let text: String = own.map(|line| &**line).collect();
    let mut words = text.split_whitespace();
    let clause = |it: &str| it.trim_start().starts_with('(');
    words.next() == Some("#pragma")
        && words.next() == Some("omp")
        && text.split("reduction").skip(1).any(clause)
}

/// Whether a line says nothing to the compiler.
fn is_remark(text: &str) -> bool {
    text.trim().is_empty() || text.trim_start().starts_with("//")
}

/// Whether a line is a condition of the preprocessor.
fn is_condition(text: &str) -> bool {
    let directive = text.trim_start().strip_prefix('#').map(str::trim_start);
    directive.is_some_and(|it| ["if", "el", "end"].iter().any(|begin| it.starts_with(begin)))
}

/// What an OpenMP pragma makes of the statement after it.
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
    if assembly::moves_memory(text) {
        return Some(Kind::Assembly);
    }
    if !rest.trim_start().starts_with('(') {
        return None;
    }
    let plain = PLAIN.iter().find(|(own, _)| *own == name).map(|&(_, kind)| kind);
    plain.or_else(|| OTHERS.iter().any(|begin| name.starts_with(begin)).then_some(Kind::Update))
}

impl Call {
    /// The variable whose address is the first argument, and whether the argument goes on after its
    /// name.
    pub fn variable(&self) -> Option<(&str, bool)> {
        let mut argument = self.argument()?.strip_prefix('&')?.trim();
        while let Some(inside) = argument.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
            argument = inside.trim();
        }
        let end = argument.find(|it: char| !it.is_alphanumeric() && it != '_');
        let (name, rest) = argument.split_at(end.unwrap_or(argument.len()));
        match rest.trim_start().chars().next() {
            None => Some((name, false)),
            Some('.' | '[') => Some((name, true)),
            Some(_) => None,
        }
    }

    /// The variable that is the first argument, which is an address.
    pub fn pointer(&self) -> Option<&str> {
        let argument = self.argument()?;
        let is_name = argument.chars().all(|it| it.is_alphanumeric() || it == '_');
        (is_name && !argument.is_empty()).then_some(argument)
    }

    /// Whether the first argument is the address of a part of what a pointer points to.
    pub fn follows_pointer(&self) -> bool {
        self.argument().is_some_and(|argument| argument.contains("->"))
    }

    /// The first argument.
    fn argument(&self) -> Option<&str> {
        let (_, inside) = self.text.split_once('(')?;
        let mut depth = 0;
        let end = inside.find(|letter: char| {
            depth += i32::from("([".contains(letter)) - i32::from(")]".contains(letter));
            depth < 0 || letter == ',' && depth == 0
        })?;
        Some(without_casts(inside[..end].trim()))
    }
}

/// An address without the types to which it is cast, and without parentheses around it.
fn without_casts(argument: &str) -> &str {
    let mut rest = argument;
    while let Some(end) = closing(rest) {
        let behind = rest.get(end + 1..).map_or("", str::trim_start);
        let is_address = |it: char| it == '&' || it == '(' || it == '_' || it.is_alphabetic();
        rest = match behind {
            "" => rest.get(1..end).map_or("", str::trim),
            _ if behind.starts_with(is_address) => behind,
            _ => break,
        };
    }
    rest
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
        assert_eq!(variable("__atomic_load_n(&(x), 5)"), Some(("x".to_owned(), false)));
        assert_eq!(variable("__atomic_load_n(&a[f(1, 2)], 5)"), Some(("a".to_owned(), true)));
        assert_eq!(variable("atomic_load((_Atomic int *)&x)"), Some(("x".to_owned(), false)));
        assert_eq!(variable("atomic_load((T)(U *)(&x.a))"), Some(("x".to_owned(), true)));
        assert_eq!(variable("atomic_load((p)->x)"), None);
    }

    #[test]
    fn wholes_are_what_no_member_follows() {
        assert_eq!(wholes("*q = *p;"), ["q", "p"]);
        assert_eq!(wholes("q[i + k[1]] = p[2].next[0]; f(*r, s)"), ["q", "k", "next", "r"]);
        assert_eq!(wholes("x = *p->q + (*r).s + t.u;"), ["r"]);
    }

    #[test]
    fn comments_are_no_code() {
        assert_eq!(without_comments("a = b; // c"), "a = b; ");
        assert_eq!(without_comments("a /* b */ = c; /* d"), "a   = c;  ");
    }

    #[test]
    fn a_call_may_take_several_lines() {
        let next: Vec<Arc<str>> = ["  &x,", "  1);  y = 2;", "z();"].map(Arc::from).to_vec();
        assert_eq!(whole_call("__atomic_store_n(", &next), "__atomic_store_n( &x, 1);  y = 2;");
        assert_eq!(whole_call("f(1); g(", &next), "f(1); g(");
        assert_eq!(whole_call("x = f(", &next), "x = f(");
    }

    #[test]
    fn operations_are_found_in_a_text() {
        let text = "({ int v = __atomic_load_n(&x, 5); my__atomic_load_n(3); v; })";
        assert_eq!(operations(text), [(Kind::Load, 11)]);
        assert_eq!(
            operations("while (!__sync_bool_compare_and_swap(p, 0, 1)) atomic_load(p);").len(),
            2
        );
    }
}
