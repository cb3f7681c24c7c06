//! The string models against loops over bytes: values, written bytes, and the byte at which an
//! access that leaves its block is refused.

use steam_report::FailureProblem;
use steam_state::{AccessError, AccessKind};

use super::{Bench, HEAP_START, Library, Random};

/// Two areas with forbidden bytes around them; both may cross pages.
struct Areas {
    bench: Bench,
    left: (u32, Vec<u8>),
    right: (u32, Vec<u8>),
}

/// What a loop over bytes does: reads and writes bytes of the areas, or leaves them.
struct Twin<'a> {
    areas: [(u32, &'a mut Vec<u8>); 2],
}

/// An access that leaves the areas: its address, and whether it writes.
type Refusal = (u32, bool);

impl Twin<'_> {
    fn read(&self, address: u32) -> Result<u8, Refusal> {
        let found = self
            .areas
            .iter()
            .find_map(|(start, bytes)| bytes.get(address.checked_sub(*start)? as usize).copied());
        found.ok_or((address, false))
    }

    fn write(&mut self, address: u32, byte: u8) -> Result<(), Refusal> {
        let place = self
            .areas
            .iter_mut()
            .find_map(|(start, bytes)| bytes.get_mut(address.checked_sub(*start)? as usize));
        *place.ok_or((address, true))? = byte;
        Ok(())
    }
}

fn areas(random: &mut Random) -> Areas {
    let mut bench = Bench::new();
    let mut area = |base: u32, bench: &mut Bench| {
        // Most areas are small; all lie around the end of a page.
        let size = if random.below(4) == 0 { random.below(9000) } else { random.below(60) } + 1;
        let start = base + 0x1000 - random.below(80);
        let letters = 1 + random.below(3);
        let bytes: Vec<u8> = (0..size)
            .map(|_| match random.below(200) {
                0..12 => 0,
                12..14 => random.below(256) as u8,
                _ => b'a' + random.below(letters) as u8,
            })
            .collect();
        bench.place(start, &bytes);
        (start, bytes)
    };
    let left = area(HEAP_START, &mut bench);
    let right = area(HEAP_START + 0x8000, &mut bench);
    Areas { bench, left, right }
}

