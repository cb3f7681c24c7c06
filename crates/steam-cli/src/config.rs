//! What is meant: the typed arguments become a plan, or a message that says what to type instead.

pub mod bench;
pub mod check;
pub mod claims;
pub mod output;
pub mod replay;
pub mod simulate;

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use anyhow::bail;
use steam_check::{Files, Guest, Origin};
use steam_compile::{Build, InputKind};

use crate::args::RunArguments;
use crate::input_file::is_regular;

/// What `steam run` is to do.
#[derive(Debug, PartialEq, Eq)]
pub struct RunPlan {
    /// Where the program comes from.
    pub program: Origin,
    /// What the guest gets.
    pub guest: Guest,
    /// Whether to say how many instructions were run.
    pub count: bool,
    /// Whether to look for uses of what was never written.
    pub uninitialised: bool,
}

/// Makes the plan of `steam run`.
pub fn run(typed: RunArguments) -> anyhow::Result<RunPlan> {
    let inherited = typed.env_inherit.then(std::env::vars_os);
    let environment = environment(inherited.into_iter().flatten(), typed.program.environment)?;
    let program = program(typed.inputs, typed.program.cc, &typed.program.cflags)?;
    let arguments = words(&program, typed.arguments);
    let files = Files::named(&typed.program.files)?;
    let guest = Guest { arguments, environment, stdin: typed.stdin, files };
    let uninitialised = !typed.no_uninitialised;
    Ok(RunPlan { program, guest, count: typed.count, uninitialised })
}

fn program(inputs: Vec<PathBuf>, compiler: Option<String>, flags: &str) -> anyhow::Result<Origin> {
    let programs: Vec<&PathBuf> =
        inputs.iter().filter(|input| InputKind::of(input) == InputKind::Other).collect();
    match (programs.as_slice(), inputs.as_slice()) {
        ([], _) => {
            for input in &inputs {
                is_regular(input)?;
            }
            Ok(Origin::Build(Build { inputs, compiler, flags: split_words(flags)? }))
        }
        ([_], [program]) => Ok(Origin::Executable(program.clone())),
        ([one, ..], _) => bail!(
            "{} is not a source, object or archive, and only one program can be run: \
             put the program's own arguments after `--`",
            one.display()
        ),
    }
}

/// The words of the guest: its own name, then what was typed.
fn words(program: &Origin, typed: Vec<OsString>) -> Vec<Vec<u8>> {
    let typed = typed.into_iter().map(OsString::into_vec);
    std::iter::once(program.guest_name()).chain(typed).collect()
}

/// The later setting of a variable wins; its place is that of the first.
fn environment(
    inherited: impl Iterator<Item = (OsString, OsString)>,
    added: Vec<OsString>,
) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut pairs: Vec<(Vec<u8>, Vec<u8>)> =
        inherited.map(|(key, value)| (key.into_vec(), value.into_vec())).collect();
    for text in added {
        let bytes = text.as_bytes();
        let Some(at) = bytes.iter().position(|&byte| byte == b'=').filter(|&at| at > 0) else {
            bail!("--env needs KEY=VALUE, not `{}`", text.display());
        };
        let (key, value) = (bytes[..at].to_vec(), bytes[at + 1..].to_vec());
        match pairs.iter_mut().find(|(other, _)| *other == key) {
            Some(pair) => pair.1 = value,
            None => pairs.push((key, value)),
        }
    }
    Ok(pairs.into_iter().map(|(key, value)| [key, value].join(&b'=')).collect())
}

/// Splits flags as a shell would: at white space, except within quotes.
pub fn split_words(text: &str) -> anyhow::Result<Vec<OsString>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match (c, quote) {
            (_, Some(open)) if c == open => quote = None,
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(rest.next()),
            (_, Some(_)) => word.get_or_insert_default().push(c),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (_, None) if c.is_whitespace() => words.extend(word.take().map(OsString::from)),
            (_, None) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        bail!("--cflags has a quote {open} that is never closed: {text}");
    }
    words.extend(word.map(OsString::from));
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_split_as_in_a_shell() {
        let split = |text| split_words(text).unwrap();
        assert_eq!(split("  -O2  -DN=3 "), ["-O2", "-DN=3"]);
        assert_eq!(split(r#"-DS='"a b"' "-I my dir" x\ y "#), [r#"-DS="a b""#, "-I my dir", "x y"]);
        assert_eq!(split("''"), [""]);
        assert!(split("").is_empty());
        assert!(split_words("-D'x").is_err());
    }

    #[test]
    fn the_later_variable_wins() {
        let inherited = [("A", "1"), ("B", "2")].map(|(k, v)| (k.into(), v.into()));
        let added = vec!["A=x=y".into(), "C=".into()];
        let all = environment(inherited.into_iter(), added).unwrap();
        assert_eq!(all, [b"A=x=y".to_vec(), b"B=2".to_vec(), b"C=".to_vec()]);
        assert!(environment(std::iter::empty(), vec!["NAME".into()]).is_err());
        assert!(environment(std::iter::empty(), vec!["=x".into()]).is_err());
    }

    #[test]
    fn one_program_or_many_sources() {
        let plan = |inputs: &[&str]| {
            program(inputs.iter().map(PathBuf::from).collect(), None, "").map(|it| it.guest_name())
        };
        assert_eq!(plan(&["dir/prog"]).unwrap(), b"dir/prog");
        assert!(plan(&["prog", "other"]).is_err());
        assert!(plan(&["a.c", "prog"]).is_err());
        let build = Build { inputs: vec!["dir/a.c".into()], compiler: None, flags: Vec::new() };
        assert_eq!(Origin::Build(build).guest_name(), b"dir/a");
    }
}
