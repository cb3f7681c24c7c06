//! What a compiler command line asks for, and the one that is called instead.
//!
//! The user's words are passed on as they are, in their order; ours stand in front of them, so
//! that the user's win where both speak about the same thing (`-g0`, `-fomit-frame-pointer`).

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};

use steam_image::{open_regular, read_regular};

use crate::drivers::Language;
use crate::error::Error;
use crate::mentions::Mentions;
use crate::shipped::Shipped;

/// Longer lists of options are not looked into.
const LARGEST_LIST: u64 = 1 << 20;

/// What a file is, by the ending of its name, as gcc sees it; but what is no text is no source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// C source, or assembler, which the C compiler handles.
    C,
    /// C++ source.
    Cxx,
    /// An object or an archive.
    Object,
    /// Anything else.
    Other,
}

impl InputKind {
    /// The kind of a file.
    pub fn of(path: &Path) -> Self {
        let kind = Self::by_name(path);
        match kind {
            Self::C | Self::Cxx => by_content(path).unwrap_or(kind),
            Self::Object | Self::Other => kind,
        }
    }

    fn by_name(path: &Path) -> Self {
        match path.extension().and_then(OsStr::to_str) {
            Some("c" | "i" | "s" | "S" | "sx") => Self::C,
            Some("cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" | "ii") => Self::Cxx,
            Some("o" | "a") => Self::Object,
            _ => Self::Other,
        }
    }
}

/// What a file is whose first bytes are no text, whatever its name is.
fn by_content(path: &Path) -> Option<InputKind> {
    /// Objects among ELF files have this type, in the bytes from here on.
    const RELOCATABLE: (usize, u8) = (16, 1);
    let mut first = Vec::new();
    open_regular(path).ok()?.take(512).read_to_end(&mut first).ok()?;
    match &first[..] {
        [0x7f, b'E', b'L', b'F', ..] if first.get(RELOCATABLE.0) == Some(&RELOCATABLE.1) => {
            Some(InputKind::Object)
        }
        [b'!', b'<', b'a', b'r', b'c', b'h', b'>', ..] => Some(InputKind::Object),
        _ => first.contains(&0).then_some(InputKind::Other),
    }
}

/// Options whose value is the next word, which is therefore no input file.
const WITH_VALUE: &[&str] = &[
    "-o",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-B",
    "-T",
    "-u",
    "-e",
    "-z",
    "-A",
    "-MF",
    "-MT",
    "-MQ",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-isysroot",
    "-aux-info",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-wrapper",
    "--param",
    "--sysroot",
    "-target",
    "-arch",
];

/// Options that name a folder in which included files may lie.
const FOLDERS: &[&str] = &["-I", "-iquote", "-isystem", "-idirafter"];

/// Options after which nothing is linked.
const NO_LINK: &[&str] = &["-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r"];

/// Where the program may lie in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Position {
    /// Where the linker puts it: `-no-pie`, or nothing was said.
    #[default]
    Fixed,
    /// Anywhere, by `-pie`, which makes a dynamic program.
    Pie,
    /// Anywhere, by `-static-pie`.
    StaticPie,
}

/// What a command line asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    /// It stops before the linker.
    pub no_link: bool,
    /// It links a shared library.
    pub shared: bool,
    /// Its last word on where the program may lie.
    pub position: Position,
    /// It says `-static` by itself.
    pub fixed: bool,
    /// An input is C.
    pub c: bool,
    /// An input is C++.
    pub cxx: bool,
    /// A word size is asked for that guests cannot have.
    pub other_size: bool,
    /// The input files.
    pub files: Vec<PathBuf>,
    /// Files that are included without being mentioned in a source.
    pub included: Vec<PathBuf>,
    /// Where included files may lie beside the folder of who includes them.
    pub folders: Vec<PathBuf>,
}

impl Invocation {
    /// Reads a command line; response files are looked into.
    pub fn read(words: &[OsString]) -> Self {
        let mut invocation = Self::default();
        invocation.words(words, 0);
        invocation
    }

