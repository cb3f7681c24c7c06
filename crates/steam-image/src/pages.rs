//! Segments become whole pages, as the kernel maps them.
//!
//! The kernel maps files page by page: the bytes before and after a segment's own, up to the
//! borders of its pages, are the neighbouring bytes of the file. Only after the file part of a
//! segment that is larger in memory the rest of the page is cleared. Where two segments share a
//! page, the kernel lets the later one win; here the page holds the bytes of both, and may be
//! used in all ways that either allows.

use std::collections::BTreeMap;

use crate::image::{Image, Segment};
use crate::segments::Placed;

/// The size of a page of i386 Linux.
pub const PAGE_SIZE: u32 = 4096;

/// How memory may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Protection {
    /// The program may read it.
    pub read: bool,
    /// The program may write it.
    pub write: bool,
    /// The program may run it.
    pub execute: bool,
}

impl Protection {
    /// Allows what either of two protections allows.
    pub fn union(self, other: Protection) -> Protection {
        Protection {
            read: self.read || other.read,
            write: self.write || other.write,
            execute: self.execute || other.execute,
        }
    }
}

/// A page that has bytes from the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The address of its first byte.
    pub address: u32,
    /// Its bytes at the start of the program.
    pub bytes: Box<[u8; PAGE_SIZE as usize]>,
    /// How it may be used.
    pub protection: Protection,
}

/// Consecutive pages with one use, as in `/proc/PID/maps`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// The address of the first page.
    pub start: u32,
    /// The first address after the last page.
    pub end: u32,
    /// How the pages may be used.
    pub protection: Protection,
    /// What the range is mostly for: `text`, `rodata`, `data` or `bss`.
    pub label: &'static str,
}

impl Image {
    /// Yields all pages that have bytes from the file, by ascending address; the other pages of
    /// [`ranges`](Image::ranges) are zero.
    pub fn pages(&self) -> impl Iterator<Item = &Page> {
        self.pages.iter()
    }

    /// Returns the mappings of the program: page-aligned, ascending, without overlaps.
    pub fn ranges(&self) -> Vec<Range> {
        let mut ranges: Vec<Range> = Vec::new();
        for piece in pieces(&self.segments) {
            match ranges.last_mut() {
                Some(last) if joins(last, &piece) => last.end = piece.end,
                _ => ranges.push(piece),
            }
        }
        ranges
    }
}

fn joins(last: &Range, next: &Range) -> bool {
    last.end == next.start && last.protection == next.protection && last.label == next.label
}

/// The borders at which anything changes cut memory into pieces; each is described by the
/// segments that touch it. There are at most three borders per segment.
fn pieces(segments: &[Segment]) -> Vec<Range> {
    let mut borders: Vec<u32> = Vec::new();
    for segment in segments {
        let (start, end) = page_span(segment);
        borders.extend([start, start + PAGE_SIZE, file_end(segment), end - PAGE_SIZE, end]);
    }
    borders.sort_unstable();
    borders.dedup();
    // Segments do not overlap, so at each border only a few pages' worth of them can matter;
    // the first that can is found by bisection.
    let piece = |pair: &[u32]| {
        let first = segments.partition_point(|segment| page_span(segment).1 <= pair[0]);
        let touching = segments[first..].iter().take_while(|it| page_span(it).0 < pair[1]);
        describe(pair[0], pair[1], touching)
    };
    borders.windows(2).filter_map(piece).collect()
}

fn describe<'a>(
    start: u32,
    end: u32,
    touching: impl Iterator<Item = &'a Segment>,
) -> Option<Range> {
    let mut protection = None;
    let mut filled = false;
    for segment in touching {
        protection = Some(protection_of(segment).union(protection.unwrap_or_default()));
        filled |= !segment.data.is_empty() && start < file_end(segment);
    }
    let protection = protection?;
    let label = match (protection.execute, protection.write, filled) {
        (true, _, _) => "text",
        (false, true, true) => "data",
        (false, true, false) => "bss",
        (false, false, _) => "rodata",
    };
    Some(Range { start, end, protection, label })
}

fn protection_of(segment: &Segment) -> Protection {
    Protection { read: segment.read, write: segment.write, execute: segment.execute }
}

/// The pages of a segment: their first address and the first after them.
fn page_span(segment: &Segment) -> (u32, u32) {
    (segment.address & !(PAGE_SIZE - 1), segment.end().next_multiple_of(PAGE_SIZE))
}

/// The first page border after the bytes from the file.
fn file_end(segment: &Segment) -> u32 {
    match segment.data.len() as u32 {
        0 => segment.address & !(PAGE_SIZE - 1),
        size => (segment.address + size).next_multiple_of(PAGE_SIZE),
    }
}

