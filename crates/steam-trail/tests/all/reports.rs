//! Reports made by hand: the paper's glob, a deadlock of three, an unknown, no error.

use std::time::Duration;

use steam_trail::{
    Change, Configuration, End, Excerpt, Frame, Held, Limits, Mark, Place, ProgramInfo, Recorded,
    Report, SourceLine, Statistics, Step, ThreadInfo, Trail, Verdict, ViolationInfo, Waits,
    deadlock_headline,
};

/// A digest that is none of any program.
pub const DIGEST: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

fn program(path: &str, threads: u32) -> ProgramInfo {
    ProgramInfo {
        path: path.into(),
        sha256: DIGEST.into(),
        description: vec!["i386 static musl".into(), "DWARF 5".into()],
        libc: Some("musl".into()),
        processes: None,
        threads: Some(threads),
        arguments: Vec::new(),
        command: path.into(),
    }
}

fn configuration(algo: &str, heur: Option<&str>) -> Configuration {
    Configuration {
        algo: algo.into(),
        heur: heur.map(str::to_owned),
        atomic: "lgc".into(),
        por: Some("source".into()),
        store: "tree".into(),
        seed: 0,
        jobs: 1,
        find: vec!["assert".into(), "deadlock".into()],
        scope: None,
        fair: None,
        limits: Limits { memory: Some(4 << 30), ..Limits::default() },
    }
}

fn line(
    number: u32,
    text: &str,
    start: usize,
    width: usize,
    label: &str,
    primary: bool,
) -> SourceLine {
    let mark = Mark { start, width, label: label.into(), primary };
    SourceLine { number, text: text.into(), marks: vec![mark] }
}

fn thread(id: u32, name: &str, place: Place, state: &str) -> ThreadInfo {
    ThreadInfo {
        process: false,
        id,
        name: name.into(),
        state: state.into(),
        frames: vec![Frame { place, pc: "0x08049abc".into() }],
        holds: Vec::new(),
        waits: None,
        loops: None,
    }
}

fn recorded(program: &str, file: &str, steps: Vec<Step>, end: End) -> Recorded {
    let trail = Trail {
        program: program.into(),
        sha256: DIGEST.into(),
        atomic: "lgc".into(),
        steps,
        end,
        ..Trail::default()
    };
    Recorded { file: Some(file.into()), trail }
}

fn changed(expression: &str, from: &str, to: &str) -> Change {
    Change { expression: expression.into(), from: from.into(), to: to.into() }
}

/// The trail that the StEAM paper prints for its program `glob`.
pub fn glob_steps() -> Vec<Step> {
    let rows = [
        (1, "glob.c", 10, "initThreads", None),
        (1, "glob.c", 16, "main", None),
        (3, "MyThread.cc", 15, "MyThread::run", Some(("0", "3"))),
        (3, "MyThread.cc", 16, "MyThread::run", None),
        (2, "MyThread.cc", 15, "MyThread::run", Some(("3", "8"))),
        (2, "MyThread.cc", 16, "MyThread::run", None),
        (1, "glob.c", 20, "main", None),
    ];
    let step = |number: u32, thread, place: Place, change: Option<(&str, &str)>| Step {
        number,
        thread,
        pc: 0x0804_9000 + 16 * number,
        place,
        enabled: if number == 3 { vec![2, 3] } else { vec![thread] },
        changes: change.iter().map(|(from, to)| changed("glob", from, to)).collect(),
        ..Step::default()
    };
    let steps = (1..).zip(rows).map(|(number, (thread, file, line, function, change))| {
        step(number, thread, Place::at(file, line).function(function), change)
    });
    steps.collect()
}

/// The violation of the paper's program `glob`.
pub fn glob() -> Report {
    let location = Place::at("glob.c", 20).column(5).function("main");
    let run = Place::at("MyThread.cc", 16).function("MyThread::run");
    let excerpts = vec![
        Excerpt {
            place: location.clone(),
            lines: vec![line(20, "    VASSERT(glob != 8);", 4, 18, "thread 1: glob = 8", true)],
        },
        Excerpt {
            place: Place::at("MyThread.cc", 15).column(3),
            lines: vec![line(
                15,
                "    glob = (glob + 1) * ID;",
                4,
                22,
                "thread 3 wrote 3 (step 3), thread 2 wrote 8 (step 5)",
                false,
            )],
        },
    ];
    let end = End { kind: "assert".into(), place: Place::at("glob.c", 20) };
    let violation = ViolationInfo {
        accesses: Vec::new(),
        kind: "assert".into(),
        family: "assert".into(),
        headline: "assertion failed: glob != 8".into(),
        message: "`glob != 8` is false".into(),
        summary: "assertion `glob != 8` is false".into(),
        location: location.clone(),
        thread: Some(1),
        step: Some(7),
        threads: vec![
            thread(1, "main", location, "running"),
            thread(2, "MyThread", run.clone(), "finished"),
            thread(3, "MyThread", run, "finished"),
        ],
        excerpts,
        text: Vec::new(),
        trail: Some(recorded("glob.elf", "glob.trail", glob_steps(), end)),
    };
    Report {
        version: "0.1.0".into(),
        program: program("glob.elf", 3),
        configuration: configuration("astar", Some("pl2")),
        verdict: Verdict::Violation,
        violations: vec![violation],
        unknowns: Vec::new(),
        statistics: Statistics {
            states: 41,
            transitions: 96,
            executions: None,
            depth: 9,
            iterations: 1,
            time: Duration::from_millis(20),
            peak_bytes: 3_250_000,
            store_bytes: 656,
            truncated: Vec::new(),
        },
        claims: Vec::new(),
        notes: Vec::new(),
        unconfirmed: Vec::new(),
        own_errors: Vec::new(),
        exits: Vec::new(),
    }
}

