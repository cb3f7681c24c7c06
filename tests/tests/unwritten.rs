//! Random programs that use values which were never written: the machine reports exactly the uses that the meaning of C
//! tells, and the first one at its line.
//!
//! `STEAM_RANDOM=2000` says how many programs, `STEAM_RANDOM_FIRST=1234` from which seed on.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use steam_image::Image;
use steam_linux::kernel::Stream;
use steam_linux::stores::GuestStores;
use steam_linux::syscalls::Output;
use steam_program::{Config, Ending, Machine};
use steam_report::{Kind, Location};
use steam_tests::random_programs::{FLAGS, Family, source};

/// So many programs are compiled together.
const TOGETHER: u64 = 100;

fn number(variable: &str, default: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{variable}={text}")))
}

/// The line at which a run uses a value that was never written.
fn used_at(image: &Arc<Image>, seed: u64) -> Option<u32> {
    let arguments = vec![b"random".to_vec(), seed.to_string().into_bytes()];
    let config = Config { arguments, ..Config::default() };
    let stores = Arc::new(GuestStores::default());
    let mut machine = Machine::boot(Arc::clone(image), &config, stores).expect("it boots");
    machine.look_for_uninitialised();
    match machine.run(&mut Silence) {
        Ending::Violation(report) if report.kind == Kind::Uninitialised => {
            let own = |place: &Location| {
                let name = place.function.as_deref();
                name.is_some_and(|name| name.starts_with("program_")).then_some(place.line)
            };
            Some(report.stack.iter().find_map(own).flatten().expect("a line of the program"))
        }
        Ending::Exited(_) => None,
        other => panic!("seed {seed}: {other:?}"),
    }
}

/// What the programs write is not looked at.
struct Silence;

impl Output for Silence {
    fn write(&mut self, _: Stream, _: &[u8]) -> std::io::Result<()> {
        Ok(())
    }
}

/// The line with the mark of a seed.
fn marked_line(text: &str, seed: u64) -> Option<u32> {
    let mark = format!("/* USE {seed} */");
    let index = text.lines().position(|line| line.ends_with(&mark))?;
    Some(index as u32 + 1)
}

#[test]
fn uses_are_those_of_the_meaning_of_c() {
    let (count, first) = (number("STEAM_RANDOM", 200), number("STEAM_RANDOM_FIRST", 0));
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("unwritten");
    std::fs::create_dir_all(&directory).expect("a directory for sources");
    let (mut uses, mut missed, mut rights) = (0, 0, 0);
    for start in (first..first + count).step_by(TOGETHER as usize) {
        let seeds = start..start + TOGETHER;
        let text = source(Family::Unwritten, seeds.clone());
        let file = directory.join(format!("{start}.c"));
        std::fs::write(&file, &text).expect("the source is written");
        for level in ["-O0", "-O1"] {
            let program = directory.join(format!("{start}{level}.elf"));
            let mut gcc = Command::new("gcc");
            gcc.args(FLAGS).args([level, "-o"]).args([&program, &file]);
            assert!(gcc.status().expect("gcc runs").success(), "{}", file.display());
            let image = Arc::new(Image::read_file(&program).expect("a static executable"));
            for seed in seeds.clone() {
                let (expected, found) = (marked_line(&text, seed), used_at(&image, seed));
                // An optimiser may see that whatever is there makes no difference.
                let right = match level {
                    "-O0" => found == expected,
                    _ => found.is_none() || expected.is_some(),
                };
                assert!(right, "seed {seed} {level}: line {found:?} instead of {expected:?}");
                missed += u64::from(found.is_none() && expected.is_some());
                uses += u64::from(expected.is_some());
                rights += u64::from(expected.is_none());
            }
            std::fs::remove_file(&program).expect("the program is there");
        }
    }
    println!(
        "{uses} uses of what was never written, {missed} optimised away, {rights} programs without one"
    );
    assert!(uses > 0 && rights > 0 && missed * 10 < uses);
}
