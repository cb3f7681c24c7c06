//! Values that were never written: who uses them, and where they come from, in words.

use steam_state::{Birth, RegionKind};
use steam_vm::Use;

use super::block::{self, BlockStory};
use super::classify::Finding;
use super::{Kind, Scene, place};

/// Who uses a value that was never written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum User {
    /// An instruction.
    Instruction(Use),
    /// A system call, in an argument.
    Argument(&'static str),
    /// A system call, in the bytes that it is given.
    Bytes(&'static str),
}

/// An instruction or a system call uses a value that was never written.
pub(super) fn used(user: &User, birth: Birth, scene: &Scene<'_>) -> Finding {
    let what = match user {
        User::Instruction(Use::Branch) => "a branch depends on a value".to_owned(),
        User::Instruction(Use::Address) => "an address depends on a value".to_owned(),
        User::Instruction(Use::Target) => "a jump goes where a value says".to_owned(),
        User::Instruction(Use::SystemCall) => "the number of a system call is a value".to_owned(),
        User::Argument(call) => format!("an argument of the system call {call} is a value"),
        User::Bytes(call) => format!("the system call {call} is given a byte"),
    };
    finding(&what, birth, scene)
}

/// A modelled function reads bytes that were never written.
pub(super) fn read(function: &str, birth: Birth, scene: &Scene<'_>) -> Finding {
    finding(&format!("{function} depends on a byte"), birth, scene)
}

fn finding(what: &str, birth: Birth, scene: &Scene<'_>) -> Finding {
    let story = heap_block(birth, scene);
    let origin = match &story {
        Some(story) => format!("from {}", place_in(story)),
        None => elsewhere(birth, scene),
    };
    let message = format!("{what} that was never written, {origin}");
    Finding { block: story, ..Finding::new(Kind::Uninitialised, message) }
}

/// `byte 8 of a block of 64 bytes`.
fn place_in(story: &BlockStory) -> String {
    let state = if story.freed.is_some() { "freed " } else { "" };
    format!("byte {} of a {state}block of {}", story.offset, block::count(story.size))
}

/// The block in which a value was born: the live one, or the one that was there.
fn heap_block(birth: Birth, scene: &Scene<'_>) -> Option<BlockStory> {
    let live = scene.heap.covering(birth.address);
    let live =
        live.map(|block| super::block_story(scene.image, scene.history, &block, birth.address));
    live.or_else(|| {
        let life = scene.history.freed_at(birth.address)?;
        Some(block::story(scene.image, &life, birth.address))
    })
}

/// What lies outside of the heap and is not written before it is used: stacks.
fn elsewhere(birth: Birth, scene: &Scene<'_>) -> String {
    if birth.eip != 0 {
        // The innermost one is the function itself, or was inlined into it.
        let made = place::at(scene.image, birth.eip).pop().unwrap_or_default();
        let line = match made.has_line() {
            true => format!(" ({})", made.line_position()),
            false => String::new(),
        };
        let function = made.function_name();
        return format!("from a variable on the stack, in the frame of {function}{line}");
    }
    let region = scene.cpu.memory.regions().find(birth.address);
    match region.map(|(_, region)| region.kind) {
        Some(RegionKind::Stack(_) | RegionKind::EndedStack { .. }) => {
            "from a variable on the stack".to_owned()
        }
        _ => format!("from {:#010x}", birth.address),
    }
}
