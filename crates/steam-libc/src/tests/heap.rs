//! The heap models: sizes, zeros, failures, and what the history remembers.

use std::collections::BTreeMap;

use steam_report::FailureProblem;

use super::{Bench, Library, Random};

#[test]
fn random_calls_keep_every_block_apart_and_intact() {
    let mut bench = Bench::new();
    let mut random = Random(4);
    let mut live: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
    for step in 0..6000 {
        let pick = live.keys().nth(random.below(live.len().max(1) as u32) as usize).copied();
        let size = random.below(80) * random.below(80);
        match (random.below(6), pick) {
            (0, _) | (_, None) => {
                let address = bench.call("malloc", &[size]).unwrap();
                live.insert(address, vec![0; size as usize]);
            }
            (1, _) => {
                let address = bench.call("calloc", &[size, 3]).unwrap();
                live.insert(address, vec![0; 3 * size as usize]);
            }
            (2, _) => {
                let alignment = 1 << random.below(9);
                let address = bench.call("memalign", &[alignment, size]).unwrap();
                assert_eq!(address % alignment, 0);
                live.insert(address, vec![0; size as usize]);
            }
            (3, Some(address)) => {
                let mut bytes = live.remove(&address).unwrap();
                let size = size.max(1);
                let moved = bench.call("realloc", &[address, size]).unwrap();
                bytes.resize(size as usize, 0);
                live.insert(moved, bytes);
            }
            (_, Some(address)) if random.below(2) == 0 => {
                live.remove(&address);
                bench.call("free", &[address]).unwrap();
            }
            (_, Some(address)) => {
                let bytes = live.get_mut(&address).unwrap();
                bytes.fill(step as u8);
                bench.call("memset", &[address, step, bytes.len() as u32]).unwrap();
            }
        }
        if step % 100 == 0 {
            for (&address, bytes) in &live {
                assert_eq!(&bench.bytes(address, bytes.len()), bytes);
                let usable = bench.call("malloc_usable_size", &[address]);
                assert_eq!(usable, Ok(bytes.len() as u32));
            }
        }
    }
}

#[test]
fn only_the_bytes_that_were_asked_for_are_accessible() {
    let mut bench = Bench::new();
    let block = bench.call("malloc", &[13]).unwrap();
    assert!(bench.call("memset", &[block, 1, 13]).is_ok());
    assert!(bench.call("memset", &[block, 1, 14]).is_err());
    let grown = bench.call("realloc", &[block, 20]).unwrap();
    assert_ne!(grown, block, "a small block moves, so that old pointers fail");
    assert!(bench.call("memset", &[block, 1, 1]).is_err());
    assert!(bench.call("memset", &[grown, 1, 20]).is_ok());
    let shrunk = bench.call("realloc", &[grown, 18]).unwrap();
    assert!(bench.call("memset", &[shrunk, 1, 19]).is_err());
    let again = bench.call("realloc", &[shrunk, 20]).unwrap();
    assert_eq!(bench.bytes(again, 20)[18..], [0, 0]);
    let none = bench.call("malloc", &[0]).unwrap();
    assert_ne!(none, 0);
    assert!(bench.call("memset", &[none, 1, 1]).is_err());
    assert_eq!(bench.call("free", &[none]), Ok(0));
    assert_eq!(bench.call("free", &[0]), Ok(0));
}

#[test]
fn bad_sizes_and_alignments_are_answered_as_the_library_does() {
    let mut bench = Bench::new();
    assert_eq!(bench.call("malloc", &[0x8000_0000]), Ok(0));
    assert_eq!(bench.call("calloc", &[0x1_0001, 0x1_0000]), Ok(0));
    assert_eq!(bench.call("reallocarray", &[0, 0x1_0001, 0x1_0000]), Ok(0));
    assert_eq!(bench.call("pvalloc", &[u32::MAX]), Ok(0));
    let place = super::HEAP_START + 0x8_0000;
    bench.place(place, &[0; 4]);
    for alignment in [0, 1, 2, 3, 6, 12, 0x1001] {
        assert_eq!(bench.call("posix_memalign", &[place, alignment, 8]), Ok(22), "{alignment}");
    }
    assert_eq!(bench.call("posix_memalign", &[place, 256, 8]), Ok(0));
    let block = u32::from_le_bytes(bench.bytes(place, 4).try_into().unwrap());
    assert_eq!(block % 256, 0);
    assert_eq!(bench.call("malloc_usable_size", &[block]), Ok(8));
    assert_eq!(bench.call("posix_memalign", &[place, 8, 0x9000_0000]), Ok(12));
    assert_eq!(bench.call("valloc", &[5]).unwrap() % 4096, 0);
    let page = bench.call("pvalloc", &[5]).unwrap();
    assert_eq!(bench.call("malloc_usable_size", &[page]), Ok(4096));
    assert_eq!(bench.call("realloc", &[page, 0]), Ok(0));
    assert_eq!(bench.call("memalign", &[24, 8]).unwrap() % 32, 0);
    bench.library = Library::Musl;
    assert_eq!(bench.call("memalign", &[24, 8]), Ok(0));
    let block = bench.call("malloc", &[8]).unwrap();
    assert_ne!(bench.call("realloc", &[block, 0]), Ok(0));
}

#[test]
fn bad_pointers_are_told_with_their_history() {
    let mut bench = Bench::new();
    let block = bench.call("malloc", &[40]).unwrap();
    let inner = bench.call("free", &[block + 8]).unwrap_err();
    let FailureProblem::Free { address, inside } = inner.problem else { panic!("{inner:?}") };
    assert_eq!((address, inside.map(|block| block.size)), (block + 8, Some(40)));
    assert_eq!(bench.call("free", &[block]), Ok(0));
    for function in ["free", "malloc_usable_size"] {
        let failure = bench.call(function, &[block]).unwrap_err();
        assert_eq!(failure.problem, FailureProblem::Free { address: block, inside: None });
        assert_eq!(failure.function, function);
    }
    assert!(bench.call("realloc", &[block, 4]).is_err());
    let life = bench.history.freed_at(block + 39).unwrap();
    assert_eq!((life.address, life.size), (block, 40));
    assert_eq!(life.allocated.stack, [super::SITE]);
    assert_eq!(life.freed.unwrap().stack, [super::SITE]);
    assert_eq!(bench.history.freed_at(block + 40), None);
    assert_eq!(bench.history.freed_from(block + 1), None);
}

#[test]
fn the_history_forgets_old_frees_and_knows_the_latest() {
    let mut bench = Bench::new();
    let first = bench.call("malloc", &[24]).unwrap();
    assert_eq!(bench.call("free", &[first]), Ok(0));
    let mut reused = 0;
    for _ in 0..100_050 {
        let block = bench.call("malloc", &[17]).unwrap();
        reused += u32::from(block == first);
        assert_eq!(bench.call("free", &[block]), Ok(0));
    }
    assert!(reused > 1, "the quarantine never ends");
    assert_eq!(bench.history.freed_at(first + 16).map(|life| life.size), Some(17));
    assert_eq!(bench.history.freed_at(first + 20), None);
}
