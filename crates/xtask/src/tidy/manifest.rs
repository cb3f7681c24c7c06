//! Reads what tidy needs from a `Cargo.toml`: what the package says of itself, and its dependencies.
//!
//! It understands the forms that this workspace uses (`name.workspace = true`, `name = ...`,
//! `[dependencies.name]`, target tables), line by line; it is no TOML parser.

/// The part of a manifest that tidy looks at.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The package's name.
    pub package: String,
    /// What it says of itself: `description`, `license.workspace` and so on.
    pub fields: Vec<String>,
    /// What the crate itself uses, build scripts included.
    pub dependencies: Vec<String>,
    /// What only its tests use.
    pub dev_dependencies: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Package,
    Dependencies,
    DevDependencies,
    Other,
}

/// What each package says of itself; all but the description is the same for all.
const FIELDS: &[&str] = &[
    "description",
    "version.workspace",
    "edition.workspace",
    "rust-version.workspace",
    "license.workspace",
    "readme.workspace",
    "keywords.workspace",
    "categories.workspace",
    "publish.workspace",
];

/// Reads a manifest.
pub fn parse(text: &str) -> Manifest {
    let mut manifest = Manifest::default();
    let mut section = Section::Other;
    for line in text.lines() {
        let line = line.split(" #").next().unwrap_or_default().trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(header) = line.strip_prefix('[') {
            let header = header.trim_end_matches(']');
            let (kind, name) = section_of(header);
            section = kind;
            if let Some(name) = name {
                manifest.add(kind, name);
                section = Section::Other;
            }
            continue;
        }
        manifest.entry(section, line);
    }
    manifest
}

/// What a section header opens; `[dependencies.name]` names a dependency by itself.
fn section_of(header: &str) -> (Section, Option<&str>) {
    let header = match header.strip_prefix("target.") {
        // [target.'cfg(...)'.dependencies]: the condition may hold dots, its end is a quote.
        Some(rest) => rest.rsplit_once("'.").map_or(rest, |(_, table)| table),
        None => header,
    };
    let (table, name) = match header.split_once('.') {
        Some((table, name)) => (table, Some(name)),
        None => (header, None),
    };
    match table {
        "package" => (Section::Package, None),
        "dependencies" | "build-dependencies" => (Section::Dependencies, name),
        "dev-dependencies" => (Section::DevDependencies, name),
        _ => (Section::Other, None),
    }
}

impl Manifest {
    /// What the package does not say of itself.
    pub fn complaints(&self, path: &str) -> Vec<String> {
        let missing = FIELDS.iter().filter(|field| !self.fields.iter().any(|it| it == *field));
        missing.map(|field| format!("{path}: `{field}` is missing")).collect()
    }

    fn entry(&mut self, section: Section, line: &str) {
        let Some((key, value)) = line.split_once('=') else { return };
        let key = key.trim();
        if section == Section::Package {
            if key == "name" {
                self.package = value.trim().trim_matches('"').to_owned();
            }
            self.fields.push(key.to_owned());
            return;
        }
        let name = key.split('.').next().unwrap_or(key).trim_matches('"');
        self.add(section, name);
        if let Some(renamed) = package_of(value) {
            self.add(section, renamed);
        }
    }

    fn add(&mut self, section: Section, name: &str) {
        match section {
            Section::Dependencies => self.dependencies.push(name.to_owned()),
            Section::DevDependencies => self.dev_dependencies.push(name.to_owned()),
            Section::Package | Section::Other => {}
        }
    }
}

/// The real name after `x = { package = "name" }`.
fn package_of(value: &str) -> Option<&str> {
    let (_, rest) = value.split_once("package")?;
    rest.trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')?.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_are_understood() {
        let manifest = parse(
            "[package]\nname = \"steam-state\"\nversion.workspace = true\n\
             [dependencies]\nvm-isa.workspace = true # why\nahash = \"0.8\"\n\
             im = { package = \"imbl\", version = \"7\" }\n# goblin = \"1\"\n\
             [dependencies.rayon]\nversion = \"1\"\n\
             [target.'cfg(target_os = \"linux\")'.dependencies]\nlibc = \"0.2\"\n\
             [dev-dependencies]\nproptest = \"1\"\n\
             [features]\ndefault = []\n",
        );
        assert_eq!(manifest.package, "steam-state");
        assert_eq!(manifest.dependencies, ["vm-isa", "ahash", "im", "imbl", "rayon", "libc"]);
        assert_eq!(manifest.dev_dependencies, ["proptest"]);
    }

    #[test]
    fn a_package_says_what_it_is() {
        let missing = parse("[package]\nname = \"x\"\nlicense.workspace = true\n").complaints("p");
        assert_eq!(missing.len(), FIELDS.len() - 1);
        assert_eq!(missing[0], "p: `description` is missing");
    }
}
