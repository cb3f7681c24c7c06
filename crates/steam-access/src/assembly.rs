//! Accesses that the text of the source makes by instructions of inline assembly.
//!
//! `__asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*place))` is how old code and libraries for several
//! compilers write an atomic load: a single `mov` that the compiler neither leaves out nor repeats. What
//! changes memory without a `lock` prefix is no such thing.

/// The words with which inline assembly begins.
const WORDS: [&str; 3] = ["asm", "__asm__", "__asm"];
/// What may stand after them.
const QUALIFIERS: [&str; 6] =
    ["volatile", "__volatile__", "__volatile", "inline", "__inline__", "goto"];

fn word(text: &str) -> &str {
    let end = text.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(text.len());
    &text[..end]
}

/// Where the parenthesis of inline assembly opens with which a text begins.
pub(crate) fn opens(text: &str) -> Option<usize> {
    if !WORDS.contains(&word(text)) {
        return None;
    }
    let mut at = word(text).len();
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let next = word(&text[at..]);
        if !QUALIFIERS.contains(&next) {
            break;
        }
        at += next.len();
    }
    text[at..].is_empty().then_some(at).or_else(|| text[at..].starts_with('(').then_some(at))
}

/// Says whether a text begins with inline assembly that moves something from or to memory, and does nothing else
/// with it.
pub(crate) fn moves_memory(text: &str) -> bool {
    let Some(inside) = opens(text).and_then(|at| text[at..].strip_prefix('(')) else {
        return false;
    };
    let (mut template, mut constraints) = (String::new(), String::new());
    let mut operands = false;
    let mut depth = 1;
    let mut rest = inside;
    while let Some(at) = rest.find(['"', ':', '(', ')']) {
        let found = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match found {
            b'"' => {
                let Some(end) = rest.find('"') else { return false };
                if operands { &mut constraints } else { &mut template }.push_str(&rest[..end]);
                rest = &rest[end + 1..];
            }
            b':' => operands = true,
            b'(' => depth += 1,
            _ => depth -= 1,
        }
        if depth == 0 {
            break;
        }
    }
    // Clobbers say "memory", which is no operand.
    let operand = constraints.replace("memory", "").contains('m') || template.contains("(%");
    let words = || template.split(|it: char| !it.is_alphanumeric());
    let is_move = |it: &str| matches!(it, "mov" | "movb" | "movw" | "movl" | "movq");
    operand && words().any(is_move) && !words().any(|word| word == "lock" || word == "xchg")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_told_from_other_instructions() {
        for (text, expected) in [
            (r#"__asm__ volatile("movl %1, %0" : "=q"(r) : "m"(*p) : "memory");"#, true),
            (r#"asm("mov" " %1, %0" : "=m"(*(int *)p) : "r"(v))"#, true),
            (r#"__asm volatile ("movl (%1), %0" : "=r"(r) : "r"(p))"#, true),
            (r#"asm volatile("movl %1, %0" : "=r"(r) : "r"(*p))"#, false),
            (r#"asm volatile("" : : "m"(x) : "memory")"#, false),
            (r#"asm volatile("mfence" ::: "memory")"#, false),
            (r#"asm volatile("incl %0" : "+m"(*p))"#, false),
            (r#"asm volatile("lock; movl %1, %0" : "=m"(*p) : "r"(v))"#, false),
            (r#"assembly("movl %1, %0" : "=m"(*p))"#, false),
            (r#"x = 1;"#, false),
        ] {
            assert_eq!(moves_memory(text), expected, "{text}");
        }
    }
}
