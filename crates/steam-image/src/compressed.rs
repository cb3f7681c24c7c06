//! Sections that the linker compressed (`gcc -gz`): a header says how and how large they were.
//!
//! The header comes from a file that was not checked: never more is unpacked than what it
//! promises, and it may not promise more than the caller allows.

use goblin::elf::SectionHeader;
use goblin::elf::section_header::SHF_COMPRESSED;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit};

use crate::debug::NoLines;

/// The size of the header in front of the compressed bytes: method, size and alignment.
const HEADER_SIZE: usize = 12;
/// The number of zlib among the methods.
const ZLIB: u32 = 1;

/// Whether the bytes of a section are compressed.
pub(crate) fn is_compressed(header: &SectionHeader) -> bool {
    header.sh_flags & u64::from(SHF_COMPRESSED) != 0
}

/// Unpacks the section called `name`, which may have up to `limit` bytes then.
pub(crate) fn unpack(data: &[u8], name: &str, limit: usize) -> Result<Vec<u8>, NoLines> {
    let corrupt = |problem: &str| NoLines::Corrupt { problem: format!("{name} {problem}") };
    let Some((header, packed)) = data.split_first_chunk::<HEADER_SIZE>() else {
        return Err(corrupt("has no compression header"));
    };
    let field = |at: usize| {
        u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
    };
    if field(0) != ZLIB {
        return Err(NoLines::Compressed);
    }
    let size = field(4) as usize;
    if size > limit {
        let what = format!("{name} would have {} MiB unpacked", size >> 20);
        return Err(NoLines::TooLarge { what });
    }
    let bytes = decompress_to_vec_zlib_with_limit(packed, size).map_err(|error| {
        corrupt(match error.status {
            TINFLStatus::HasMoreOutput => "is larger than its header says",
            _ => "cannot be unpacked",
        })
    })?;
    if bytes.len() != size {
        return Err(corrupt("is smaller than its header says"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"hello hello hello hello";
    /// The same as zlib itself compresses it.
    const PACKED: [u8; 16] = [
        0x78, 0x9c, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x27, 0x01, 0x68, 0x03, 0x08,
        0xb1,
    ];

    fn section(method: u32, size: u32, packed: &[u8]) -> Vec<u8> {
        let header = [method, size, 1].map(u32::to_le_bytes).concat();
        [&header, packed].concat()
    }

    fn unpacked(method: u32, size: u32, packed: &[u8]) -> Result<Vec<u8>, NoLines> {
        unpack(&section(method, size, packed), "it", 1000)
    }

    #[test]
    fn the_header_must_be_right() {
        assert_eq!(unpacked(ZLIB, 23, &PACKED).as_deref(), Ok(TEXT));
        assert_eq!(unpacked(2, 23, &PACKED), Err(NoLines::Compressed));
        let is_corrupt = |result| matches!(result, Err(NoLines::Corrupt { .. }));
        assert!(is_corrupt(unpacked(ZLIB, 22, &PACKED)));
        assert!(is_corrupt(unpacked(ZLIB, 24, &PACKED)));
        assert!(is_corrupt(unpacked(ZLIB, 0, &PACKED)));
        let whole = section(ZLIB, 23, &PACKED);
        for size in 0..whole.len() {
            assert!(is_corrupt(unpack(&whole[..size], "it", 1000)), "{size} bytes");
        }
    }

    #[test]
    fn no_more_than_the_limit_is_unpacked() {
        let too_large =
            |size| matches!(unpacked(ZLIB, size, &PACKED), Err(NoLines::TooLarge { .. }));
        assert!(too_large(1001));
        assert!(too_large(u32::MAX));
        assert!(!too_large(1000));
        let bomb = miniz_oxide::deflate::compress_to_vec_zlib(&vec![0; 10 << 20], 9);
        assert!(bomb.len() < 20_000);
        let result = unpacked(ZLIB, 1000, &bomb);
        assert!(matches!(result, Err(NoLines::Corrupt { problem }) if problem.contains("larger")));
    }

    #[test]
    fn damaged_bytes_never_pass_for_the_text() {
        for place in 0..PACKED.len() {
            for bit in 0..8 {
                let mut packed = PACKED;
                packed[place] ^= 1 << bit;
                // The header of zlib has bits without a meaning for the text.
                let result = unpacked(ZLIB, 23, &packed);
                assert!(result.is_err() || result.as_deref() == Ok(TEXT), "{place} {bit}");
            }
        }
    }
}
