//! Which words of a page hold values that may be pointers into the heap.

use crate::heap::{HEAP_END, HEAP_START};
use crate::page::PageBytes;

/// The words of a page whose values may be pointers into the heap, by value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PagePointers(Box<[(u32, u16)]>);

impl PagePointers {
    /// Those among the aligned words of a page.
    pub fn of(page: &PageBytes) -> Self {
        let words = page.chunks_exact(4).zip((0..).step_by(4));
        let value = |word: &[u8]| u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        let mut found: Vec<(u32, u16)> = words
            .map(|(word, offset)| (value(word), offset))
            .filter(|(value, _)| (HEAP_START..HEAP_END).contains(value))
            .collect();
        found.sort_unstable();
        Self(found.into())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The offsets of the words whose values lie in `start..end`.
    pub fn into_range(&self, start: u32, end: u32) -> impl Iterator<Item = u16> + '_ {
        let first = self.0.partition_point(|(value, _)| *value < start);
        self.0[first..].iter().take_while(move |(value, _)| *value < end).map(|(_, offset)| *offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_found_by_where_they_point() {
        let mut page = [0; 4096];
        for (offset, value) in
            [(8, HEAP_START + 16), (100, HEAP_START + 40), (4092, HEAP_START + 24), (12, 77)]
        {
            page[offset..offset + 4].copy_from_slice(&u32::to_le_bytes(value));
        }
        // Not aligned.
        page[202..206].copy_from_slice(&u32::to_le_bytes(HEAP_START + 20));
        let pointers = PagePointers::of(&page);
        let into = |start, end| -> Vec<u16> {
            pointers.into_range(HEAP_START + start, HEAP_START + end).collect()
        };
        assert_eq!(into(16, 40), [8, 4092]);
        assert_eq!(into(24, 41), [4092, 100]);
        assert!(into(0, 16).is_empty() && into(41, 4096).is_empty());
        assert!(PagePointers::of(&[0; 4096]).is_empty());
    }
}
