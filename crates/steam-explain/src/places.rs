//! Places in the source, as they are printed.

use std::path::Path;

use steam_report::{Location, users_line};
use steam_trail::{Frame, Place};

/// The line of a call stack that the user wrote; where the user wrote none, such as when the library
/// ends a thread, at least a function.
pub fn users_place(stack: &[Location]) -> Place {
    let line = users_line(stack).and_then(|at| stack.get(at));
    line.or_else(|| library_function(stack)).map(place).unwrap_or_default()
}

/// The innermost function that has a name which a program may call, or else that has any.
fn library_function(stack: &[Location]) -> Option<&Location> {
    let public = |location: &&Location| {
        location.function.as_deref().is_some_and(|name| !name.starts_with('_'))
    };
    stack.iter().find(public).or_else(|| stack.iter().find(|it| it.function.is_some()))
}

/// A place as it is printed.
pub fn place(location: &Location) -> Place {
    Place {
        file: location.file.as_deref().map(shortened),
        line: location.line,
        column: location.column,
        function: location.function.as_ref().map(|_| location.function_name()),
    }
}

/// The functions of a call stack from the user's line outwards, as far as the user wrote them.
pub fn frames(stack: &[Location]) -> Vec<Frame> {
    let first = users_line(stack).unwrap_or(0);
    let last = stack.iter().rposition(Location::has_line).map_or(0, |last| last + 1);
    let frame = |location: &Location| Frame {
        place: place(location),
        pc: format!("{:#010x}", location.address),
    };
    stack.get(first..last).unwrap_or_default().iter().map(frame).collect()
}

/// A file below the working directory is named from there, as compilers do.
fn shortened(file: &str) -> String {
    let here = std::env::current_dir().ok();
    let relative = here.as_deref().and_then(|here| Path::new(file).strip_prefix(here).ok());
    relative.map_or_else(|| file.to_owned(), |path| path.to_string_lossy().into_owned())
}
