//! How a type is written in C and C++.

use steam_image::{Keyword, Qualifier, TypeId, TypeKind, Types};

/// Types within types that are written out.
const DEEPEST: usize = 32;
/// Parameters that are written out: functions may take functions that take functions.
const PARAMETERS: usize = 8;

/// Returns a type as C writes it in a cast: `struct node *`, `int (*)[4]`, `void (*)(int)`.
pub fn type_name(types: &Types, type_id: TypeId) -> String {
    written(types, type_id, String::new(), DEEPEST)
}

/// A type around a declarator, which is what C writes at the place of the name.
fn written(types: &Types, type_id: TypeId, inner: String, depth: usize) -> String {
    let found = types.get(type_id);
    let Some(depth) = depth.checked_sub(1) else { return spaced("...", &inner) };
    let name = found.qualified_name();
    match &found.kind {
        TypeKind::Pointer(target) => written(types, *target, signed('*', &inner), depth),
        TypeKind::Reference(target) => written(types, *target, signed('&', &inner), depth),
        TypeKind::Array(element, count) => {
            let count = count.map(|count| count.to_string()).unwrap_or_default();
            let inner = format!("{}[{count}]", grouped(inner));
            written(types, *element, inner, depth)
        }
        TypeKind::Function(signature) => {
            let parameters = signature.parameters.iter().take(PARAMETERS);
            let mut texts: Vec<_> =
                parameters.map(|it| written(types, *it, String::new(), depth / 2)).collect();
            if signature.variadic || signature.parameters.len() > PARAMETERS {
                texts.push("...".to_owned());
            }
            if texts.is_empty() {
                texts.push("void".to_owned());
            }
            let inner = format!("{}({})", grouped(inner), texts.join(", "));
            written(types, signature.result, inner, depth)
        }
        TypeKind::Qualified(qualifier, target) => {
            let word = match qualifier {
                Qualifier::Const => "const",
                Qualifier::Volatile => "volatile",
                Qualifier::Atomic => "_Atomic",
                Qualifier::Restrict => "restrict",
            };
            match types.get(*target).kind {
                TypeKind::Pointer(_) => written(types, *target, spaced(word, &inner), depth),
                _ => format!("{word} {}", written(types, *target, inner, depth)),
            }
        }
        TypeKind::Aggregate(aggregate) => spaced(&tagged(aggregate.keyword, name), &inner),
        TypeKind::Declared(keyword, _) => spaced(&tagged(*keyword, name), &inner),
        TypeKind::Enum(_) => spaced(&tagged(Keyword::Enum, name), &inner),
        TypeKind::Typedef(_) | TypeKind::Base(_) | TypeKind::Void | TypeKind::Other(_) => {
            spaced(name.as_deref().unwrap_or("?"), &inner)
        }
    }
}

/// A sign before a declarator, apart from a word like `const`.
fn signed(sign: char, inner: &str) -> String {
    let word = inner.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    format!("{sign}{}{inner}", if word { " " } else { "" })
}

fn tagged(keyword: Keyword, name: Option<String>) -> String {
    if let (Keyword::Class, Some(name)) = (keyword, &name) {
        // Only C++ has classes, and there the word is left out.
        return name.clone();
    }
    format!("{} {}", keyword.word(), name.unwrap_or_else(|| "{...}".to_owned()))
}

/// A pointer's declarator must be in parentheses before `[` and `(`.
fn grouped(inner: String) -> String {
    match inner.starts_with(['*', '&']) {
        true => format!("({inner})"),
        false => inner,
    }
}

fn spaced(word: &str, inner: &str) -> String {
    match inner {
        "" => word.to_owned(),
        inner => format!("{word} {inner}"),
    }
}
