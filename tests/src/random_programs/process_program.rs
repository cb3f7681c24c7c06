//! One random program of processes: who forks whom, and how they wait for each other's ends.

use super::cells::Cells;
use super::dice::Dice;
use super::process_statements::{self, Partnership};
use super::statements::{self, Statement};
use super::text::{function, lines, within_budget};

/// How the processes hang together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// The first process makes one and works beside it.
    Two,
    /// The first process makes two and waits for both.
    Three,
    /// The first process waits for one before it makes the second.
    OneByOne,
    /// The child makes a process of its own.
    Nested,
    /// The first process ends without waiting.
    Orphans,
    /// One of two processes has a second thread.
    Threaded,
    /// The first process has a second thread already when it makes the other one.
    Beside,
}

/// About how much each process may do. The number of states is roughly the product.
fn budget(shape: Shape) -> u32 {
    match shape {
        Shape::Two => 46,
        Shape::Three | Shape::Nested | Shape::Orphans => 22,
        Shape::OneByOne => 46,
        Shape::Threaded => 22,
        Shape::Beside => 16,
    }
}

/// The C text of a program: the functions of its children and `program_<seed>`.
pub fn text(seed: u64) -> String {
    use Shape::{Beside, Nested, OneByOne, Orphans, Threaded, Three, Two};
    const SHAPES: [Shape; 11] =
        [Two, Two, Two, Three, Three, Nested, Orphans, Threaded, OneByOne, Beside, Beside];
    let mut dice = Dice::new(seed);
    let shape = dice.pick(&SHAPES);
    let cells = match shape {
        Beside => Cells::choose_copied(&mut dice),
        _ => Cells::choose_common(&mut dice),
    };
    let mut parts = parts(&mut dice, &cells, shape);
    let mut text = String::new();
    if matches!(shape, Threaded | Beside) {
        let body = thread_body(&mut dice, &cells);
        function(&mut text, &format!("void *thread_{seed}(void *unused)"), &body);
    }
    for number in (1..=children(shape)).rev() {
        let part = std::mem::take(&mut parts[number as usize]);
        let body = child_body(&mut dice, shape, number, seed, part);
        function(&mut text, &format!("void child_{seed}_{number}(void)"), &body);
    }
    let own = std::mem::take(&mut parts[0]);
    let body = main_body(&mut dice, &cells, shape, seed, own);
    function(&mut text, &format!("void program_{seed}(void)"), &body);
    text
}

fn children(shape: Shape) -> u32 {
    match shape {
        Shape::Two | Shape::Threaded | Shape::Beside => 1,
        _ => 2,
    }
}

/// What each process does, the first one too. In most programs two of them have something to do with
/// each other; now and then the one that is waited for does not know about it.
fn parts(dice: &mut Dice, cells: &Cells, shape: Shape) -> Vec<Vec<Statement>> {
    let count = children(shape) + 1;
    let partners = (!dice.one_in(3)).then(|| dice.pick(&Partnership::ALL));
    let first = dice.below(count);
    let mut parts: Vec<Vec<Statement>> = Vec::new();
    for number in 0..count {
        // What the first process does beside two others is little.
        let mut left = if number == 0 && count > 2 { 10 } else { budget(shape) };
        let statement = match partners {
            Some(kind) if number == first => Some(kind.waits(dice)),
            Some(kind) if number == (first + 1) % count && !dice.one_in(10) => {
                Some(kind.serves(dice))
            }
            _ => None,
        };
        left = left.saturating_sub(statement.as_ref().map_or(0, |it| it.cost));
        let mut own = within_budget(left, || process_statements::any(dice, cells));
        if let Some(statement) = statement {
            own.insert(dice.below(own.len() as u32 + 1) as usize, statement);
        }
        if own.is_empty() && number > 0 {
            own.push(statements::simple(dice, cells));
        }
        parts.push(own);
    }
    parts
}

fn thread_body(dice: &mut Dice, cells: &Cells) -> Vec<String> {
    let mut body = vec!["(void)unused;".to_owned(), "unsigned read = 1;".to_owned()];
    body.extend(lines(within_budget(14, || process_statements::any(dice, cells))));
    body.push("return (void *)(uintptr_t)read;".to_owned());
    body
}