/// Calls a model and its twin on the same bytes and compares all that can be seen.
fn agree(
    name: &str,
    areas: &mut Areas,
    arguments: &[u32],
    twin: impl Fn(&mut Twin<'_>, &[u32]) -> Result<u32, Refusal>,
) {
    let Areas { bench, left, right } = areas;
    let (left_start, right_start) = (left.0, right.0);
    let expected = {
        let mut state = Twin { areas: [(left_start, &mut left.1), (right_start, &mut right.1)] };
        twin(&mut state, arguments)
    };
    let found = bench.call(name, arguments);
    match (expected, found) {
        (Ok(value), Ok(result)) => {
            assert_eq!(result, value, "{name} {arguments:x?}");
        }
        (Err((byte, write)), Err(failure)) => {
            let FailureProblem::Access(AccessError { kind, byte: refused, .. }) = failure.problem
            else {
                panic!("{name}: {failure:?}")
            };
            assert_eq!(failure.function, name);
            assert_eq!((refused, kind == AccessKind::Write), (byte, write), "{name}");
        }
        (expected, found) => panic!("{name} {arguments:x?}: {expected:x?} but {found:x?}"),
    }
    assert_eq!(bench.bytes(left_start, left.1.len()), left.1, "{name} {arguments:x?}");
    assert_eq!(bench.bytes(right_start, right.1.len()), right.1, "{name} {arguments:x?}");
}

fn naive_length(twin: &Twin<'_>, text: u32, limit: u32) -> Result<u32, Refusal> {
    let mut count = 0;
    while count < limit && twin.read(text + count)? != 0 {
        count += 1;
    }
    Ok(count)
}

/// An address in an area.
fn inside(random: &mut Random, area: &(u32, Vec<u8>)) -> u32 {
    area.0 + random.below((area.1.len() as u32).min(20))
}

/// A size that mostly fits and sometimes does not.
fn size(random: &mut Random, area: &(u32, Vec<u8>)) -> u32 {
    random.below(area.1.len() as u32 + 8)
}

fn repeat(check: impl Fn(&mut Random, &mut Areas)) {
    for seed in 0..700 {
        let mut random = Random(seed);
        let mut areas = areas(&mut random);
        check(&mut random, &mut areas);
    }
}

#[test]
fn lengths() {
    repeat(|random, areas| {
        let text = inside(random, &areas.left);
        let limit = size(random, &areas.left);
        agree("strlen", areas, &[text], |twin, a| naive_length(twin, a[0], u32::MAX));
        agree("strnlen", areas, &[text, limit], |twin, a| naive_length(twin, a[0], a[1]));
    });
}

#[test]
fn searches() {
    repeat(|random, areas| {
        let text = inside(random, &areas.left);
        let wanted = [0, 0x61, 0x62, 0x163, 0x7a][random.below(5) as usize];
        let limit = size(random, &areas.left);
        let forward = |twin: &mut Twin<'_>, a: &[u32]| -> Result<(u32, u8), Refusal> {
            let mut at = a[0];
            loop {
                let byte = twin.read(at)?;
                if byte == a[1] as u8 || byte == 0 {
                    return Ok((at, byte));
                }
                at += 1;
            }
        };
        agree("strchrnul", areas, &[text, wanted], |twin, a| Ok(forward(twin, a)?.0));
        agree("strchr", areas, &[text, wanted], |twin, a| {
            let (at, byte) = forward(twin, a)?;
            Ok(if byte == a[1] as u8 { at } else { 0 })
        });
        agree("strrchr", areas, &[text, wanted], |twin, a| {
            let end = naive_length(twin, a[0], u32::MAX)?;
            let found = (0..=end).rev().find(|i| twin.read(a[0] + i) == Ok(a[1] as u8));
            Ok(found.map_or(0, |i| a[0] + i))
        });
        agree("memchr", areas, &[text, wanted, limit], |twin, a| {
            for at in a[0]..a[0] + a[2] {
                if twin.read(at)? == a[1] as u8 {
                    return Ok(at);
                }
            }
            Ok(0)
        });
        agree("memrchr", areas, &[text, wanted, limit], |twin, a| {
            for at in (a[0]..a[0] + a[2]).rev() {
                if twin.read(at)? == a[1] as u8 {
                    return Ok(at);
                }
            }
            Ok(0)
        });
        agree("rawmemchr", areas, &[text, wanted], |twin, a| {
            let mut at = a[0];
            while twin.read(at)? != a[1] as u8 {
                at += 1;
            }
            Ok(at)
        });
    });
}

/// Copies a string as C describes it: the length is known before the first byte is written.
fn naive_copy(twin: &mut Twin<'_>, to: u32, from: u32, limit: u32) -> Result<u32, Refusal> {
    let length = naive_length(twin, from, limit)?;
    for i in 0..length {
        let byte = twin.read(from + i)?;
        twin.write(to + i, byte)?;
    }
    Ok(length)
}

#[test]
fn copies_of_strings() {
    repeat(|random, areas| {
        let (to, from) = (inside(random, &areas.left), inside(random, &areas.right));
        let limit = size(random, &areas.left);
        let whole = |twin: &mut Twin<'_>, to, from| {
            let length = naive_copy(twin, to, from, u32::MAX)?;
            twin.write(to + length, 0)?;
            Ok(to + length)
        };
        match random.below(8) {
            0 => agree("strcpy", areas, &[to, from], |t, a| whole(t, a[0], a[1]).map(|_| a[0])),
            1 => agree("stpcpy", areas, &[to, from], |twin, a| whole(twin, a[0], a[1])),
            2 => agree("strcat", areas, &[to, from], |twin, a| {
                let end = a[0] + naive_length(twin, a[0], u32::MAX)?;
                whole(twin, end, a[1]).map(|_| a[0])
            }),
            3 => agree("strncat", areas, &[to, from, limit], |twin, a| {
                let end = a[0] + naive_length(twin, a[0], u32::MAX)?;
                let copied = naive_copy(twin, end, a[1], a[2])?;
                twin.write(end + copied, 0).map(|()| a[0])
            }),
            4 | 5 => {
                let name = if random.below(2) == 0 { "strncpy" } else { "stpncpy" };
                agree(name, areas, &[to, from, limit], |twin, a| {
                    let copied = naive_copy(twin, a[0], a[1], a[2])?;
                    for i in copied..a[2] {
                        twin.write(a[0] + i, 0)?;
                    }
                    Ok(if name == "strncpy" { a[0] } else { a[0] + copied })
                });
            }
            6 => agree("strlcpy", areas, &[to, from, limit], |twin, a| {
                let length = naive_length(twin, a[1], u32::MAX)?;
                if a[2] > 0 {
                    let copied = naive_copy(twin, a[0], a[1], a[2] - 1)?;
                    twin.write(a[0] + copied, 0)?;
                }
                Ok(length)
            }),
            _ => agree("memccpy", areas, &[to, from, 0x62, limit], |twin, a| {
                let mut end = None;
                for i in 0..a[3] {
                    if twin.read(a[1] + i)? == 0x62 {
                        end = Some(i + 1);
                        break;
                    }
                }
                for i in 0..end.unwrap_or(a[3]) {
                    let byte = twin.read(a[1] + i)?;
                    twin.write(a[0] + i, byte)?;
                }
                Ok(end.map_or(0, |end| a[0] + end))
            }),
        }
    });
}