    fn words(&mut self, words: &[OsString], depth: usize) {
        let mut language: Option<InputKind> = None;
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let text = word.to_str().unwrap_or_default();
            if text == "-x" || text.starts_with("-x") && text.len() > 2 {
                let name = text
                    .get(2..)
                    .filter(|name| !name.is_empty())
                    .or_else(|| rest.next().and_then(|next| next.to_str()));
                language = name.and_then(kind_of_language);
            } else if WITH_VALUE.contains(&text) {
                let value = rest.next().map(PathBuf::from);
                match text {
                    "-include" | "-imacros" => self.included.extend(value),
                    _ if FOLDERS.contains(&text) => self.folders.extend(value),
                    _ => {}
                }
            } else if text.starts_with('-') && text != "-" {
                self.option(text);
            } else if let Some(file) = text.strip_prefix('@') {
                // What gcc itself would make of quotes does not matter here: no option and no
                // ending that is looked for has any.
                if depth < 8
                    && let Ok(content) = read_regular(Path::new(file), LARGEST_LIST)
                    && let Ok(content) = String::from_utf8(content)
                {
                    let words: Vec<OsString> =
                        content.split_whitespace().map(OsString::from).collect();
                    self.words(&words, depth + 1);
                }
            } else {
                self.input(language.unwrap_or_else(|| InputKind::of(Path::new(word))));
                self.files.push(word.into());
            }
        }
    }

    fn option(&mut self, text: &str) {
        match text {
            "-shared" | "--shared" => self.shared = true,
            "-pie" | "--pie" | "-Wl,-pie" | "-Wl,--pie" => self.position = Position::Pie,
            "-no-pie" | "--no-pie" | "-nopie" => self.position = Position::Fixed,
            "-static-pie" | "--static-pie" => self.position = Position::StaticPie,
            "-static" | "--static" => self.fixed = true,
            "-m64" | "-mx32" | "-m16" => self.other_size = true,
            _ if NO_LINK.contains(&text) => self.no_link = true,
            _ => self.folders.extend(text.strip_prefix("-I").map(PathBuf::from)),
        }
    }

    /// Whether `-pie` must become `-static-pie`. After `-static` the compiler ignores it.
    fn becomes_static_pie(&self) -> bool {
        self.position == Position::Pie && !self.fixed && !self.no_link
    }

    fn input(&mut self, kind: InputKind) {
        match kind {
            InputKind::C => self.c = true,
            InputKind::Cxx => self.cxx = true,
            InputKind::Object | InputKind::Other => {}
        }
    }
}

fn kind_of_language(name: &str) -> Option<InputKind> {
    match name {
        "none" => None,
        _ if name.starts_with("c++") => Some(InputKind::Cxx),
        _ => Some(InputKind::C),
    }
}

/// The arguments for the user's words: our flags, then the user's; and which compiler gets them.
/// Fails where the result could not be part of a guest.
pub fn arguments(
    called_as: Language,
    words: &[OsString],
    shipped: &Shipped,
) -> Result<(Language, Vec<OsString>), Error> {
    let invocation = Invocation::read(words);
    if invocation.shared && !invocation.no_link {
        return Err(Error::SharedLibrary);
    }
    // g++ takes C sources for C++. Where both are there, the C compiler tells them apart by
    // their names and only needs the library.
    let mixed = called_as == Language::C && invocation.c && invocation.cxx;
    let language = if invocation.cxx && !mixed { Language::Cxx } else { called_as };
    let mut arguments: Vec<OsString> = flags(&invocation).into_iter().map(OsString::from).collect();
    arguments.extend(shipped.options());
    arguments.extend(words.iter().cloned());
    if invocation.other_size {
        // The last one wins.
        arguments.push("-m32".into());
    }
    if invocation.becomes_static_pie() {
        // Here, too, the last one wins: in front of the user's `-pie` it would count for nothing.
        arguments.push("-static-pie".into());
    }
    if mixed && !invocation.no_link {
        arguments.extend(["-lstdc++", "-lm"].map(OsString::from));
    }
    Ok((language, arguments))
}

