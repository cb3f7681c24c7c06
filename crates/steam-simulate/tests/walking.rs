//! Simulations of a small program with threads: ways on and back that must lead to the same places,
//! values, points, and what cannot be done.

#[path = "../../steam-image/tests/compiler/mod.rs"]
mod compiler;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use steam_image::Image;
use steam_linux::world::Stdin;
use steam_program::{Config, Granularity, Options, Program};
use steam_simulate::{
    Explored, Moment, Scene, Session, Simulation, Stop, Surroundings, Unit, script,
};
use steam_state::{Table, ThreadId};
use steam_trail::Trail;

const SOURCE: &str = r#"#include <pthread.h>
#include <stdio.h>
struct account { int balance; const char *owner; };
static struct account accounts[2] = { { 10, "ann" }, { 20, "bob" } };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void move_money(int from, int to, int sum)
{
    accounts[from].balance -= sum;
    accounts[to].balance += sum;
}
static void *work(void *argument)
{
    int from = *(int *)argument;
    pthread_mutex_lock(&lock);
    move_money(from, 1 - from, 5);
    pthread_mutex_unlock(&lock);
    return NULL;
}
int main(void)
{
    pthread_t threads[2];
    int numbers[2] = { 0, 1 };
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", accounts[0].balance, accounts[1].balance);
    return 0;
}
"#;

const BEHIND: &str = r#"#include <pthread.h>
static int shared;
static void *work(void *argument)
{
    int local = 1;
    shared = 0;
    shared = local;
    local = 2;
    local += shared;
    return argument;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (shared == 2)
        shared = 3;
    return 0;
}
"#;

/// Files that are kept in memory; nothing is searched.
#[derive(Default)]
struct Nowhere {
    saved: Vec<(String, Trail)>,
}

impl Surroundings for Nowhere {
    fn load(&mut self, path: &Path) -> Result<Scene, String> {
        Err(format!("{} is not there: save it first", path.display()))
    }

    fn save(&mut self, path: &Path, trail: &Trail) -> Result<(), String> {
        self.saved.push((path.display().to_string(), trail.clone()));
        Ok(())
    }

    fn explore(&mut self, _: &Trail, _: &str) -> Result<Explored, String> {
        Err("nothing is searched here: use steam check".to_owned())
    }
}

fn image(name: &str) -> Arc<Image> {
    image_of(SOURCE, name)
}

fn image_of(source: &str, name: &str) -> Arc<Image> {
    let path = compiler::build("gcc -m32 -static -g -O0 -pthread", "accounts.c", source, name);
    Arc::new(Image::read_file(path).unwrap())
}

fn simulation(image: &Arc<Image>) -> Simulation<'_> {
    simulation_by(image, Granularity::Shared)
}

fn simulation_by(image: &Arc<Image>, granularity: Granularity) -> Simulation<'_> {
    let config = Config {
        arguments: vec![b"accounts".to_vec()],
        stdin: Stdin::Empty,
        quarantine: 1,
        ..Config::default()
    };
    let options = Options { granularity, ..Options::default() };
    let program = Program::new(Arc::clone(image), config, options).unwrap();
    let scene = Scene { program, trail: Trail::default(), deadlocks: true };
    Simulation::new(image, scene, Arc::new(AtomicBool::new(false)))
}

/// Obeys commands and gives all that was said.
fn say(image: &Arc<Image>, commands: &str) -> (String, Nowhere) {
    say_in(simulation(image), commands)
}

/// The same where each access to memory is a step.
fn say_by_access(image: &Arc<Image>, commands: &str) -> String {
    say_in(simulation_by(image, Granularity::Access), commands).0
}

fn say_in(simulation: Simulation<'_>, commands: &str) -> (String, Nowhere) {
    let mut nowhere = Nowhere::default();
    let mut said = Vec::new();
    let mut session = Session::new(simulation, &mut nowhere);
    script::run(&mut session, commands.as_bytes(), &mut said).unwrap();
    (String::from_utf8(said).unwrap(), nowhere)
}

#[track_caller]
fn assert_has(said: &str, parts: &[&str]) {
    for part in parts {
        assert!(said.contains(part), "no `{part}` in\n{said}");
    }
}

fn is_same(one: &Table, other: &Table) -> bool {
    let mut same = true;
    one.differences(other, &mut |_| same = false);
    same
}

