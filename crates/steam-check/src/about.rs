//! What a report says of the program and of this tool.

use steam_image::{Image, Kind};
use steam_program::Program;
use steam_trail::ProgramInfo;

use crate::executable::Executable;
use crate::guest::Guest;

/// Symbols of every program by which its C library is known.
const LIBRARIES: [(&str, &str); 2] = [("_IO_stdin_used", "glibc"), ("__init_libc", "musl")];

/// The version of this tool.
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// What a report says of a program; `command` is what stands for it on the command line.
pub(crate) fn about(
    executable: &Executable,
    guest: &Guest,
    command: &str,
    program: Option<&Program>,
) -> ProgramInfo {
    let image = &executable.image;
    let library = library(image);
    let linked = match image.kind {
        Kind::Executable => "static",
        Kind::StaticPie => "static-pie",
    };
    let description = format!("i386 {linked} {}", library.unwrap_or("program"));
    let text = |argument: &Vec<u8>| String::from_utf8_lossy(argument).into_owned();
    ProgramInfo {
        path: guest.arguments.first().map(text).unwrap_or_default(),
        sha256: executable.sha256.clone(),
        description: vec![description],
        libc: library.map(str::to_owned),
        processes: program.map(Program::processes).filter(|&count| count > 1),
        threads: program.map(Program::most_threads),
        arguments: guest.arguments.iter().skip(1).map(text).collect(),
        command: command.to_owned(),
    }
}

fn library(image: &Image) -> Option<&'static str> {
    let known = LIBRARIES.iter();
    let mut there = known.filter(|(function, _)| image.symbols.find(function).next().is_some());
    there.next().map(|(_, library)| *library)
}
