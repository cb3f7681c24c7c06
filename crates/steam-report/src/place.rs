//! From code addresses to places in the source.

use std::fmt;
use std::path::Path;

use steam_image::{Activation, Image};

/// Where headers lie that users did not write, and where Rust's own library was compiled.
const SYSTEM: [&str; 4] = ["/usr/include/", "/usr/lib/", "/usr/local/include/", "/rustc/"];
/// Where our own part of a program lies, in the source tree and installed.
const OURS: [&str; 3] = ["/toolchain/include/", "/toolchain/verifier.c", "/share/steam/include/"];

/// A place in the program, as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Location {
    /// The address of the code; that of a call for all functions but the innermost.
    pub address: u32,
    /// The function, demangled.
    pub function: Option<String>,
    /// The source file, as the compiler was called with it.
    pub file: Option<String>,
    /// The line, counted from one.
    pub line: Option<u32>,
    /// The column, counted from one.
    pub column: Option<u32>,
    /// Whether the function was inlined into that of the next location.
    pub inlined: bool,
}

impl Location {
    /// Whether the source line is known.
    pub fn has_line(&self) -> bool {
        self.file.is_some() && self.line.is_some()
    }

    /// Whether the source line is known and is the user's, not in a header of the system.
    pub fn is_users(&self) -> bool {
        let foreign = |file: &String| {
            SYSTEM.iter().any(|directory| file.starts_with(directory))
                || OURS.iter().any(|directory| file.contains(directory))
        };
        self.has_line() && !self.file.as_ref().is_some_and(foreign)
    }

    /// The function's name without the parameters and template arguments that C++ has.
    pub fn function_name(&self) -> String {
        self.function.as_deref().map_or_else(|| "?".to_owned(), short_name)
    }

    /// `file:line:column` as far as known, or the address.
    pub fn position(&self) -> String {
        match (self.file.as_deref(), self.line, self.column) {
            (Some(file), Some(line), Some(column)) => {
                format!("{}:{line}:{column}", shortened(file))
            }
            (Some(file), Some(line), None) => format!("{}:{line}", shortened(file)),
            _ => format!("{:#010x}", self.address),
        }
    }

    /// `file:line`, or the address.
    pub fn line_position(&self) -> String {
        Self { column: None, ..self.clone() }.position()
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {} ({})", self.function_name(), self.line_position())
    }
}

/// `void std::vector<int>::push<int>(int&&)` is `std::vector::push`.
fn short_name(name: &str) -> String {
    // The names of operators hold brackets that open nothing.
    if name.contains("operator") || name.contains("{lambda") {
        return name.to_owned();
    }
    let name = name.replace("(anonymous namespace)", "{anonymous}");
    let mut short = String::new();
    let mut depth = 0;
    for letter in name.chars() {
        match letter {
            '<' => depth += 1,
            '>' => depth -= 1,
            '(' if depth == 0 => break,
            letter if depth == 0 => short.push(letter),
            _ => {}
        }
    }
    short.rsplit(' ').next().unwrap_or(&name).to_owned()
}

/// A file below the working directory is named from there, as compilers do.
fn shortened(file: &str) -> String {
    let here = std::env::current_dir().ok();
    let relative = here.as_deref().and_then(|here| Path::new(file).strip_prefix(here).ok());
    relative.map_or_else(|| file.to_owned(), |path| path.to_string_lossy().into_owned())
}

/// The locations of a call stack.
pub(super) fn stack(image: &Image, activations: &[Activation]) -> Vec<Location> {
    activations.iter().flat_map(|activation| at(image, activation.probe())).collect()
}

/// The locations of remembered return addresses.
pub(super) fn callers(image: &Image, addresses: &[u32]) -> Vec<Location> {
    addresses.iter().flat_map(|address| at(image, address.wrapping_sub(1))).collect()
}

/// The functions at an address: those that were inlined there, then the one that was called.
pub fn at(image: &Image, address: u32) -> Vec<Location> {
    let frames = image.lines.frames(address);
    if frames.is_empty() {
        return vec![Location { address, ..Location::default() }];
    }
    let located = frames.into_iter().map(|frame| Location {
        address,
        function: frame.function,
        file: frame.file,
        line: frame.line,
        column: frame.column,
        inlined: frame.inlined,
    });
    located.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shortened() {
        assert_eq!(short_name("main"), "main");
        assert_eq!(short_name("S::~S()"), "S::~S");
        assert_eq!(
            short_name("void std::vector<int, std::allocator<int> >::add<char>(int, char&&) const"),
            "std::vector::add"
        );
        assert_eq!(short_name("(anonymous namespace)::work(int)"), "{anonymous}::work");
        assert_eq!(short_name("operator new(unsigned int)"), "operator new(unsigned int)");
        assert_eq!(short_name("A::operator<(A const&)"), "A::operator<(A const&)");
    }

    #[test]
    fn headers_of_the_system_are_not_the_users() {
        let at = |file: &str| Location {
            file: Some(file.to_owned()),
            line: Some(1),
            ..Location::default()
        };
        assert!(at("/home/me/a.c").is_users());
        assert!(!at("/usr/include/c++/12/bits/stl_vector.h").is_users());
        assert!(!at("/home/me/steam/toolchain/include/steam.h").is_users());
        assert!(!Location::default().is_users());
    }
}
