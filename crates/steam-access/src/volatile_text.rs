//! What a statement of the source accesses as a volatile object by a cast, and what it accesses beside.
//!
//! `*(volatile int *)&x`, `((volatile struct s *)p)->a`, `*const_cast<volatile T *>(&v)` and what macros such as
//! `ACCESS_ONCE` stand for. Debug information describes the object `x`, which is not volatile, and says nothing of
//! the cast. So the text is taken apart into tokens; it is not parsed as C: what is not understood counts as a
//! plain access.

use crate::statements::string_length;

/// How an expression uses a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Direction {
    pub reads: bool,
    pub writes: bool,
}

/// An object by the last name on the way to it: `next` of `table[3].next`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub name: String,
    /// Whether it is an element of what has that name.
    pub element: bool,
}

/// What a statement accesses.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Accesses {
    /// By a cast to a volatile type; without a name where a pointer leads there.
    pub casts: Vec<(Option<Named>, Direction)>,
    /// The names that are used beside, be it as a pointer or as an index of the above.
    pub others: Vec<(String, Direction)>,
    /// Whether a pointer is followed beside.
    pub follows: bool,
}

const READ: Direction = Direction { reads: true, writes: false };
const WRITE: Direction = Direction { reads: false, writes: true };
const BOTH: Direction = Direction { reads: true, writes: true };

const VOLATILE: [&str; 3] = ["volatile", "__volatile__", "__volatile"];
const CASTS: [&str; 3] = ["const_cast", "static_cast", "reinterpret_cast"];
/// What these say of an expression is not evaluated.
const UNEVALUATED: [&str; 8] = [
    "typeof",
    "__typeof__",
    "__typeof",
    "sizeof",
    "_Alignof",
    "alignof",
    "decltype",
    "__builtin_types_compatible_p",
];
const OPERATORS: [&str; 20] = [
    "<<=", ">>=", "->", "++", "--", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=",
    "|=", "^=", "&&", "||", "::",
];

impl Direction {
    /// Whether an access of one direction may be the one that is meant.
    pub fn covers(self, writes: bool) -> bool {
        if writes { self.writes } else { self.reads }
    }

    /// The direction by what stands before and after an expression.
    fn by_neighbours(before: &str, behind: &str) -> Self {
        let compound = behind.len() > 1
            && behind.ends_with('=')
            && !matches!(behind, "==" | "!=" | "<=" | ">=");
        match behind {
            "=" => WRITE,
            _ if compound || matches!(behind, "++" | "--") => BOTH,
            _ if matches!(before, "++" | "--") => BOTH,
            _ => READ,
        }
    }
}

impl Accesses {
    /// Takes a statement apart in which macros are written out; some names are declared as pointers to volatile
    /// objects.
    pub fn of(text: &str, is_pointer: impl Fn(&str) -> bool) -> Self {
        let tokens = Tokens(tokens(text));
        let mut found = Self::default();
        let mut taken = vec![false; tokens.0.len()];
        let mut within = taken.clone();
        for at in 0..tokens.0.len() {
            if let Some(cast) = tokens.cast(at) {
                taken[cast.type_from..cast.type_to].fill(true);
                if let Some((direction, named)) = tokens.access(&cast) {
                    within[cast.operand.0..cast.operand.1].fill(true);
                    if let Some((_, at)) = &named {
                        taken[*at] = true;
                    }
                    found.casts.push((named.map(|(named, _)| named), direction));
                }
            }
        }
        let mut at = 0;
        while at < tokens.0.len() {
            let word = tokens.get(at);
            let group = UNEVALUATED.contains(&word).then(|| tokens.closing(at + 1)).flatten();
            if let Some(end) = group {
                at = end;
            } else if is_name(word) && !taken[at] && is_pointer(word) && tokens.is_followed(at) {
                let end = at + 1;
                let cast = Cast {
                    from: at,
                    type_from: at,
                    type_to: end,
                    operand: (at, end),
                    end,
                    reference: false,
                };
                let access = tokens.access(&cast);
                found
                    .casts
                    .extend(access.map(|(direction, named)| (named.map(|it| it.0), direction)));
                found.others.push((word.to_owned(), READ));
            } else if is_name(word) && !taken[at] && !tokens.is_address(at) {
                found.others.push((word.to_owned(), tokens.direction(at)));
                found.follows |= !within[at] && tokens.is_followed(at);
            }
            at += 1;
        }
        found
    }
}