/// The whole program by steps, by lines and by instructions: the schedules and the states are the
/// same, because looking into a step changes nothing.
#[test]
fn all_units_lead_to_the_same_states() {
    let image = image("units");
    let walk = |go: &dyn Fn(&mut Simulation<'_>) -> Option<Stop>| {
        let mut simulation = simulation(&image);
        let mut guard = 0;
        loop {
            let stop = go(&mut simulation).unwrap_or(Stop::Waits(simulation.thread()));
            if matches!(stop, Stop::Exited(_)) {
                return simulation;
            }
            if matches!(stop, Stop::Waits(_) | Stop::ThreadEnded(_)) {
                let next = simulation.enabled()[0].thread;
                assert!(simulation.choose_thread(next));
            }
            guard += 1;
            assert!(guard < 1_000_000);
        }
    };
    let stopped =
        |went: Result<steam_simulate::Went, Stop>| Some(went.map_or_else(|it| it, |it| it.stop));
    let by_steps = walk(&|it| stopped(it.step_visible()));
    let by_lines = walk(&|it| stopped(it.step_line(Unit::Line)));
    let by_calls = walk(&|it| stopped(it.step_line(Unit::LineOver)));
    let by_instructions = walk(&|it| {
        let went = it.step_instruction();
        // A thread that the step created was followed: whoever made the step goes on here.
        if let Ok(went) = &went
            && !went.made.is_empty()
        {
            let maker = it.made()[went.made.start].action.thread;
            it.choose_thread(maker);
        }
        stopped(went)
    });
    for other in [&by_lines, &by_calls, &by_instructions] {
        assert_eq!(other.schedule(), by_steps.schedule());
    }
    // Within one simulation the states can be compared: the same way again, with looks inside.
    let mut again = simulation(&image);
    let actions = by_steps.schedule();
    for &action in &actions {
        again.take(action);
    }
    let states: Vec<Table> = again.made().iter().filter_map(|it| it.after.clone()).collect();
    again.go_to(0);
    while let Some(next) = again.made().get(again.moment().steps).map(|it| it.action.thread) {
        if again.moment().turns == 0 {
            assert!(again.choose_thread(next));
        }
        again.step_instruction().unwrap();
    }
    for (state, traced) in states.iter().zip(again.made()) {
        assert!(is_same(state, traced.after.as_ref().unwrap()));
    }
}

/// Each instruction back undoes one on.
#[test]
fn back_is_the_same_way() {
    let image = image("back");
    let mut simulation = simulation(&image);
    let mut places = Vec::new();
    for _ in 0..300 {
        places.push((simulation.moment(), simulation.thread(), simulation.eip()));
        simulation.step_instruction().unwrap();
    }
    while let Some(place) = places.pop() {
        assert_eq!(simulation.back_instruction(), Stop::Done);
        assert_eq!((simulation.moment(), simulation.thread(), simulation.eip()), place);
    }
    assert_eq!(simulation.back_instruction(), Stop::Start);
    assert_eq!(simulation.moment(), Moment { steps: 0, turns: 0 });
}

#[test]
fn values_have_the_types_of_the_program() {
    let image = image("values");
    let commands = "b move_money\nc\np accounts\np accounts[1].owner\np sum + 1\np/x from - to\n\
        info locals\nup\np from\nwhatis accounts[0]\nbt\nfinish\np accounts[0].balance\n";
    let (said, _) = say(&image, commands);
    assert_has(
        &said,
        &[
            "Breakpoint 1 at move_money, accounts.c:8\n",
            "Breakpoint 1, thread 2\n",
            "accounts = {{balance = 10, owner = ",
            "\"ann\"}, {balance = 20, owner = ",
            "sum + 1 = 6\n",
            "from - to = 0xffffffff\n",
            "sum = 5\n",
            "#1  work at ",
            "type = struct account\n",
            "* #1  work at ",
            "accounts[0].balance = 5\n",
        ],
    );
}

#[test]
fn what_is_said_of_threads_has_a_value() {
    // While a thread waits for the second lock it holds the first one.
    let inner = "static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;\nstatic void *work";
    let source = SOURCE.replace("static void *work", inner);
    let source = source.replace(
        "    move_money(from, 1 - from, 5);\n",
        "    pthread_mutex_lock(&inner);\n    pthread_mutex_unlock(&inner);\n",
    );
    let image = image_of(&source, "atoms");
    let commands = "v\np holds(2, &lock)\nt 2\nv\np alive(3)\np holds(2, &lock)\np blocked(3)\n\
        whatis enabled(3)\np holds(2)\nsi\np alive(2)\nc\np ended()\np holds(2, &lock)\n";
    let (said, _) = say(&image, commands);
    let values: Vec<&str> = said.lines().filter(|line| line.contains(") = ")).collect();
    assert_eq!(
        values,
        [
            "holds(2, &lock) = false",
            "alive(3) = true",
            "holds(2, &lock) = true",
            "blocked(3) = true",
            "ended() = true",
            "holds(2, &lock) = false",
        ],
        "{said}"
    );
    assert_has(
        &said,
        &[
            "type = bool\n",
            "a thread and a lock are meant: `holds(2, &m)`",
            "what is said of threads holds in states: `visible` goes to the end of this step",
        ],
    );
}

#[test]
fn a_watch_stops_right_behind_the_change() {
    let image = image("watch");
    let commands = "watch accounts[0].balance\nc\nrc\nc\nc\nc\n";
    let (said, _) = say(&image, commands);
    assert_has(
        &said,
        &[
            "Watchpoint 1: accounts[0].balance = 10\n",
            "Old value = 10\nNew value = 5\n",
            "move_money at ",
            // Back again, it goes the other way round.
            "Old value = 5\nNew value = 10\n",
            "prints \"10 20\\n\"",
            "the program ended with status 0\n",
        ],
    );
}

