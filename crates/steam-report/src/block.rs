//! The story of the heap block that a problem concerns.

use steam_image::Image;
use steam_state::{Block, HeapPool, ThreadId};

use super::place::{self, Location};
use crate::history::{Event, History, Life};

/// Where and by whom something was done to a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The thread that did it.
    pub thread: ThreadId,
    /// The call stack, the caller of the heap function first.
    pub stack: Vec<Location>,
}

/// A heap block and what happened to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockStory {
    /// Where it begins.
    pub address: u32,
    /// How many bytes the program asked for.
    pub size: u32,
    /// The byte of the problem, counted from the block's start; it may lie outside.
    pub offset: i64,
    /// Who allocated it, if that was seen.
    pub allocated: Option<Site>,
    /// Who freed it, if it is not live.
    pub freed: Option<Site>,
}

impl BlockStory {
    /// Where the byte lies, in words: `4 bytes past the end of a block of 16 bytes`.
    pub fn relation(&self) -> String {
        let state = if self.freed.is_some() { "freed " } else { "" };
        let block = format!("a {state}block of {}", count(self.size));
        let behind = self.offset - i64::from(self.size);
        match self.offset {
            offset if offset < 0 => format!("{} before {block}", count(offset.unsigned_abs())),
            _ if behind == 0 => format!("just past the end of {block}"),
            _ if behind > 0 => format!("{} past the end of {block}", count(behind as u64)),
            0 => format!("at the start of {block}"),
            offset => format!("{} inside {block}", count(offset as u64)),
        }
    }
}

/// A number of bytes in words.
pub(super) fn count(bytes: impl Into<u64>) -> String {
    match bytes.into() {
        1 => "1 byte".to_owned(),
        bytes => format!("{bytes} bytes"),
    }
}

/// What a report says of a life.
pub(super) fn story(image: &Image, life: &Life, byte: u32) -> BlockStory {
    let site =
        |event: &Event| Site { thread: event.thread, stack: place::callers(image, &event.stack) };
    BlockStory {
        address: life.address,
        size: life.size,
        offset: i64::from(byte) - i64::from(life.address),
        allocated: (!life.allocated.stack.is_empty()).then(|| site(&life.allocated)),
        freed: life.freed.as_ref().map(site),
    }
}

/// What is reported of a live block around a byte.
pub fn live_story(image: &Image, history: &History, block: &Block, byte: u32) -> BlockStory {
    story(image, &life(history, block), byte)
}

/// The life of a live block; where that was not seen, at least who called for it.
fn life(history: &History, block: &Block) -> Life {
    history.live(block).unwrap_or_else(|| {
        let unseen = Event { thread: block.arena, instructions: 0, stack: vec![block.site] };
        Life { address: block.address, size: block.size, allocated: unseen, freed: None }
    })
}

/// The live block that is nearest to a byte outside of all.
pub(super) fn nearest(heap: &HeapPool, history: &History, byte: u32) -> Option<Life> {
    let below =
        heap.before(byte).map(|block| (byte - block.address.saturating_add(block.size), block));
    let above = heap.after(byte).map(|block| (block.address - byte, block));
    let (_, block) = [below, above].into_iter().flatten().min_by_key(|(distance, _)| *distance)?;
    Some(life(history, &block))
}