#[test]
fn copies_of_bytes_overlap_and_are_all_or_nothing() {
    repeat(|random, areas| {
        let to = inside(random, &areas.left);
        let overlapping = random.below(2) == 0;
        let from = inside(random, if overlapping { &areas.left } else { &areas.right });
        let count = size(random, &areas.left);
        let name = match random.below(3) {
            0 if !overlapping => "memcpy",
            1 if !overlapping => "mempcpy",
            _ => "memmove",
        };
        agree(name, areas, &[to, from, count], |twin, a| {
            let bytes = (0..a[2]).map(|i| twin.read(a[1] + i)).collect::<Result<Vec<_>, _>>()?;
            let refused = (0..a[2]).find(|i| twin.read(a[0] + i).is_err());
            if let Some(i) = refused {
                return Err((a[0] + i, true));
            }
            for (i, byte) in bytes.into_iter().enumerate() {
                twin.write(a[0] + i as u32, byte)?;
            }
            Ok(if name == "mempcpy" { a[0] + a[2] } else { a[0] })
        });
        agree("memset", areas, &[to, 0x1ff, count], |twin, a| {
            if let Some(i) = (0..a[2]).find(|i| twin.read(a[0] + i).is_err()) {
                return Err((a[0] + i, true));
            }
            (0..a[2]).try_for_each(|i| twin.write(a[0] + i, 0xff))?;
            Ok(a[0])
        });
    });
}

#[test]
fn only_memmove_copies_between_blocks_that_overlap() {
    let mut bench = Bench::new();
    bench.place(HEAP_START, b"0123456789abcdef\0 ");
    let at = |offset: u32| HEAP_START + offset;
    let overlaps = |bench: &mut Bench, name: &'static str, arguments: &[u32]| {
        let failure = bench.call(name, arguments).err();
        failure.is_some_and(|it| matches!(it.problem, FailureProblem::Overlap { .. }))
    };
    for name in ["memcpy", "mempcpy"] {
        assert!(overlaps(&mut bench, name, &[at(0), at(3), 4]));
        assert!(overlaps(&mut bench, name, &[at(3), at(0), 4]));
        assert!(!overlaps(&mut bench, name, &[at(0), at(4), 4]));
        assert!(!overlaps(&mut bench, name, &[at(2), at(2), 4]));
        assert!(!overlaps(&mut bench, name, &[at(2), at(3), 0]));
    }
    assert!(!overlaps(&mut bench, "memmove", &[at(0), at(3), 4]));
    assert!(overlaps(&mut bench, "strcpy", &[at(10), at(12)]));
    assert!(!overlaps(&mut bench, "strcpy", &[at(0), at(12)]));
    assert!(overlaps(&mut bench, "strncpy", &[at(10), at(14), 5]));
}

/// The sign of an answer, as a value.
fn sign(value: i32) -> u32 {
    value.signum() as u32
}