/// A line that begins right after a visible access is a place to stop at, for breakpoints and steps.
#[test]
fn nothing_right_behind_an_access_is_passed_over() {
    let image = image_of(BEHIND, "behind");
    let said = say_by_access(&image, "b 8\nc\n");
    assert_has(&said, &["Breakpoint 1, thread 2\n", "8           local = 2;"]);
    let said = say_by_access(&image, "b 7\nc\nn\nn\n");
    assert_has(&said, &["8           local = 2;", "9           local += shared;"]);
    assert_eq!(said.matches("Breakpoint 1, thread").count(), 1, "{said}");
}

/// A breakpoint that is never come to takes nothing from a watch, and a change before one comes first.
#[test]
fn breakpoints_silence_no_watch() {
    let image = image_of(BEHIND, "silence");
    let said = say_by_access(&image, "b 20\nwatch shared\nc\n");
    assert_has(&said, &["Watchpoint 2: shared = 0\n", "Old value = 0\nNew value = 1\n"]);
    let said = say_by_access(&image, "b 9\nwatch shared\nc\nc\n");
    assert_has(&said, &["Old value = 0\nNew value = 1\n", "Breakpoint 1, thread 2\n"]);
}

#[test]
fn a_breakpoint_may_have_a_condition() {
    let image = image("condition");
    let (said, _) = say(&image, "b move_money if from == 1\nc\np from\ninfo breakpoints\n");
    assert_has(
        &said,
        &["Breakpoint 1 at move_money, accounts.c:8 if from == 1\n", "Breakpoint 1, thread 3\n"],
    );
    assert_has(&said, &["from = 1\n", "  if from == 1\n"]);
}

#[test]
fn choosing_a_thread_means_its_innermost_function() {
    let image = image("frames");
    let (said, _) = say(&image, "b move_money\nc\nup\nt 2\np sum\n");
    assert_has(&said, &["Breakpoint 1, thread 2\n", "sum = 5\n"]);
}

/// What was gone along stays recorded, until another way is taken.
#[test]
fn another_way_is_another_schedule() {
    let image = image("other");
    let mut simulation = simulation(&image);
    simulation.run().unwrap();
    let all = simulation.schedule();
    simulation.go_to(1);
    assert_eq!(simulation.schedule(), all);
    let other = simulation.enabled().into_iter().find(|action| *action != all[1]).unwrap();
    simulation.take(other);
    assert_eq!(simulation.schedule(), [all[0], other]);
    assert!(!simulation.choose_thread(ThreadId(9)));
}

#[test]
fn schedules_are_kept() {
    let image = image("kept");
    let (said, nowhere) = say(&image, "v\nt 3\nv\nsave x.trail\nload y.trail\nexplore\n");
    assert_has(&said, &["2 steps are in x.trail", "steam replay x.trail", "error: y.trail is not"]);
    let (name, trail) = &nowhere.saved[0];
    assert_eq!(name, "x.trail");
    assert_eq!(trail.steps.iter().map(|step| step.thread).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(trail.end.kind, "");
}

#[test]
fn every_refusal_says_what_to_do() {
    let image = image("refusals");
    for (command, message) in [
        ("xyz", "there is no command `xyz`: `help` lists all"),
        ("cho", "`cho` may be choices, choose: write more of it"),
        ("t 7", "there is no thread 7: `info threads` lists all"),
        ("goto 5", "there are 0 steps: `goto 0` goes to the last"),
        ("back", "this is the start: `c` or `v` goes on"),
        ("p nothing", "there is no variable `nothing`"),
        ("p größe + ?", "`?` cannot stand where a value is expected"),
        ("ä", "there is no command `ä`: `help` lists all"),
        ("*x", "`*x` begins with no command: `help` lists all"),
        ("p", "write an expression: `p count`"),
        ("p/ 1", "write a format after the `/`: x, d, u, o, t or c"),
        ("list 9999", "there are 30 lines in"),
        ("p/y 1", "there is no format y: use x, d, u, o, t or c"),
        ("b nothing", "there is no function `nothing`: write FUNCTION, LINE"),
        ("b 9999", "no code is at or after"),
        ("b work if", "write an expression: `b work if count > 1`"),
        ("b work if nothing", "there is no variable `nothing`"),
        ("watch i", "there is no variable `i`"),
        ("delete 3", "there is no number 3: `info breakpoints` lists all"),
        ("choose 9", "there are 1 choices: `choices` lists them"),
        ("info what", "`info` knows threads"),
        ("diff", "no step was made: `v` makes one"),
        ("save", "write a file: `save x.trail`"),
        ("schedule now", "`schedule` takes nothing after it: leave `now` out"),
        ("up 99", "the call stack is not so deep: `bt` shows it"),
    ] {
        let (said, _) = say(&image, command);
        assert!(said.contains(&format!("error: {message}")), "{command}: {said}");
    }
}
