//! System calls of a guest with arguments that make no sense: each has an answer, or ends the program as
//! something that is not modelled.
//!
//! An input is a list of calls, 32 bytes each: the number, and for each of six arguments how it is meant
//! and a value. `fuzz/guests/calls.c` makes them one after the other, and begins anew in a second thread
//! if one of them creates it.

use std::sync::{Arc, LazyLock};

use steam_image::Image;
use steam_linux::kernel::Stream;
use steam_linux::syscalls::Output;
use steam_linux::world::Stdin;
use steam_program::{Config, Ending, Machine};

use super::targets::guest;

/// How many bytes of calls a guest makes at most; `calls.c` has as much room.
const ROOM: usize = 32 * 24;
/// When a guest that loops is left alone.
const INSTRUCTIONS: u64 = 200_000;

/// What the guest writes goes nowhere.
struct Nowhere;

impl Output for Nowhere {
    fn write(&mut self, _: Stream, _: &[u8]) -> std::io::Result<()> {
        Ok(())
    }
}

/// Makes the calls in a machine; whether the program comes to its end.
pub(super) fn calls(bytes: &[u8]) -> bool {
    /// The program, and where in the file its calls are.
    static GUEST: LazyLock<(Vec<u8>, usize)> = LazyLock::new(|| {
        let bytes = guest("calls.c", &["-g", "-nostdlib", "-fno-stack-protector"]);
        let image = Image::parse(&bytes, "calls").expect("a program");
        let table = image.symbols.find("calls").next().expect("its calls").address;
        let segment = image.segment_at(table).expect("their place");
        let within = (table - segment.address) as usize;
        let mark = &segment.data[within..within + 64];
        let at = bytes.windows(64).position(|window| window == mark).expect("their bytes");
        (bytes, at)
    });
    let (program, at) = &*GUEST;
    let mut program = program.clone();
    let calls = &bytes[..bytes.len().min(ROOM)];
    program[*at..at + ROOM].fill(0);
    program[*at..at + calls.len()].copy_from_slice(calls);
    let image = Arc::new(Image::parse(&program, "calls").expect("the same program"));
    let config = Config {
        arguments: vec![b"calls".to_vec()],
        stdin: Stdin::Bytes(b"some input\n".to_vec()),
        ..Config::default()
    };
    let machine = Machine::boot(image, &config, Arc::default());
    let ending = machine.expect("it boots").run_for(INSTRUCTIONS, &mut Nowhere);
    if let Some(Ending::Violation(report) | Ending::Unknown(report)) = &ending {
        assert!(!report.to_string().is_empty());
    }
    ending.is_some()
}
