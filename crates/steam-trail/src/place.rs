//! A place in the source of the program, as far as it is known.

use serde::Serialize;

/// A place in the source; each part may be unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The file, as it is to be printed and opened.
    pub file: Option<String>,
    /// The line, counted from one.
    pub line: Option<u32>,
    /// The column, counted from one.
    pub column: Option<u32>,
    /// The function's name as people write it.
    pub function: Option<String>,
}

impl Place {
    /// A place of which file and line are known.
    pub fn at(file: &str, line: u32) -> Self {
        Self { file: Some(file.to_owned()), line: Some(line), ..Self::default() }
    }

    /// The same place with a column.
    pub fn column(self, column: u32) -> Self {
        Self { column: Some(column), ..self }
    }

    /// The same place within a function.
    pub fn function(self, function: &str) -> Self {
        Self { function: Some(function.to_owned()), ..self }
    }

    /// `file:line:column` as far as known, `?` where not even the file is.
    pub fn position(&self) -> String {
        let Some(file) = &self.file else { return "?".to_owned() };
        match (self.line, self.column) {
            (Some(line), Some(column)) => format!("{file}:{line}:{column}"),
            (Some(line), None) => format!("{file}:{line}"),
            (None, _) => file.clone(),
        }
    }

    /// `file:line` as far as known, `?` where not even the file is.
    pub fn line_position(&self) -> String {
        Self { column: None, ..self.clone() }.position()
    }

    /// The function's name, or `?`.
    pub fn function_name(&self) -> &str {
        self.function.as_deref().unwrap_or("?")
    }
}