/// A cast to a pointer or reference to a volatile type.
struct Cast {
    /// Where it begins.
    from: usize,
    /// The tokens of the type.
    type_from: usize,
    type_to: usize,
    /// The tokens of what is cast.
    operand: (usize, usize),
    /// After the last token.
    end: usize,
    reference: bool,
}

struct Tokens<'a>(Vec<&'a str>);

impl<'a> Tokens<'a> {
    /// The token at a place, and nothing outside of the text.
    fn get(&self, at: usize) -> &'a str {
        self.0.get(at).copied().unwrap_or("")
    }

    fn before(&self, at: usize) -> &'a str {
        at.checked_sub(1).map_or("", |at| self.get(at))
    }

    /// Where the bracket closes that opens at a place.
    fn closing(&self, at: usize) -> Option<usize> {
        let close = match self.get(at) {
            "(" => ")",
            "[" => "]",
            "<" => ">",
            _ => return None,
        };
        let open = self.get(at);
        let mut depth = 0usize;
        (at..self.0.len()).find(|&it| {
            depth += usize::from(self.get(it) == open);
            depth -= usize::from(self.get(it) == close);
            depth == 0
        })
    }

    /// Whether some tokens are a type that points or refers to a volatile one: what the last `*` or `&` stands
    /// after is volatile.
    fn is_volatile_type(&self, from: usize, to: usize) -> Option<bool> {
        let mut end = to;
        while end > from && matches!(self.get(end - 1), "const" | "restrict" | "__restrict") {
            end -= 1;
        }
        let last = end.checked_sub(1).filter(|&last| last >= from)?;
        let reference = match self.get(last) {
            "*" => false,
            "&" => true,
            _ => return None,
        };
        let mut at = from;
        let mut volatile = false;
        while at < last {
            match self.get(at) {
                word if VOLATILE.contains(&word) => volatile = true,
                // After this the pointer is meant, and no longer what it points to.
                "*" => volatile = false,
                // The type of an expression.
                "(" => at = self.closing(at)?,
                _ => {}
            }
            at += 1;
        }
        volatile.then_some(reference)
    }

    /// The cast that begins at a place.
    fn cast(&self, at: usize) -> Option<Cast> {
        if CASTS.contains(&self.get(at)) {
            let close = self.closing(at + 1)?;
            let reference = self.is_volatile_type(at + 2, close)?;
            let end = self.closing(close + 1)?;
            let operand = (close + 2, end);
            return Some(Cast {
                from: at,
                type_from: at,
                type_to: close + 1,
                operand,
                end: end + 1,
                reference,
            });
        }
        if self.get(at) != "(" || UNEVALUATED.contains(&self.before(at)) {
            return None;
        }
        let close = self.closing(at)?;
        let reference = self.is_volatile_type(at + 1, close)?;
        let end = self.unary(close + 1)?;
        let (type_from, type_to, operand) = (at, close + 1, (close + 1, end));
        Some(Cast { from: at, type_from, type_to, operand, end, reference })
    }

    /// Where what is cast begins, after further types to which it is cast before.
    fn after_casts(&self, at: usize) -> usize {
        let close = (self.get(at) == "(").then(|| self.closing(at)).flatten();
        match close {
            Some(close) if matches!(self.before(close), "*" | "const") => {
                self.after_casts(close + 1)
            }
            _ => at,
        }
    }

    /// The end of the operand of a cast that begins at a place.
    fn unary(&self, at: usize) -> Option<usize> {
        let mut at = at;
        at = self.after_casts(at);
        while matches!(self.get(at), "&" | "*") {
            at += 1;
        }
        let first = self.get(at);
        let mut end = match first {
            "(" => self.closing(at)? + 1,
            _ if CASTS.contains(&first) => self.closing(self.closing(at + 1)? + 1)? + 1,
            _ if is_word(first) => at + 1,
            _ => return None,
        };
        loop {
            end = match self.get(end) {
                "(" | "[" => self.closing(end)? + 1,
                "." | "->" | "::" => end + 2,
                _ => return Some(end),
            };
        }
    }

    /// What a cast accesses: the direction, and the last name with its place. None where nothing is accessed by it,
    /// but a pointer is handed over.
    fn access(&self, cast: &Cast) -> Option<(Direction, Option<(Named, usize)>)> {
        let (mut from, mut end) = (cast.from, cast.end);
        let mut reached = cast.reference;
        let operand = self.after_casts(cast.operand.0);
        let mut named = match (cast.reference, self.get(operand)) {
            (true, _) => self.last_name(operand, cast.operand.1),
            (false, "&") => self.last_name(operand + 1, cast.operand.1),
            (false, _) => None,
        };
        loop {
            let (before, behind) = (self.before(from), self.get(end));
            match behind {
                "->" | "." => {
                    let name = self.get(end + 1).to_owned();
                    named = Some((Named { name, element: false }, end + 1));
                    (reached, end) = (true, end + 2);
                }
                "[" => {
                    reached = true;
                    end = self.closing(end)? + 1;
                    if let Some((named, _)) = &mut named {
                        named.element = true;
                    }
                }
                _ if before == "*" && !reached => (reached, from) = (true, from - 1),
                // Around an expression, and not after the name of a function or an `if`.
                ")" if before == "("
                    && !is_word(from.checked_sub(2).map_or("", |at| self.get(at))) =>
                {
                    (from, end) = (from - 1, end + 1);
                }
                _ => break,
            }
        }
        reached.then(|| (Direction::by_neighbours(self.before(from), self.get(end)), named))
    }

    /// The last name on the way to an object, and its place; none where a pointer leads there.
    fn last_name(&self, from: usize, to: usize) -> Option<(Named, usize)> {
        let (mut from, mut to) = (from, to);
        while self.get(from) == "(" && self.closing(from) == Some(to - 1) {
            (from, to) = (from + 1, to - 1);
        }
        let mut found = None;
        let mut element = false;
        let mut at = from;
        while at < to {
            match self.get(at) {
                "[" => {
                    element = true;
                    at = self.closing(at)?;
                }
                "." | "->" | "::" => (found, element) = (None, false),
                // `(*p).x` and `(q)->x`.
                "(" if found.is_none() => at = self.closing(at)?,
                word if is_word(word) && found.is_none() => found = Some(at),
                _ => return None,
            }
            at += 1;
        }
        found.map(|at| (Named { name: self.get(at).to_owned(), element }, at))
    }

    /// Whether the pointer at a place is followed, and not multiplied with.
    fn is_followed(&self, at: usize) -> bool {
        let starred = self.before(at) == "*" && !self.ends_operand(at.wrapping_sub(2));
        starred || matches!(self.get(at + 1), "->" | "[")
    }

    /// Whether only the address is taken of what has the name at a place.
    fn is_address(&self, at: usize) -> bool {
        let mut first = at;
        while self.before(first) == "(" && !is_word(self.get(first.wrapping_sub(2))) {
            first -= 1;
        }
        let plain = !matches!(self.get(at + 1), "->" | "[" | "(");
        plain && self.before(first) == "&" && !self.ends_operand(first.wrapping_sub(2))
    }

    /// Whether a sign after a token stands between two operands.
    fn ends_operand(&self, at: usize) -> bool {
        let token = self.get(at);
        is_word(token) || matches!(token, ")" | "]")
    }

    /// How the name at a place is used.
    fn direction(&self, at: usize) -> Direction {
        let mut end = at + 1;
        while self.get(end) == "[" {
            match self.closing(end) {
                Some(close) => end = close + 1,
                None => break,
            }
        }
        Direction::by_neighbours(self.before(at), self.get(end))
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|it: char| it.is_alphanumeric() || it == '_') && token != "return"
}