/// Builds the pages that have bytes from `file`; segments are sorted and do not overlap.
pub(crate) fn build(file: &[u8], placed: &[Placed]) -> Vec<Page> {
    let mut pages = BTreeMap::new();
    for placed in placed.iter().filter(|placed| !placed.segment.data.is_empty()) {
        fill_borders(file, placed, &mut pages);
    }
    for Placed { segment, .. } in placed {
        copy(segment.address, &segment.data, &mut pages);
        clear_rest(segment, &mut pages);
    }
    let mut pages: Vec<Page> = pages.into_values().collect();
    protect(placed, &mut pages);
    pages
}

type Pages = BTreeMap<u32, Page>;

/// Copies the neighbouring bytes of the file to the borders of a segment's pages.
fn fill_borders(file: &[u8], placed: &Placed, pages: &mut Pages) {
    let Placed { segment, offset } = placed;
    // Both leave the same rest within a page, so that these never go below zero.
    let before = (segment.address % PAGE_SIZE) as usize;
    let head = &file[offset - before..*offset];
    copy(segment.address - before as u32, head, pages);
    if segment.data.len() == segment.memory_size as usize {
        let end = segment.end();
        let rest = (end.next_multiple_of(PAGE_SIZE) - end) as usize;
        let from = offset + segment.data.len();
        copy(end, &file[from..file.len().min(from + rest)], pages);
    }
}

fn copy(address: u32, bytes: &[u8], pages: &mut Pages) {
    let mut address = address;
    let mut bytes = bytes;
    while !bytes.is_empty() {
        let within = (address % PAGE_SIZE) as usize;
        let size = bytes.len().min(PAGE_SIZE as usize - within);
        let page = pages.entry(address - within as u32).or_insert_with_key(|&address| Page {
            address,
            bytes: Box::new([0; PAGE_SIZE as usize]),
            protection: Protection::default(),
        });
        page.bytes[within..within + size].copy_from_slice(&bytes[..size]);
        address += size as u32;
        bytes = &bytes[size..];
    }
}

/// Clears the bytes of a segment after its file part in the pages that exist.
fn clear_rest(segment: &Segment, pages: &mut Pages) {
    let start = segment.address + segment.data.len() as u32;
    let end = segment.end();
    if start == end {
        return;
    }
    let first = start & !(PAGE_SIZE - 1);
    for (address, page) in pages.range_mut(first..end) {
        let from = start.max(*address) - address;
        let to = (end - address).min(PAGE_SIZE);
        page.bytes[from as usize..to as usize].fill(0);
    }
}

fn protect(placed: &[Placed], pages: &mut [Page]) {
    for Placed { segment, .. } in placed {
        let (start, end) = page_span(segment);
        let first = pages.partition_point(|page| page.address < start);
        let own = pages[first..].iter_mut().take_while(|page| page.address < end);
        for page in own {
            page.protection = page.protection.union(protection_of(segment));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(address: u32, data: &[u8], memory_size: u32, write: bool, offset: usize) -> Placed {
        let data = data.to_vec();
        let segment = Segment { address, memory_size, data, read: true, write, execute: !write };
        Placed { segment, offset }
    }

    /// No common linker lays out memory like this, but the format allows it.
    #[test]
    fn segments_that_share_a_page_keep_their_bytes() {
        let mut file = vec![b'.'; 0x3000];
        file[0x100..0x104].copy_from_slice(b"code");
        file[0x1200..0x1204].copy_from_slice(b"data");
        let both = [
            placed(0x5100, b"code", 4, false, 0x100),
            placed(0x5200, b"data", 0x1000, true, 0x1200),
        ];
        let pages = build(&file, &both);
        assert_eq!(pages.len(), 1);
        let page = &pages[0];
        assert_eq!(page.address, 0x5000);
        assert_eq!(page.protection, Protection { read: true, write: true, execute: true });
        assert_eq!(&page.bytes[0x100..0x104], b"code");
        assert_eq!(&page.bytes[0x200..0x204], b"data");
        assert!(page.bytes[0x204..].iter().all(|&byte| byte == 0), "the rest is cleared");
        assert!(page.bytes[..0x100].iter().all(|&byte| byte == b'.'), "the file's bytes");
        let segments: Vec<_> = both.into_iter().map(|placed| placed.segment).collect();
        let pieces = pieces(&segments);
        let expected = [(0x5000, 0x6000, "text"), (0x6000, 0x7000, "bss")];
        let found: Vec<_> =
            pieces.iter().map(|piece| (piece.start, piece.end, piece.label)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn cleared_bytes_do_not_reach_into_the_next_segment() {
        let file = vec![b'x'; 0x1000];
        let both = [placed(0x5000, b"xxxx", 0x80, true, 0), placed(0x5080, b"xxxx", 4, true, 0x80)];
        let pages = build(&file, &both);
        assert_eq!(&pages[0].bytes[0x7c..0x88], b"\0\0\0\0xxxxxxxx");
    }
}