fn flags(invocation: &Invocation) -> Vec<&'static str> {
    let mut flags = vec!["-m32"];
    let pie = invocation.position == Position::StaticPie || invocation.becomes_static_pie();
    if !invocation.no_link && !pie {
        flags.push("-static");
    }
    flags.extend(["-g", "-pthread", "-fno-omit-frame-pointer"]);
    let mentions = Mentions::of(invocation);
    if mentions.atomic {
        // A function that is one step by its name is one only where it is called by that name: neither inlined
        // nor merged with another one that does the same. Only gcc does the latter.
        flags.extend(["-fno-inline", "-fno-ipa-icf", "-Wno-ignored-optimization-argument"]);
    }
    if mentions.atomic && mentions.always_inline {
        // No option keeps such a function apart, but its attribute. The headers of compilers and libraries write
        // it with underscores.
        flags.extend(["-Dalways_inline=noinline", "-Wno-attributes"]);
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    fn built(called_as: Language, text: &str) -> String {
        let shipped = Shipped::find().unwrap();
        let (language, command) = arguments(called_as, &words(text), &shipped).unwrap();
        let mut command: Vec<&str> = command.iter().filter_map(|word| word.to_str()).collect();
        command.insert(0, if language == Language::C { "gcc" } else { "g++" });
        let ours = shipped.options();
        command.retain(|word| !ours.iter().any(|own| *own == **word));
        command.join(" ")
    }

    const OURS: &str = "-g -pthread -fno-omit-frame-pointer";

    #[test]
    fn linking_is_static_and_compiling_is_not() {
        assert_eq!(built(Language::C, "a.c"), format!("gcc -m32 -static {OURS} a.c"));
        assert_eq!(built(Language::C, "a.o b.a"), format!("gcc -m32 -static {OURS} a.o b.a"));
        for option in NO_LINK {
            let expected = format!("gcc -m32 {OURS} {option} a.c");
            assert_eq!(built(Language::C, &format!("{option} a.c")), expected);
        }
        // These only write dependencies beside the object.
        let text = "-MD -MMD -MF a.d -MT a.o a.c";
        assert_eq!(built(Language::C, text), format!("gcc -m32 -static {OURS} {text}"));
    }

    #[test]
    fn the_language_decides_the_compiler() {
        assert!(built(Language::C, "a.cc").starts_with("g++ "));
        assert!(built(Language::C, "-x c++ a.txt").starts_with("g++ "));
        assert!(built(Language::C, "-xc++ -").starts_with("g++ "));
        assert!(built(Language::C, "-x c a.cc").starts_with("gcc "));
        assert!(built(Language::C, "-o a.cc a.c").starts_with("gcc "));
        assert!(built(Language::Cxx, "a.c").starts_with("g++ "));
        assert!(built(Language::Cxx, "a.o").starts_with("g++ "));
    }

    #[test]
    fn c_beside_cxx_stays_c() {
        let expected = format!("gcc -m32 -static {OURS} a.c b.cc -lstdc++ -lm");
        assert_eq!(built(Language::C, "a.c b.cc"), expected);
        assert_eq!(built(Language::C, "-c a.c b.cc"), format!("gcc -m32 {OURS} -c a.c b.cc"));
    }

    #[test]
    fn kinds_of_programs() {
        let shipped = Shipped::find().unwrap();
        assert!(arguments(Language::C, &words("-shared a.o"), &shipped).is_err());
        assert!(arguments(Language::C, &words("-shared -c a.c"), &shipped).is_ok());
        let expected = format!("gcc -m32 {OURS} -pie a.o -static-pie");
        assert_eq!(built(Language::C, "-pie a.o"), expected);
        assert_eq!(built(Language::C, "-c -pie a.c"), format!("gcc -m32 {OURS} -c -pie a.c"));
        for words in ["-pie -no-pie a.o", "-static -pie a.o"] {
            assert_eq!(built(Language::C, words), format!("gcc -m32 -static {OURS} {words}"));
        }
        assert_eq!(built(Language::C, "-static-pie a.o").matches("static").count(), 1);
        assert!(built(Language::C, "-m64 a.c").ends_with("-m64 a.c -m32"));
    }

    #[test]
    fn response_files_are_looked_into() {
        let scratch = crate::scratch::Scratch::new().unwrap();
        let (inner, outer) = (scratch.file("inner"), scratch.file("outer"));
        std::fs::write(&inner, "-c\nx.cpp\n").unwrap();
        std::fs::write(&outer, format!("@{}", inner.display())).unwrap();
        let found = Invocation::read(&words(&format!("@{}", outer.display())));
        assert!(found.no_link && found.cxx && !found.c);
        // One that names itself comes to an end.
        std::fs::write(&inner, format!("@{}", inner.display())).unwrap();
        assert_eq!(
            Invocation::read(&words(&format!("@{}", inner.display()))),
            Invocation::default()
        );
    }
}