fn is_name(token: &str) -> bool {
    is_word(token) && !token.starts_with(|it: char| it.is_ascii_digit())
}

/// The words and signs of a text; a string is one.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let letter = |it: char| it.is_alphanumeric() || it == '_';
        let length = match first {
            _ if letter(first) => rest.find(|it| !letter(it)).unwrap_or(rest.len()),
            '"' | '\'' => string_length(rest, first),
            _ => OPERATORS
                .iter()
                .find(|sign| rest.starts_with(**sign))
                .map_or(first.len_utf8(), |sign| sign.len()),
        };
        found.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The casts of a text: `r x`, `w`, `b x[]`.
    fn casts(text: &str) -> Vec<String> {
        let describe = |(named, direction): (Option<Named>, Direction)| {
            let how = match (direction.reads, direction.writes) {
                (true, false) => "r",
                (false, true) => "w",
                _ => "b",
            };
            let named =
                named.map(|it| format!(" {}{}", it.name, if it.element { "[]" } else { "" }));
            format!("{how}{}", named.unwrap_or_default())
        };
        Accesses::of(text, |name| name == "vp").casts.into_iter().map(describe).collect()
    }

    #[test]
    fn casts_name_what_they_access() {
        for (text, expected) in [
            ("int r = (*(volatile typeof(x) *)&(x));", &["r x"][..]),
            ("(*(volatile typeof(x) *)&(x)) = g;", &["w x"]),
            ("(*(volatile typeof(x) *)&(x))++;", &["b x"]),
            ("++*(volatile int *)&x;", &["b x"]),
            ("*(volatile int *)&x += *(int volatile *)&g;", &["b x", "r g"]),
            ("r = *(__volatile__ int *)&s.b.c;", &["r c"]),
            ("r = *(const volatile int *)&gp->t[i].b;", &["r b"]),
            ("r = *(volatile int *)&t[i];", &["r t[]"]),
            ("r = *(volatile int *)p;", &["r"]),
            ("r = *(volatile int *)(void *)&x;", &["r x"]),
            ("r = (*(volatile typeof(*p) *)&(*p));", &["r"]),
            ("((volatile struct s *)p)->a = 3;", &["w a"]),
            ("r = ((volatile int *)p)[i];", &["r"]),
            ("f(*((volatile int *)&x)) ;", &["r x"]),
            ("if (*(volatile int *)&x) ++y;", &["r x"]),
            ("return *const_cast<volatile T *>(&v);", &["r v"]),
            ("*const_cast<volatile T *>(&v) = n;", &["w v"]),
            ("const_cast<volatile int &>(a.arr[1]) = 2;", &["w arr[]"]),
            ("r += *vp;", &["r"]),
            ("*vp = 3;", &["w"]),
            ("vp[1]++;", &["b"]),
            ("vp->next = 0;", &["w next"]),
            ("r = a *vp;", &[]),
            ("vp = q;", &[]),
            ("f((volatile int *)&x);", &[]),
            ("volatile int *p = &x;", &[]),
            ("r = *(int *volatile)&x;", &[]),
            ("void f(volatile int *p) { *p = 1; }", &[]),
            ("asm volatile(\"*(volatile int *)&x\" : : : \"memory\");", &[]),
        ] {
            assert_eq!(casts(text), expected, "{text}");
        }
    }

    #[test]
    fn other_names_are_kept_apart() {
        let others = |text: &str| {
            let found = Accesses::of(text, |name| name == "vp").others.into_iter();
            found.map(|(name, it)| (name, it.reads, it.writes)).collect::<Vec<_>>()
        };
        let uses = |list: &[(&str, bool, bool)]| {
            list.iter().map(|&(name, r, w)| (name.to_owned(), r, w)).collect::<Vec<_>>()
        };
        assert_eq!(others("*(volatile typeof(x) *)&(x) = x + 1;"), uses(&[("x", true, false)]));
        assert_eq!(
            others("g[1] = *(volatile int *)&gp->a[i];"),
            uses(&[("g", false, true), ("gp", true, false), ("i", true, false)])
        );
        assert_eq!(others("r = sizeof(x);"), uses(&[("r", false, true)]));
        assert_eq!(others("(&(x), y & z)"), uses(&[("y", true, false), ("z", true, false)]));
    }

    #[test]
    fn other_pointers_are_seen() {
        let follows = |text: &str| Accesses::of(text, |name| name == "vp").follows;
        assert!(follows("r = *q + *(volatile int *)&y;"));
        assert!(follows("q->a = *vp;") && follows("r = t[1] + *vp;"));
        assert!(!follows("r = a * b + *vp;") && !follows("r = *(volatile int *)&q->a[i];"));
    }

    #[test]
    fn any_text_is_taken_apart() {
        for text in
            ["", "(", "*(volatile", "*(volatile int *)", "const_cast<volatile", "'", "\"\\", "é(é"]
        {
            assert_eq!(casts(text), [""; 0], "{text}");
        }
    }
}
