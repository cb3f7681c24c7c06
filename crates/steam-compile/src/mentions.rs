//! What the inputs of a compilation mention, with the files that they include: enough to know whether a program
//! uses functions of a verifier.
//!
//! Conditions of the preprocessor are not followed: what may be there counts as there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use steam_image::read_regular;

use crate::invocation::Invocation;

/// What programs mention that use functions of a verifier.
const FUNCTIONS: [&[u8]; 6] =
    [b"__VERIFIER_", b"reach_error", b"__CPROVER_", b"__ESBMC_", b"klee_", b"nondet_"];
/// How the names of its functions begin.
const VERIFIER: &[u8] = b"__VERIFIER_";
/// The attribute of functions that are inlined whatever options say.
const ALWAYS_INLINE: &[u8] = b"always_inline";
/// How the names of functions begin that are one step; two of them are none.
const ATOMIC: &[u8] = b"__VERIFIER_atomic_";
const NOT_ATOMIC: [&[u8]; 2] = [b"begin", b"end"];

/// Larger files are not looked into.
const LARGEST: u64 = 256 << 20;
/// So many files are read.
const MOST_FILES: usize = 500;

/// What the inputs mention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// A function of a verifier.
    pub verifier: bool,
    /// A function that is one step because its name says so.
    pub atomic: bool,
    /// A function that is always inlined.
    pub always_inline: bool,
}

impl Mentions {
    /// Reads the inputs of a command line, and what they include.
    pub fn of(invocation: &Invocation) -> Self {
        let mut found = Self::default();
        let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
        let mut pending: Vec<PathBuf> = invocation.files.clone();
        pending.extend(invocation.included.iter().cloned());
        while let Some(file) = pending.pop() {
            if !seen.insert(file.clone()) || seen.len() > MOST_FILES {
                continue;
            }
            let Ok(bytes) = read_regular(&file, LARGEST) else { continue };
            found.add(&bytes);
            for name in bytes.split(|&byte| byte == b'\n').filter_map(included) {
                let own = file.parent().map(Path::to_path_buf);
                let folders = own.iter().chain(&invocation.folders);
                pending.extend(folders.map(|folder| folder.join(name)).find(|it| it.is_file()));
            }
        }
        found
    }

    fn add(&mut self, bytes: &[u8]) {
        let has = |name: &[u8]| bytes.windows(name.len()).any(|part| part == name);
        self.verifier |= FUNCTIONS.iter().any(|name| has(name));
        self.always_inline |= has(ALWAYS_INLINE);
        // Where nothing follows, the preprocessor puts the name together.
        let one_step = |name: &[u8]| !NOT_ATOMIC.contains(&name);
        self.atomic |= behind(bytes, ATOMIC).any(one_step)
            || behind(bytes, VERIFIER).any(|name| name.is_empty());
    }
}

/// How the names go on that begin in some way.
fn behind<'a>(bytes: &'a [u8], begin: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let ends = (begin.len()..=bytes.len()).filter(move |&end| bytes[..end].ends_with(begin));
    ends.map(move |end| {
        let letter = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let rest = &bytes[end..];
        &rest[..rest.iter().take_while(letter).count()]
    })
}

/// The file that a line includes.
fn included(line: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(line).ok()?.trim_start().strip_prefix('#')?;
    let name = line.trim_start().strip_prefix("include")?.trim_start();
    let (inside, end) = match name.chars().next()? {
        '"' => (&name[1..], '"'),
        '<' => (&name[1..], '>'),
        _ => return None,
    };
    inside.split_once(end).map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn what_is_included_counts() {
        let scratch = Scratch::new().unwrap();
        let write = |name: &str, text: &str| std::fs::write(scratch.file(name), text).unwrap();
        write("plain.c", "int main(void) { return 0; }");
        write("value.c", "int main(void) { return __VERIFIER_nondet_int(); }");
        write("section.c", "void f(void) { __VERIFIER_atomic_begin(); __VERIFIER_atomic_end(); }");
        write("pasted.c", "#define STEP(name) static void __VERIFIER_atomic_##name(void)\n");
        write("joined.c", "#define STEP(name) CAT(__VERIFIER_, name)\n");
        write("always.c", "static inline __attribute__((always_inline)) void f(void) {}\n");
        write("far.c", " #  include \"near.h\"\n#include <absent.h>\n");
        write("near.h", "#include \"near.h\"\nstatic void __VERIFIER_atomic_add(int n);");
        let of = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(|word| word.into()).collect();
            let mentions = Mentions::of(&Invocation::read(&words));
            (mentions.verifier, mentions.atomic)
        };
        let file = |name: &str| scratch.file(name).to_str().unwrap().to_owned();
        assert_eq!(of(&[&file("plain.c"), &file("missing.c")]), (false, false));
        assert_eq!(of(&[&file("value.c")]), (true, false));
        assert_eq!(of(&[&file("section.c")]), (true, false));
        assert_eq!(of(&[&file("far.c")]), (true, true));
        assert_eq!(of(&[&file("pasted.c")]), (true, true));
        assert_eq!(of(&[&file("joined.c")]), (true, true));
        let always = [OsString::from(file("always.c"))];
        assert!(Mentions::of(&Invocation::read(&always)).always_inline);
        assert_eq!(of(&[&file("plain.c"), "-include", &file("near.h")]), (true, true));
        write("other.c", "#include <near.h>");
        let folder = file("near.h").replace("/near.h", "");
        std::fs::create_dir(scratch.file("sub")).unwrap();
        write("sub/other.c", "#include <near.h>");
        assert_eq!(of(&[&file("sub/other.c")]), (false, false));
        assert_eq!(of(&[&file("sub/other.c"), &format!("-I{folder}")]), (true, true));
        assert_eq!(of(&[&file("sub/other.c"), "-isystem", &folder]), (true, true));
    }
}
