//! The memory of a program, compared with what the kernel and the linker's tools say of it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::compiler::{DUMPER, VARIABLES, build, installed, run};
use steam_image::{Image, Kind, PAGE_SIZE, PIE_BASE, SymbolKind};

const STATIC: &str = "-m32 -static -g";

fn load(path: &Path) -> Image {
    Image::read_file(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn number(text: &str) -> u32 {
    u32::from_str_radix(text.trim_start_matches("0x"), 16).expect("a hexadecimal number")
}

/// The pages that the program finds when the kernel starts it, relative to its first one.
fn native_pages(path: &Path) -> BTreeMap<u32, Vec<u8>> {
    let result = Command::new(path)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .expect("a 32-bit program runs on this machine");
    assert_eq!(result.status.code(), Some(0), "the program that dumps its memory failed");
    let size = 4 + PAGE_SIZE as usize;
    assert_eq!(result.stdout.len() % size, 0);
    let split = |record: &[u8]| {
        let (address, bytes) = record.split_at(4);
        (u32::from_le_bytes(address.try_into().expect("four bytes")), bytes.to_vec())
    };
    let pages: BTreeMap<_, _> = result.stdout.chunks(size).map(split).collect();
    let first = *pages.keys().next().expect("at least one page");
    pages.into_iter().map(|(address, bytes)| (address - first, bytes)).collect()
}

/// The same from the image.
fn image_pages(image: &Image) -> BTreeMap<u32, Vec<u8>> {
    let mut pages = BTreeMap::new();
    for range in image.ranges().iter().filter(|range| range.protection.read) {
        for address in (range.start..range.end).step_by(PAGE_SIZE as usize) {
            pages.insert(address, vec![0; PAGE_SIZE as usize]);
        }
    }
    for page in image.pages() {
        let mapped = pages.insert(page.address, page.bytes.to_vec());
        assert!(mapped.is_some(), "page {:#x} is outside of all ranges", page.address);
    }
    let first = *pages.keys().next().expect("at least one page");
    pages.into_iter().map(|(address, bytes)| (address - first, bytes)).collect()
}

#[track_caller]
fn check_pages(flags: &str, output: &str) {
    let common = "-m32 -nostdlib -ffreestanding -fno-stack-protector -fcf-protection=none";
    let path = build(&format!("{flags} {common}"), "dumper.c", DUMPER, output);
    let image = load(&path);
    let (native, ours) = (native_pages(&path), image_pages(&image));
    assert_eq!(native.keys().collect::<Vec<_>>(), ours.keys().collect::<Vec<_>>(), "{output}");
    for (address, bytes) in &native {
        assert!(bytes == &ours[address], "{output}: page {address:#x} differs");
    }
}

#[test]
fn pages_are_those_that_the_kernel_maps() {
    check_pages("gcc -static", "dumper_default");
    check_pages("gcc -static -O2 -Wl,-z,noseparate-code", "dumper_noseparate");
    check_pages("gcc -static -Wl,-z,norelro -Wl,-z,noseparate-code", "dumper_norelro");
    check_pages("gcc -static -Wl,-N", "dumper_one_segment");
    check_pages("gcc -static-pie -fpie", "dumper_pie");
    if installed("clang") {
        check_pages("clang -static -Wl,--build-id=none", "dumper_clang");
    }
}

#[track_caller]
fn check_segments(path: &Path) {
    let image = load(path);
    let listing = run("readelf", &["-lW", path.to_str().expect("a path")]);
    let loads = listing.lines().filter(|line| line.trim_start().starts_with("LOAD"));
    let mut count = 0;
    for (line, segment) in loads.zip(&image.segments) {
        let fields: Vec<_> = line.split_whitespace().collect();
        assert_eq!(number(fields[2]) + image.base, segment.address);
        assert_eq!(number(fields[4]) as usize, segment.data.len());
        assert_eq!(number(fields[5]), segment.memory_size);
        let flags = fields[6..fields.len() - 1].join("");
        assert_eq!(flags.contains('R'), segment.read);
        assert_eq!(flags.contains('W'), segment.write);
        assert_eq!(flags.contains('E'), segment.execute);
        count += 1;
    }
    assert_eq!(count, image.segments.len());
    let header = run("readelf", &["-hW", path.to_str().expect("a path")]);
    let entry = header.lines().find_map(|line| line.trim().strip_prefix("Entry point address:"));
    assert_eq!(number(entry.expect("an entry").trim()) + image.base, image.entry);
    let last = image.segments.last().expect("a segment");
    assert_eq!(image.end, last.end().next_multiple_of(PAGE_SIZE));
    check_own_headers(&image);
}

/// The program headers in memory are those in the file.
fn check_own_headers(image: &Image) {
    let headers = image.program_headers;
    let page = image.pages().find(|page| page.address == headers.address & !(PAGE_SIZE - 1));
    let page = page.expect("the page with the program headers");
    let place = (headers.address % PAGE_SIZE) as usize;
    let first = u32::from_le_bytes(page.bytes[place..place + 4].try_into().expect("four bytes"));
    assert!((1..=8).contains(&first) || first >= 0x6000_0000, "not a header type: {first:#x}");
    assert_eq!(headers.entry_size, 32);
    assert!(headers.count >= 3);
}

/// Each symbol that `nm` lists is there, and each one here is listed.
#[track_caller]
fn check_symbols(path: &Path) {
    let image = load(path);
    let listing = run("nm", &["-a", path.to_str().expect("a path")]);
    let mut expected = Vec::new();
    for line in listing.lines() {
        let fields: Vec<_> = line.split_whitespace().collect();
        let [address, letter, name] = fields[..] else { continue };
        // Files (`a`) and sections (a name with a dot) are no symbols here.
        if letter == "a" || name.starts_with('.') {
            continue;
        }
        let name = name.split('@').next().expect("a name");
        let global =
            letter.chars().all(char::is_uppercase) && letter != "N" || "uwvi".contains(letter);
        expected.push((name.to_owned(), number(address), global && letter != "i"));
    }
    let mut found: Vec<_> = image
        .symbols
        .iter()
        .filter(|symbol| !symbol.name.starts_with('.'))
        .map(|symbol| {
            // Offsets of thread-local variables and absolute values are not moved.
            let base = if symbol.address < image.base { 0 } else { image.base };
            let global = symbol.global && symbol.kind != SymbolKind::Ifunc;
            (symbol.name.clone(), symbol.address - base, global)
        })
        .collect();
    expected.sort();
    found.sort();
    assert!(expected.len() > 1000, "a static program has many symbols");
    let difference: Vec<_> = expected.iter().zip(&found).filter(|(a, b)| a != b).take(5).collect();
    assert!(difference.is_empty(), "nm and the image differ: {difference:?}");
    assert_eq!(expected.len(), found.len());
}

#[test]
fn static_programs_have_the_segments_and_symbols_of_the_linker() {
    let mut programs = vec![
        (build(&format!("gcc {STATIC}"), "v.c", VARIABLES, "v_gcc"), Kind::Executable),
        (build(&format!("gcc {STATIC} -O2"), "v.c", VARIABLES, "v_gcc_o2"), Kind::Executable),
        (build("gcc -m32 -static-pie -fpie", "v.c", VARIABLES, "v_pie"), Kind::StaticPie),
    ];
    if installed("clang") {
        let path = build(&format!("clang {STATIC}"), "v.c", VARIABLES, "v_clang");
        programs.push((path, Kind::Executable));
    }
    for (path, kind) in &programs {
        let image = load(path);
        assert_eq!(image.kind, *kind);
        assert_eq!(image.base, if *kind == Kind::StaticPie { PIE_BASE } else { 0 });
        check_segments(path);
        check_symbols(path);
        assert!(!image.stack_executable);
        assert_eq!(image.thread_local.expect("a thread-local segment").alignment, 4);
        assert!(image.read_only_after_relocation.is_some());
    }
}

#[test]
fn symbols_are_found_by_name_and_by_address() {
    let image = load(&build(&format!("gcc {STATIC}"), "v.c", VARIABLES, "v_symbols"));
    let one = |name: &str| {
        let found: Vec<_> = image.symbols.find(name).collect();
        assert_eq!(found.len(), 1, "{name}");
        found[0].clone()
    };
    let twice = one("twice");
    assert_eq!((twice.kind, twice.global), (SymbolKind::Function, true));
    assert_eq!((one("hidden").kind, one("hidden").global), (SymbolKind::Function, false));
    assert_eq!((one("zero").kind, one("zero").size), (SymbolKind::Object, 20_000));
    assert_eq!(one("own").kind, SymbolKind::Tls);
    assert_eq!(image.symbols.find("no such name").count(), 0);
    for offset in 0..twice.size {
        let (symbol, distance) = image.symbols.at(twice.address + offset).expect("a symbol");
        assert_eq!((symbol.name.as_str(), distance), ("twice", offset));
    }
    let (symbol, distance) = image.symbols.at(one("zero").address + 19_999).expect("a symbol");
    assert_eq!((symbol.name.as_str(), distance), ("zero", 19_999));
    // Of the many names of one function, that of the standard is shown.
    let (symbol, _) = image.symbols.at(one("malloc").address).expect("a symbol");
    assert_eq!(symbol.name, "malloc");
    assert!(image.symbols.at(0).is_none());
    assert!(image.symbols.at(u32::MAX).is_none());
}

/// Whoever looks through all symbols for those that cover an address finds the same one.
#[test]
fn the_symbol_at_an_address_covers_it_as_tightly_as_any() {
    let image = load(&build(&format!("gcc {STATIC}"), "v.c", VARIABLES, "v_cover"));
    let sized: Vec<_> = image
        .symbols
        .iter()
        .filter(|symbol| symbol.size > 0 && symbol.kind != SymbolKind::Tls)
        .filter(|symbol| symbol.kind != SymbolKind::Other)
        .collect();
    for address in
        sized.iter().flat_map(|symbol| [symbol.address, symbol.address + symbol.size - 1])
    {
        let covering = sized.iter().filter(|it| address.wrapping_sub(it.address) < it.size);
        let latest = covering.map(|symbol| symbol.address).max();
        let (symbol, offset) = image.symbols.at(address).expect("a symbol");
        assert_eq!((Some(symbol.address), symbol.address + offset), (latest, address));
    }
}

#[test]
fn ranges_are_aligned_ascending_and_cover_all_segments() {
    for (flags, output) in [("-static", "r_static"), ("-static-pie -fpie", "r_pie")] {
        let path = build(&format!("gcc -m32 {flags}"), "v.c", VARIABLES, output);
        let image = load(&path);
        let ranges = image.ranges();
        for pair in ranges.windows(2) {
            assert!(pair[0].end <= pair[1].start);
        }
        for range in &ranges {
            assert_eq!((range.start % PAGE_SIZE, range.end % PAGE_SIZE), (0, 0));
            assert!(range.start < range.end);
        }
        for segment in &image.segments {
            for address in [segment.address, segment.end() - 1] {
                let range = ranges.iter().find(|it| (it.start..it.end).contains(&address));
                let protection = range.expect("a range").protection;
                assert!(protection.read >= segment.read && protection.write >= segment.write);
                assert!(protection.execute >= segment.execute);
            }
        }
        let labels: Vec<_> = ranges.iter().map(|range| range.label).collect();
        assert_eq!(labels, ["rodata", "text", "rodata", "data", "bss"]);
    }
}
