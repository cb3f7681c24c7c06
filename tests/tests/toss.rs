//! Requests of processes: each value of a toss is a successor of its own, and no other is there.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use steam_image::Image;
use steam_program::{Config, Deadlock, Options, Program};
use steam_search::End;
use steam_session::{Algorithm, Options as Session, Por};
use steam_tests::compile::{Variant, compile, compilers};
use steam_tests::corpus;
use steam_tests::search;

/// What two of the numbers 0, 2 and 3 can make.
const SUMS: [i32; 6] = [0, 2, 3, 4, 5, 6];

#[test]
fn children_toss_every_value() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let guests = corpus::read(&top.join("samples/requests"), &[]).expect("they can be read");
    let guest = guests.iter().find(|guest| guest.name == "processes.c").expect("it is there");
    let gcc = compilers().into_iter().find(|compiler| compiler.name == "gcc");
    let compiler = gcc.expect("gcc links static 32-bit programs: install gcc-multilib");
    let headers = format!("-I{}", top.join("toolchain/include").display());
    let variant = Variant { compiler, flags: vec!["-O1".to_owned(), headers] };
    let executable = compile(guest, &variant).expect("it compiles");
    let image = Arc::new(Image::read_file(&executable).expect("it is a program"));
    let orders = [Por::None, Por::Sleep, Por::Persistent, Por::Source]
        .map(|por| Algorithm::Stateless { por, livelock: None });
    for algorithm in orders.into_iter().chain([Algorithm::DepthFirst, Algorithm::BreadthFirst]) {
        assert_eq!(exits(&image, algorithm), BTreeSet::from(SUMS), "{algorithm:?}");
    }
}

/// The statuses with which the program can end; it has no error.
fn exits(image: &Arc<Image>, algorithm: Algorithm) -> BTreeSet<i32> {
    let config = Config { arguments: vec![b"guest".to_vec()], ..Config::default() };
    let program = Program::new(Arc::clone(image), config, Options::default()).expect("it boots");
    let session = Session { all: true, algorithm, ..Session::default() };
    let checked = search::check(&program, &Deadlock, &session);
    let outcome = checked.expect("the options go together").outcome;
    assert!(outcome.violations.is_empty() && outcome.unknowns.is_empty());
    assert_eq!(outcome.end, End::Exhausted);
    program.exits().into_iter().collect()
}