fn create(seed: u64) -> [String; 2] {
    let call = format!("pthread_create(&thread, NULL, thread_{seed}, NULL);");
    ["pthread_t thread;".to_owned(), call]
}

fn join() -> [String; 3] {
    let then = "read = read * 5 + (uintptr_t)result;".to_owned();
    ["void *result;".to_owned(), "pthread_join(thread, &result);".to_owned(), then]
}

/// The thread belongs to the child of every other program.
fn thread_in_child(seed: u64) -> bool {
    seed.is_multiple_of(2)
}

fn child_body(
    dice: &mut Dice,
    shape: Shape,
    number: u32,
    seed: u64,
    part: Vec<Statement>,
) -> Vec<String> {
    let mut body = vec!["unsigned read = 1;".to_owned()];
    let forks = shape == Shape::Nested && number == 1;
    let threaded = shape == Shape::Threaded && thread_in_child(seed);
    if forks {
        body.push(format!("int grandchild = start(child_{seed}_2);"));
    }
    if threaded {
        body.extend(create(seed));
    }
    body.extend(lines(part));
    if threaded && !dice.one_in(4) {
        body.extend(join());
    }
    if forks {
        if dice.one_in(4) {
            body.push("(void)grandchild;".to_owned());
        } else {
            body.push(awaited(dice, "grandchild"));
        }
    }
    body.push("_exit(read % 29);".to_owned());
    body
}

/// A wait for a child: for this one, for any, or without waiting.
fn awaited(dice: &mut Dice, child: &str) -> String {
    let (which, flags) = match dice.below(8) {
        0..=3 => (child, "0"),
        4..=6 => ("-1", "0"),
        _ => (child, "WNOHANG"),
    };
    let call = if dice.one_in(6) { "ended_in_common" } else { "ended" };
    format!("read = read * 5 + {call}({which}, {flags}, {child});")
}

fn main_body(
    dice: &mut Dice,
    cells: &Cells,
    shape: Shape,
    seed: u64,
    own: Vec<Statement>,
) -> Vec<String> {
    let local = ["int local = 0;".to_owned(), "own = &local;".to_owned()];
    let mut body = vec!["unsigned read = 1;".to_owned()];
    body.extend(local);
    let start = |number: u32| format!("int child_{number} = start(child_{seed}_{number});");
    let beside = shape == Shape::Beside;
    let threaded = beside || shape == Shape::Threaded && !thread_in_child(seed);
    let early = beside || threaded && dice.one_in(2);
    if early {
        body.extend(create(seed));
    }
    body.push(start(1));
    if threaded && !early {
        body.extend(create(seed));
    }
    match shape {
        Shape::Three | Shape::Orphans => {
            body.push(start(2));
            body.extend(lines(own));
            let order = dice.pick(&[[1, 2], [2, 1]]);
            let waits = if shape == Shape::Orphans { dice.below(2) } else { 2 };
            for number in order.into_iter().take(waits as usize) {
                body.push(awaited(dice, &format!("child_{number}")));
            }
        }
        Shape::OneByOne => {
            body.extend(lines(own));
            body.push(awaited(dice, "child_1"));
            body.push(start(2));
            body.extend(statements::simple(dice, cells).lines);
            body.push(awaited(dice, "child_2"));
        }
        Shape::Two | Shape::Nested | Shape::Threaded | Shape::Beside => {
            body.extend(lines(own));
            if dice.one_in(12) {
                body.push("kill(child_1, SIGTERM);".to_owned());
            }
            body.push(awaited(dice, "child_1"));
        }
    }
    if threaded {
        body.extend(join());
    }
    body.extend((1..=children(shape)).filter(|it| *it == 1 || shape != Shape::Nested).map(
        // No compiler is to complain of what a program happens not to use.
        |number| format!("(void)child_{number};"),
    ));
    if dice.one_in(4) {
        body.extend(statements::checked(dice, cells).lines);
    }
    body.push("finish(read);".to_owned());
    body
}
