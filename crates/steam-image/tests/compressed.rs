//! Compressed debug sections: the same frames as without, and no harm from damaged ones.

mod compiler;

use std::fs;
use std::path::Path;
use std::process::Command;

use compiler::{VARIABLES, build};
use steam_image::{Frame, Image, NoLines};

fn load(path: &Path) -> Image {
    Image::read_file(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The frames at each address of the program's own functions.
fn frames(image: &Image) -> Vec<Vec<Frame>> {
    let mut frames = Vec::new();
    for name in ["main", "twice", "hidden"] {
        for symbol in image.symbols.find(name) {
            let addresses = symbol.address..symbol.address + symbol.size;
            frames.extend(addresses.map(|address| image.lines.frames(address)));
        }
    }
    assert!(frames.len() > 50, "only {} addresses", frames.len());
    frames
}

/// The place of the header of a section, and of its bytes.
fn section(bytes: &[u8], wanted: &str) -> (usize, usize, usize) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let short = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let header = |index: usize| word(32) as usize + 40 * index;
    let names = word(header(short(50)) + 16) as usize;
    let is_wanted = |&place: &usize| {
        let name = names + word(place) as usize;
        bytes[name..].starts_with(wanted.as_bytes()) && bytes[name + wanted.len()] == 0
    };
    let place = (0..short(48)).map(header).find(is_wanted).expect("the section");
    (place, word(place + 16) as usize, word(place + 20) as usize)
}

fn is_compressed(path: &Path) -> bool {
    let bytes = fs::read(path).expect("the program");
    let flags = section(&bytes, ".debug_info").0 + 8;
    bytes[flags + 1] & 8 != 0
}

#[test]
fn compressed_sections_give_the_same_frames() {
    // The sources lie in different directories: their names tell of the compiler's call alone.
    let common = "gcc -m32 -static -ffile-prefix-map=";
    let source = |output: &str| {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(output);
        format!("{common}{}=/source -O2", directory.display())
    };
    for version in ["-gdwarf-4", "-gdwarf-5"] {
        let one = |gz: &str, output: &str| {
            let command = format!("{} {version} {gz}", source(output));
            build(&command, "v.c", VARIABLES, output)
        };
        let plain = one("-gz=none", &format!("z_plain{version}"));
        let zlib = one("-gz=zlib", &format!("z_zlib{version}"));
        assert!(!is_compressed(&plain) && is_compressed(&zlib));
        let by_tool = plain.with_file_name("by_objcopy");
        let status = Command::new("objcopy")
            .arg("--compress-debug-sections=zlib")
            .args([&plain, &by_tool])
            .status();
        assert!(status.is_ok_and(|status| status.success()));
        assert!(is_compressed(&by_tool));
        let expected = frames(&load(&plain));
        assert!(expected.iter().any(|frames| frames[0].line.is_some()));
        for path in [zlib, by_tool] {
            let image = load(&path);
            assert_eq!(image.lines.missing(), None);
            assert!(frames(&image) == expected, "{}", path.display());
        }
    }
}

/// Of call frame information in a compressed section callers are found, too.
#[test]
fn compressed_call_frames_are_read() {
    let command = "gcc -m32 -static -nostdlib -O2 -g -fno-asynchronous-unwind-tables";
    let source = "int data; __attribute__((noinline)) int twice(int x) { return data += x; }
        void _start(void) { for (;;) twice(1); }";
    let rules =
        [("-gz=none", "z_frame_plain"), ("-gz=zlib", "z_frame_zlib")].map(|(gz, output)| {
            let path = build(&format!("{command} {gz}"), "f.c", source, output);
            let image = load(&path);
            let start = image.symbols.find("twice").next().expect("the function").address;
            let at = steam_image::Activation { gpr: [0x100; 8], eip: start, exact: true };
            image.unwinder.caller(&at, &mut |address| Some(address + 0x5000))
        });
    assert_eq!(rules[0].expect("the caller").eip, 0x5100);
    assert_eq!(rules[0], rules[1]);
}

#[test]
fn other_compression_is_named_as_such() {
    let path = build("gcc -m32 -static -g -gz=zlib-gnu", "v.c", VARIABLES, "z_gnu");
    let image = load(&path);
    assert_eq!(image.lines.missing(), Some(&NoLines::Compressed));
    let path = build("gcc -m32 -static -g -gz=zlib", "v.c", VARIABLES, "z_method");
    let mut bytes = fs::read(&path).expect("the program");
    let (_, place, _) = section(&bytes, ".debug_info");
    // The number of zstd among the methods.
    bytes[place] = 2;
    let image = Image::parse(&bytes, "zstd").expect("a program");
    assert_eq!(image.lines.missing(), Some(&NoLines::Compressed));
    let twice = image.symbols.find("twice").next().expect("the function");
    assert_eq!(image.lines.frames(twice.address)[0].function.as_deref(), Some("twice"));
}

#[test]
fn damaged_sections_do_no_harm() {
    let path = build("gcc -m32 -static -g -gz=zlib", "v.c", VARIABLES, "z_damaged");
    let sound = fs::read(&path).expect("the program");
    let (_, info, size) = section(&sound, ".debug_info");
    let mut refused = 0;
    for step in 0..400 {
        let mut bytes = sound.clone();
        let place = info + step * 7919 % size;
        bytes[place] ^= 1 << (step % 8);
        let image = Image::parse(&bytes, "damaged").expect("a program");
        let twice = image.symbols.find("twice").next().expect("the function");
        assert_eq!(image.lines.frames(twice.address)[0].function.as_deref(), Some("twice"));
        refused += u32::from(image.lines.missing().is_some());
    }
    // All but those that hit a field without a meaning, as the alignment.
    assert!(refused > 380, "{refused}");
}

/// Each of these sections is within its limit; all together would be half a gigabyte.
#[test]
fn bombs_are_not_unpacked_without_end() {
    let sections = ["abbrev", "addr", "info", "line", "line_str", "ranges", "rnglists", "str"];
    let mut source = ".globl _start\n_start: jmp _start\n".to_owned();
    for name in sections {
        source += &format!(".section .debug_{name}, \"\", @progbits\n.fill 0x3f00000, 1, 0\n");
    }
    let command =
        "gcc -m32 -static -nostdlib -Wl,--build-id=none -Wl,--compress-debug-sections=zlib";
    let path = build(command, "bomb.S", &source, "z_bomb");
    let size = fs::metadata(&path).expect("the program").len();
    assert!(size < 2 << 20, "{size}");
    let before = peak_memory();
    let image = load(&path);
    let why = image.lines.missing();
    assert!(
        matches!(why, Some(NoLines::TooLarge { what }) if what.contains("unpacked")),
        "{why:?}"
    );
    let grown = peak_memory() - before;
    assert!(grown < 320 << 10, "{grown} KiB");
}

/// The most memory that this process ever had, in KiB.
fn peak_memory() -> u64 {
    let text = fs::read_to_string("/proc/self/status").expect("the status of this process");
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}
