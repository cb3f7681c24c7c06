//! Which C and which C++ compiler is called.
//!
//! First that which was asked for, then `STEAM_CC`/`STEAM_CXX`, then `CC`/`CXX`, then gcc and g++.
//! `CC` is passed over where it names steam itself: `make CC="steam cc"` puts it into the
//! environment of every compiler that it starts, and following it would never end.

use std::ffi::OsString;
use std::path::Path;

/// What a compiler is called for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C, and whatever else gcc knows by the names of files.
    C,
    /// C++.
    Cxx,
}

/// The command words of both compilers; each may have several, as in `ccache gcc`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drivers {
    /// The C compiler.
    pub c: Vec<String>,
    /// The C++ compiler.
    pub cxx: Vec<String>,
}

impl Drivers {
    /// Chooses both, with the C compiler that the user asked for, if any.
    pub fn choose(asked: Option<&str>) -> Self {
        Self::from_environment(asked, |name| std::env::var_os(name))
    }

    fn from_environment(asked: Option<&str>, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let words = |name: &str| {
            let value = variable(name)?.into_string().ok()?;
            let words: Vec<String> = value.split_whitespace().map(str::to_owned).collect();
            (!words.is_empty() && !is_steam(&words[0])).then_some(words)
        };
        let asked = asked
            .map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .filter(|words| !words.is_empty());
        let steam_cc = words("STEAM_CC");
        let cc = words("CC");
        // A C++ compiler that was named counts only where the C compiler was not named more
        // strongly: with --cc clang, a CXX=g++ in the environment is not what is meant.
        let cxx = match (&asked, &steam_cc) {
            (Some(c), _) => Some(partner(c)),
            (None, Some(c)) => Some(words("STEAM_CXX").unwrap_or_else(|| partner(c))),
            (None, None) => words("STEAM_CXX")
                .or_else(|| words("CXX"))
                .or_else(|| cc.as_ref().map(|c| partner(c))),
        };
        Self {
            c: asked.or(steam_cc).or(cc).unwrap_or_else(|| vec!["gcc".to_owned()]),
            cxx: cxx.unwrap_or_else(|| vec!["g++".to_owned()]),
        }
    }

    /// The words for one language.
    pub fn of(&self, language: Language) -> &[String] {
        match language {
            Language::C => &self.c,
            Language::Cxx => &self.cxx,
        }
    }
}

fn is_steam(word: &str) -> bool {
    let name = Path::new(word).file_name().and_then(|name| name.to_str());
    matches!(name, Some("steam" | "steam-cc" | "steam-c++"))
}

/// The C++ compiler that belongs to a C compiler: `clang-14` has `clang++-14`. The word that names
/// the compiler is the last one that is known; flags and wrappers stay as they are.
fn partner(c: &[String]) -> Vec<String> {
    let mut words = c.to_vec();
    for word in words.iter_mut().rev() {
        if word.starts_with('-') {
            continue;
        }
        let (directory, name) = match word.rsplit_once('/') {
            Some((directory, name)) => (format!("{directory}/"), name),
            None => (String::new(), word.as_str()),
        };
        if let Some(partner) = partner_name(name) {
            *word = directory + &partner;
            return words;
        }
    }
    vec!["g++".to_owned()]
}

fn partner_name(name: &str) -> Option<String> {
    if name.contains("++") {
        return Some(name.to_owned());
    }
    for (c, cxx) in [("clang", "clang++"), ("gcc", "g++")] {
        if let Some(at) = name.rfind(c) {
            return Some(format!("{}{cxx}{}", &name[..at], &name[at + c.len()..]));
        }
    }
    let prefix = name.strip_suffix("cc")?;
    (prefix.is_empty() || prefix.ends_with('-')).then(|| format!("{prefix}c++"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(asked: Option<&str>, variables: &[(&str, &str)]) -> (String, String) {
        let drivers = Drivers::from_environment(asked, |name| {
            let found = variables.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| OsString::from(value))
        });
        (drivers.c.join(" "), drivers.cxx.join(" "))
    }

    fn pair(c: &str, cxx: &str) -> (String, String) {
        (c.to_owned(), cxx.to_owned())
    }

    #[test]
    fn the_order_of_wishes() {
        let all = [("STEAM_CC", "gcc-12"), ("CC", "clang"), ("CXX", "clang++")];
        assert_eq!(chosen(None, &[]), pair("gcc", "g++"));
        assert_eq!(chosen(None, &all[1..]), pair("clang", "clang++"));
        assert_eq!(chosen(None, &all), pair("gcc-12", "g++-12"));
        assert_eq!(chosen(Some("musl-gcc"), &all), pair("musl-gcc", "musl-g++"));
        assert_eq!(chosen(None, &[("CXX", "clang++")]), pair("gcc", "clang++"));
        assert_eq!(chosen(None, &[("CC", " ")]), pair("gcc", "g++"));
    }

    #[test]
    fn steam_never_calls_itself() {
        for cc in ["steam cc", "/opt/bin/steam-cc", "./target/debug/steam cc"] {
            assert_eq!(chosen(None, &[("CC", cc), ("CXX", "steam c++")]), pair("gcc", "g++"));
        }
    }

    #[test]
    fn partners() {
        let of = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            partner(&words).join(" ")
        };
        assert_eq!(of("/usr/bin/clang-14"), "/usr/bin/clang++-14");
        assert_eq!(of("i686-linux-gnu-gcc-12"), "i686-linux-gnu-g++-12");
        assert_eq!(of("ccache gcc -std=c99"), "ccache g++ -std=c99");
        assert_eq!(of("cc"), "c++");
        assert_eq!(of("tcc"), "g++");
        assert_eq!(of("g++"), "g++");
    }
}
