//! One random program: its threads, and the order in which main creates and joins them.

use super::cells::Cells;
use super::dice::Dice;
use super::statements::{self, Partnership, Statement};
use super::text::{self, function, lines};

/// How the threads hang together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// Main creates two threads and joins both.
    Two,
    /// Main creates three threads and joins all.
    Three,
    /// Main joins the first thread before it creates the second.
    OneByOne,
    /// The first thread creates the second one, and joins it or leaves that to main.
    Nested,
    /// Main ends the process without joining the second thread.
    Abandoned,
    /// Main does something between creating the first thread and the second, and hands that over.
    HandedOver,
}

/// About how many instructions each thread may have. The number of states is roughly the product.
fn budget(shape: Shape) -> u32 {
    match shape {
        Shape::Two | Shape::Nested => 34,
        Shape::Three => 10,
        Shape::OneByOne => 40,
        Shape::Abandoned => 12,
        Shape::HandedOver => 16,
    }
}

/// The C text of a program: its thread functions and `program_<seed>`.
pub fn text(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let shape = dice.pick(&[
        Shape::Two,
        Shape::Two,
        Shape::Two,
        Shape::Two,
        Shape::Three,
        Shape::Three,
        Shape::Nested,
        Shape::OneByOne,
        Shape::Abandoned,
        Shape::HandedOver,
        Shape::HandedOver,
    ]);
    let cells = Cells::choose(&mut dice);
    let partners = partners(&mut dice, &cells, shape);
    let mut text = String::new();
    // The last one first: a thread that creates another has to know its function.
    for number in (1..=threads(shape)).rev() {
        let body = thread_body(&mut dice, &cells, shape, number, &partners, seed);
        function(&mut text, &format!("void *thread_{seed}_{number}(void *own_)"), &body);
    }
    let body = main_body(&mut dice, &cells, shape, seed);
    function(&mut text, &format!("void program_{seed}(void)"), &body);
    text
}

fn threads(shape: Shape) -> u32 {
    if shape == Shape::Three { 3 } else { 2 }
}

/// In most programs two of the threads have something to do with each other: a statement for each
/// thread number. Now and then the one that is waited for does not know about it.
fn partners(dice: &mut Dice, cells: &Cells, shape: Shape) -> Vec<(u32, Statement)> {
    use Partnership::{Barrier, Condition, Tokens};
    // Threads that never run at the same time would wait for each other in vain.
    if shape == Shape::OneByOne || dice.one_in(4) {
        return Vec::new();
    }
    let kind = dice.pick(&[Condition, Condition, Tokens, Tokens, Barrier]);
    let first = 1 + dice.below(threads(shape));
    let second = first % threads(shape) + 1;
    let mut partners = vec![(first, kind.waits(dice, cells))];
    if !dice.one_in(12) {
        partners.push((second, kind.serves(dice, cells)));
    }
    partners
}

/// Statements up to the budget, at most three; at least one, if nothing else is there.
fn statements(dice: &mut Dice, cells: &Cells, budget: u32, empty: bool) -> Vec<Statement> {
    let mut found = text::within_budget(budget, || statements::any(dice, cells));
    if found.is_empty() && empty {
        found.push(statements::simple(dice, cells));
    }
    found
}

fn thread_body(
    dice: &mut Dice,
    cells: &Cells,
    shape: Shape,
    number: u32,
    partners: &[(u32, Statement)],
    seed: u64,
) -> Vec<String> {
    let mut body = vec!["int *own = own_;".to_owned(), "unsigned read = 1;".to_owned()];
    let creates = shape == Shape::Nested && number == 1;
    if creates {
        body.push(format!("pthread_create(&grandchild, NULL, thread_{seed}_2, own);"));
    }
    let part = partners.iter().find(|(thread, _)| *thread == number).map(|(_, part)| part);
    let left = budget(shape).saturating_sub(part.map_or(0, |part| part.cost));
    let mut own = statements(dice, cells, left, part.is_none());
    if let Some(part) = part {
        let place = dice.below(own.len() as u32 + 1) as usize;
        own.insert(place, part.clone());
    }
    body.extend(lines(own));
    if creates && joins_itself(seed) {
        body.push("void *below;".to_owned());
        body.push("pthread_join(grandchild, &below);".to_owned());
        body.push("read = read * 5 + (uintptr_t)below;".to_owned());
    }
    body.push("(void)own;".to_owned());
    body.push("return (void *)(uintptr_t)read;".to_owned());
    body
}

fn joins_itself(seed: u64) -> bool {
    seed.is_multiple_of(2)
}

fn main_body(dice: &mut Dice, cells: &Cells, shape: Shape, seed: u64) -> Vec<String> {
    let mut body = vec![
        "int local[2] = {1, 2};".to_owned(),
        "int *own = local;".to_owned(),
        "unsigned read = 1;".to_owned(),
        "pthread_t threads[4];".to_owned(),
        "void *result;".to_owned(),
    ];
    let create = |dice: &mut Dice, number: u32| {
        // A local of its own now and then: what only looks shared must not cost states.
        let own = if dice.one_in(4) { number % 2 } else { 0 };
        format!("pthread_create(&threads[{number}], NULL, thread_{seed}_{number}, &local[{own}]);")
    };
    let join = |which: &str| {
        let call = format!("pthread_join({which}, &result);");
        [call, "read = read * 5 + (uintptr_t)result;".to_owned()]
    };
    match shape {
        Shape::Two | Shape::Three => {
            body.extend((1..=threads(shape)).map(|number| create(dice, number)));
            if shape == Shape::Two && dice.one_in(4) {
                body.extend(statements::simple(dice, cells).lines);
            }
            let mut order: Vec<u32> = (1..=threads(shape)).collect();
            if dice.one_in(2) {
                order.reverse();
            }
            body.extend(order.iter().flat_map(|number| join(&format!("threads[{number}]"))));
        }
        Shape::OneByOne => {
            body.push(create(dice, 1));
            body.extend(lines(statements(dice, cells, 20, true)));
            body.extend(join("threads[1]"));
            body.push(create(dice, 2));
            body.extend(lines(statements(dice, cells, 20, true)));
            body.extend(join("threads[2]"));
        }
        Shape::HandedOver => {
            body.push(create(dice, 1));
            body.extend(lines(statements(dice, cells, 12, true)));
            body.push(create(dice, 2));
            if dice.one_in(2) {
                body.extend(statements::simple(dice, cells).lines);
            }
            body.extend(join("threads[1]"));
            body.extend(join("threads[2]"));
        }
        Shape::Nested => {
            body.push(create(dice, 1));
            if dice.one_in(3) {
                body.extend(statements::simple(dice, cells).lines);
            }
            body.extend(join("threads[1]"));
            if !joins_itself(seed) {
                body.extend(join("grandchild"));
            }
        }
        Shape::Abandoned => {
            body.push(create(dice, 1));
            body.push(create(dice, 2));
            body.extend(join("threads[1]"));
        }
    }
    if dice.one_in(4) {
        body.extend(statements::checked(dice, cells).lines);
    }
    body.push("(void)own;".to_owned());
    body.push("finish(local, read);".to_owned());
    body
}