#[test]
fn comparisons() {
    repeat(|random, areas| {
        let library = if random.below(2) == 0 { Library::Glibc } else { Library::Musl };
        areas.bench.library = library;
        if random.below(2) == 0 {
            // Equal but for the end.
            let size = areas.left.1.len().min(areas.right.1.len());
            let bytes = areas.left.1[..size - 1].to_vec();
            areas.right.1[..size - 1].copy_from_slice(&bytes);
            areas.bench.place(areas.right.0, &bytes);
        }
        let (a, b) = (areas.left.0, areas.right.0);
        let limit = size(random, &areas.left);
        let strings = |twin: &mut Twin<'_>, a: &[u32], limit| -> Result<(u32, i32), Refusal> {
            for i in 0..limit {
                let (x, y) = (twin.read(a[0] + i)?, twin.read(a[1] + i)?);
                if x != y || x == 0 {
                    return Ok((i, i32::from(x) - i32::from(y)));
                }
            }
            Ok((limit, 0))
        };
        agree("strcmp", areas, &[a, b], |twin, a| {
            let (place, difference) = strings(twin, a, u32::MAX)?;
            let near_end = |x: u32| x % 4096 > 4080;
            let early = place < if near_end(a[0]) || near_end(a[1]) { 8 } else { 24 };
            Ok(match library {
                Library::Glibc if early => sign(difference),
                _ => difference as u32,
            })
        });
        let folded = |twin: &mut Twin<'_>, a: &[u32]| -> Result<u32, Refusal> {
            for i in 0..a[2] {
                let (x, y) = (twin.read(a[0] + i)?, twin.read(a[1] + i)?);
                let difference = x.to_ascii_lowercase().cmp(&y.to_ascii_lowercase());
                if difference.is_ne() || x == 0 {
                    return Ok(difference as i32 as u32);
                }
            }
            Ok(0)
        };
        if library == Library::Glibc {
            // In the first bytes, where the value is the sign.
            let few = [a, b, limit.min(8)];
            agree("strncasecmp", areas, &few, folded);
        }
        agree("strncmp", areas, &[a, b, limit], |twin, a| Ok(strings(twin, a, a[2])?.1 as u32));
        agree("memcmp", areas, &[a, b, limit], |twin, a| {
            for start in [a[0], a[1]] {
                (0..a[2]).try_for_each(|i| twin.read(start + i).map(|_| ()))?;
            }
            for i in 0..a[2] {
                let (x, y) = (twin.read(a[0] + i)?, twin.read(a[1] + i)?);
                if x != y {
                    let difference = i32::from(x) - i32::from(y);
                    let plain = library == Library::Musl || a[2] == 1;
                    return Ok(if plain { difference as u32 } else { sign(difference) });
                }
            }
            Ok(0)
        });
    });
}

#[test]
fn wide_characters() {
    let mut bench = Bench::new();
    let (a, b) = (HEAP_START + 0xff4, HEAP_START + 0x8ff8);
    let units = |units: &[i32]| units.iter().flat_map(|u| u.to_le_bytes()).collect::<Vec<u8>>();
    bench.place(a, &units(&[5, 7, 5, -3, 0]));
    bench.place(b, &units(&[5, 7, 5, 9, 0, 1, 1]));
    assert_eq!(bench.call("wcslen", &[a]), Ok(4));
    assert_eq!(bench.call("wcsnlen", &[a, 3]), Ok(3));
    assert_eq!(bench.call("wcschr", &[a, 5]), Ok(a));
    assert_eq!(bench.call("wcschr", &[a, 0]), Ok(a + 16));
    assert_eq!(bench.call("wcschr", &[a, 6]), Ok(0));
    assert_eq!(bench.call("wcsrchr", &[a, 5]), Ok(a + 8));
    assert_eq!(bench.call("wcscmp", &[a, b]), Ok(u32::MAX));
    assert_eq!(bench.call("wcscmp", &[b, a]), Ok(1));
    assert_eq!(bench.call("wcsncmp", &[a, b, 3]), Ok(0));
    assert_eq!(bench.call("wmemcmp", &[b, a, 5]), Ok(1));
    assert_eq!(bench.call("wmemchr", &[b, 9, 7]), Ok(b + 12));
    assert_eq!(bench.call("wmemchr", &[b, 8, 7]), Ok(0));
    assert_eq!(bench.call("wcscpy", &[b, a]), Ok(b));
    assert_eq!(bench.bytes(b, 28), units(&[5, 7, 5, -3, 0, 1, 1]));
    assert_eq!(bench.call("wmemset", &[b, 4, 2]), Ok(b));
    assert_eq!(bench.bytes(b, 28), units(&[4, 4, 5, -3, 0, 1, 1]));
    let failure = bench.call("wmemset", &[b, 4, 8]).unwrap_err();
    let FailureProblem::Access(error) = failure.problem else { panic!("{failure:?}") };
    assert_eq!((error.byte, error.address, error.size), (b + 28, b, 32));
    bench.place(a + 16, &1u32.to_le_bytes());
    assert!(bench.call("wcslen", &[a]).is_err());
}
