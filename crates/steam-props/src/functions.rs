//! Functions as people name them: without return type and parameters, and without the arguments of
//! templates unless those are written.

use steam_expr::{fits, nearest, parts};
use steam_image::{Image, SymbolKind};

/// Whether a function, whose name is that of the debugging information, is the one that the user wrote.
pub(crate) fn is_meant(function: &str, written: &str) -> bool {
    let name = bare(function, written.contains('<'));
    fits(&parts(&name), &parts(written))
}

/// Whether a program has a function; the error names one that is near.
pub(crate) fn is_known(image: &Image, written: &str) -> Result<(), String> {
    let functions = || {
        let symbols = image.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Function);
        symbols.map(|it| steam_image::demangle(&it.name))
    };
    if functions().any(|name| is_meant(&name, written)) {
        return Ok(());
    }
    let all: Vec<String> = functions().map(|name| bare(&name, false)).collect();
    let near = nearest(written, all.iter().map(String::as_str));
    Err(format!("the program has no function `{written}`{near}"))
}

/// A name without return type and parameters; the arguments of templates are kept if that is said.
fn bare(name: &str, with_arguments: bool) -> String {
    // The names of operators hold brackets that open nothing.
    if name.contains("operator") || name.contains("{lambda") {
        return name.to_owned();
    }
    let name = name.replace("(anonymous namespace)::", "");
    let mut bare = String::new();
    let mut depth = 0usize;
    for letter in name.chars() {
        let outside = depth == 0;
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '(' if outside => break,
            // What stood before is the type that is returned.
            ' ' if outside => {
                bare.clear();
                continue;
            }
            _ => {}
        }
        if with_arguments || outside && letter != '<' {
            bare.push(letter);
        }
    }
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_named_with_and_without_their_arguments() {
        let name = "unsigned int n::K<int>::id<long, n::P<int> >(long)";
        for written in
            ["id", "K::id", "n::K::id", "id<long, n::P<int> >", "K<int>::id<long, n::P<int> >"]
        {
            assert!(is_meant(name, written), "{written}");
        }
        for written in ["K", "int", "id<int>", "n::id", "d"] {
            assert!(!is_meant(name, written), "{written}");
        }
        assert!(is_meant("main", "main") && is_meant("(anonymous namespace)::f(int)", "f"));
        assert!(is_meant("int n::(anonymous namespace)::f(int)", "n::f"));
    }
}
