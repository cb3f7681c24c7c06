//! Any bytes are an image or an error; an image answers all questions.
//!
//! `cargo +nightly fuzz run loader fuzz/corpus/loader` with static programs as the first corpus.

#![no_main]

use libfuzzer_sys::fuzz_target;
use steam_image::Image;

fuzz_target!(|bytes: &[u8]| {
    let image = match Image::parse(bytes, "fuzzed") {
        Ok(image) => image,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let ranges = image.ranges();
    for page in image.pages() {
        assert!(ranges.iter().any(|range| (range.start..range.end).contains(&page.address)));
    }
    assert!(image.segment_at(image.entry).is_some_and(|segment| segment.execute));
    let starts = image.symbols.iter().map(|symbol| symbol.address).take(64);
    for address in starts.chain([0, image.entry, image.end, u32::MAX]) {
        image.lines.frames(address);
        if let Some((symbol, offset)) = image.symbols.at(address) {
            assert_eq!(symbol.address.wrapping_add(offset), address);
        }
    }
    for symbol in image.symbols.iter().take(64) {
        assert!(image.symbols.find(&symbol.name).any(|found| found == symbol));
    }
});