/// Three philosophers, each with one fork, and a main thread that waits for them.
pub fn deadlock() -> Report {
    let place = |line| Place::at("philo.c", line).function("philosopher");
    let philosopher = |id: u32, has: &str, wants: &str, owner: u32| ThreadInfo {
        holds: vec![Held { what: has.into(), taken: place(14) }],
        waits: Some(Waits {
            what: wants.into(),
            via: None,
            place: place(15),
            threads: vec![owner],
        }),
        ..thread(id, "philosopher", place(15), "waiting")
    };
    let joins = Place::at("philo.c", 31).function("main");
    let threads = vec![
        ThreadInfo {
            waits: Some(Waits {
                what: "thread 2".into(),
                via: Some("pthread_join".into()),
                place: joins.clone(),
                threads: vec![2],
            }),
            ..thread(1, "main", joins, "waiting")
        },
        philosopher(2, "fork[0]", "fork[1]", 3),
        philosopher(3, "fork[1]", "fork[2]", 4),
        philosopher(4, "fork[2]", "fork[0]", 2),
    ];
    let steps = [(2, 14, "locks fork[0]"), (3, 14, "locks fork[1]"), (4, 14, "locks fork[2]")];
    let steps = (1..).zip(steps).map(|(number, (thread, line, sync))| Step {
        number,
        thread,
        pc: 0x0804_9200,
        place: place(line),
        sync: Some(sync.into()),
        ..Step::default()
    });
    let end = End { kind: "deadlock".into(), place: Place::at("philo.c", 15) };
    let violation = ViolationInfo {
        accesses: Vec::new(),
        kind: "deadlock".into(),
        family: "deadlock".into(),
        headline: deadlock_headline(&threads),
        message: "threads 2, 3, 4 wait for each other".into(),
        summary: "deadlock: 3 of 4 threads wait for each other".into(),
        location: place(15).column(5),
        thread: Some(2),
        step: Some(3),
        threads,
        excerpts: vec![Excerpt {
            place: place(15).column(5),
            lines: vec![
                line(14, "    lock(left);", 4, 10, "taken here", false),
                line(15, "    lock(right);", 4, 11, "threads 2, 3, 4 wait here", true),
            ],
        }],
        text: Vec::new(),
        trail: Some(recorded("philo", "philo.trail", steps.collect(), end)),
    };
    let mut report = glob();
    report.program = program("philo", 4);
    report.configuration = configuration("dfs", None);
    report.violations = vec![violation];
    report.statistics.iterations = 2;
    report
}

/// A system call that is not modelled.
pub fn unknown() -> Report {
    let location = Place::at("io.c", 40).column(9).function("touch");
    let end = End { kind: "unknown-system-call".into(), place: Place::at("io.c", 40) };
    let step = Step {
        number: 1,
        thread: 1,
        pc: 0x0804_9300,
        place: location.clone(),
        output: Some("touching\n".into()),
        ..Step::default()
    };
    let finding = ViolationInfo {
        kind: "unknown-system-call".into(),
        family: "unknown".into(),
        headline: "syscall 271 futimesat".into(),
        message: "system call 271 (futimesat)".into(),
        summary: "system call 271 (futimesat) is not modelled".into(),
        location,
        thread: Some(1),
        step: Some(1),
        text: vec!["call stack of thread 1".into(), "    at touch (io.c:40)".into()],
        trail: Some(recorded("io", "io.trail", vec![step], end)),
        ..ViolationInfo::default()
    };
    let mut report = glob();
    report.program = program("io", 1);
    report.configuration = configuration("dfs", None);
    report.verdict = Verdict::NotModelled;
    report.violations = Vec::new();
    report.unknowns = vec![finding];
    report
}

/// A program without errors.
pub fn no_error() -> Report {
    let mut report = glob();
    report.program = program("peterson", 3);
    report.configuration = configuration("dfs", None);
    report.verdict = Verdict::Complete;
    report.violations = Vec::new();
    report.notes = vec!["spurious wake-ups were not tried: --spurious tries them".into()];
    report.exits = vec![0, 3];
    report
}
