//! Which entry of `.eh_frame` says how a function is unwound.
//!
//! The unwinder of a static program sorts all entries when the first exception is thrown or the first
//! thread calls `pthread_exit`. That takes millions of instructions, on each path of a search that comes
//! there. The image has the same entries, sorted once for all paths, and they never change. What was
//! registered at run time the image does not know: then the guest's own code looks.

use steam_image::Image;

use super::call::{LibraryCall, Stop};

/// What the unwinder adds to addresses that are relative to data, in a program that has such a table.
const DATA_BASE: &str = "_GLOBAL_OFFSET_TABLE_";

/// `_Unwind_Find_FDE(pc, bases)` returns to its caller with what the image says; false, with nothing
/// changed, where that says nothing.
pub(super) fn find_entry(image: &Image, call: &mut LibraryCall<'_>) -> Result<bool, Stop> {
    let (pc, bases) = call.two()?;
    let known = image.unwinder.entry(pc);
    let Some(entry) = known.filter(|entry| image.segment_at(entry.address).is_some()) else {
        return Ok(false);
    };
    let data = image.symbols.find(DATA_BASE).next().map_or(0, |symbol| symbol.address);
    // struct dwarf_eh_bases: tbase, dbase, func.
    for (position, value) in (0..).zip([0, data, entry.function]) {
        call.set_word(bases.wrapping_add(4 * position), value)?;
    }
    call.finish(entry.address)?;
    Ok(true)
}
