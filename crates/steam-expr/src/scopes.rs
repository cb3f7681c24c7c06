//! Namespaces, classes and files as people write them before a name.

/// Says whether the end of a scope is what was written: `b::c` fits `a::b::c`.
pub fn fits<T: AsRef<str>>(scope: &[&str], written: &[T]) -> bool {
    written.len() <= scope.len()
        && scope[scope.len() - written.len()..]
            .iter()
            .zip(written)
            .all(|(own, it)| tight(own).eq(tight(it.as_ref())))
}

/// A name without blanks: people and compilers put them differently between the arguments of a template.
fn tight(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(|letter| !letter.is_whitespace())
}

/// Returns the names between `::`, but for those within the arguments of a template; without namespaces
/// that have no name, which no user can write.
pub fn parts(scope: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0usize);
    for (at, letter) in scope.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ':' if depth == 0 && at >= start && scope[at..].starts_with("::") => {
                parts.push(&scope[start..at]);
                start = at + 2;
            }
            _ => {}
        }
    }
    parts.extend(Some(&scope[start..]).filter(|last| !last.is_empty()));
    parts.retain(|part| *part != "(anonymous namespace)");
    parts
}

/// Says whether a file is the one that the user wrote: its whole path or the end of it.
pub fn is_file(file: &str, written: &str) -> bool {
    let before = file.strip_suffix(written);
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_cut_between_names() {
        assert_eq!(parts(""), Vec::<&str>::new());
        assert_eq!(parts("a"), ["a"]);
        assert_eq!(parts("a::b::c"), ["a", "b", "c"]);
        assert_eq!(
            parts("a::map<std::string, x<y::z> >::b"),
            ["a", "map<std::string, x<y::z> >", "b"]
        );
        assert_eq!(parts("a::(anonymous namespace)::b"), ["a", "b"]);
    }

    #[test]
    fn blanks_make_no_other_scope() {
        assert!(fits(&["a", "map<x, y<z> >"], &["map<x,y<z>>"]));
        assert!(!fits(&["a", "map<x, y<z> >"], &["map"]) && !fits(&["a", "b"], &["a"]));
    }

    #[test]
    fn files_fit_by_their_last_parts() {
        assert!(is_file("/src/a.c", "a.c") && is_file("a.c", "a.c") && is_file("x/y/a.c", "y/a.c"));
        assert!(!is_file("/src/ba.c", "a.c") && !is_file("a.c", "x/a.c"));
    }
}
