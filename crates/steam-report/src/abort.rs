//! Signals that end a program, and what the program meant by them: a failed assertion, an uncaught
//! exception and a check of the compiler all end as `SIGABRT`.

use steam_image::Activation;
use steam_state::Context;

use super::classify::Finding;
use super::{Kind, Location, Scene, unwind};

/// The longest text of an assertion that is shown.
const LONGEST: usize = 300;
const SIGABRT: u32 = 6;

/// Functions of the library that abort, innermost first on the stack, and what that means.
const ABORTING: [(&str, Kind, &str); 9] = [
    ("__assert_fail", Kind::Assert, "an assertion is false"),
    ("__assert_perror_fail", Kind::Assert, "an assertion is false"),
    ("__cxa_throw", Kind::UncaughtException, "nothing catches a C++ exception"),
    ("__cxa_rethrow", Kind::UncaughtException, "nothing catches a C++ exception"),
    ("_Unwind_Resume", Kind::UncaughtException, "nothing catches a C++ exception"),
    ("std::terminate()", Kind::UncaughtException, "std::terminate was called"),
    ("__stack_chk_fail", Kind::Abort, "a function wrote over the end of its stack frame"),
    ("__chk_fail", Kind::Abort, "a library function would write past the end of its buffer"),
    ("__cxa_pure_virtual", Kind::Abort, "a pure virtual function was called"),
];

/// The finding for a signal that ends the process.
pub(super) fn signal(
    number: u32,
    name: &str,
    scene: &mut Scene<'_>,
    activations: &[Activation],
    stack: &[Location],
) -> Finding {
    if number != SIGABRT {
        return Finding::new(Kind::Signal, format!("the program is ended by {name}"));
    }
    let called = |wanted: &str| stack.iter().any(|place| place.function.as_deref() == Some(wanted));
    let Some((function, kind, words)) = ABORTING.iter().find(|(function, ..)| called(function))
    else {
        return Finding::new(Kind::Abort, "the program called abort");
    };
    let expression = assertion(scene, function, activations);
    let message = expression.map(|text| format!("assertion failed: {text}"));
    Finding::new(*kind, message.unwrap_or_else(|| (*words).to_owned()))
}

/// The text of the assertion: the first argument of `__assert_fail`, on top of its caller's stack.
fn assertion(scene: &mut Scene<'_>, function: &str, stack: &[Activation]) -> Option<String> {
    if function != "__assert_fail" {
        return None;
    }
    let symbols = &scene.image.symbols;
    let is_it = |activation: &Activation| {
        symbols.at(activation.probe()).is_some_and(|(symbol, _)| symbol.name == function)
    };
    let position = stack.iter().position(is_it)?;
    let top = stack.get(position + 1)?.gpr[Context::ESP];
    let place = unwind::word(scene.cpu, top)?;
    text(scene, place)
}

/// The text at an address, unless it is none or too long.
pub(super) fn text(scene: &mut Scene<'_>, mut place: u32) -> Option<String> {
    let mut text = Vec::new();
    while text.len() < LONGEST {
        match scene.cpu.memory.load::<1>(place, 0) {
            Ok([0]) => break,
            Ok([byte]) => text.push(byte),
            Err(_) => {
                scene.cpu.memory.take_error();
                return None;
            }
        }
        place = place.wrapping_add(1);
    }
    String::from_utf8(text).ok().filter(|text| !text.is_empty())
}
