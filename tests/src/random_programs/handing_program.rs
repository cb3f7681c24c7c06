//! One random program of two threads that hand nodes of the heap to each other: through globals, through locals of main,
//! along lists, by a socket, and as numbers that do not look like pointers.
//!
//! Who can reach a node changes with each of these statements, and some of them hide it: a pointer under a mask, one at an
//! odd address, one among the bytes of a socket. A search that lets a thread have for itself what no other one can reach
//! has to find out about all of them.

use super::dice::Dice;
use super::statements::Statement;
use super::text::{function, lines};

/// What is there beside the prelude of the programs of threads.
pub const PRELUDE: &str = r#"#include <string.h>
#include <sys/socket.h>

struct node {
    int value;
    struct node *next;
};

/* Nodes that both threads may take; the last ones are hidden. */
struct node *slot[2];
#define MASK 0x5a5a5a5au
uintptr_t coded;
char raw[8];
int ends[2];

static struct node *node(int value)
{
    struct node *made = malloc(sizeof *made);
    made->value = value;
    made->next = NULL;
    return made;
}

"#;

/// The C text of a program: its thread and `program_<seed>`.
pub fn text(seed: u64) -> String {
    let mut dice = Dice::new(seed ^ 0x0040_de5e);
    let hidden = dice.one_in(3);
    let (thread, main) = (part(&mut dice, hidden), part(&mut dice, hidden));
    let mut text = String::new();
    let mut body = vec!["int *own = own_;".to_owned()];
    body.extend(thread);
    body.push("(void)own;".to_owned());
    body.push("return (void *)(uintptr_t)read;".to_owned());
    function(&mut text, &format!("void *handing_{seed}(void *own_)"), &body);
    let mut body = vec![
        "int local[2] = {0, 0};".to_owned(),
        "int *own = local;".to_owned(),
        "pthread_t thread;".to_owned(),
        "void *result;".to_owned(),
        "socketpair(AF_UNIX, SOCK_STREAM, 0, ends);".to_owned(),
    ];
    for _ in 0..dice.below(3) {
        body.push(first(&mut dice));
    }
    body.push(format!("pthread_create(&thread, NULL, handing_{seed}, &local[0]);"));
    body.extend(main);
    body.push("pthread_join(thread, &result);".to_owned());
    body.push("read = read * 5 + (uintptr_t)result;".to_owned());
    for place in ["slot[0]", "slot[1]", "n"] {
        body.push(format!("read = read * 5 + ({place} ? {place}->value : 3);"));
    }
    body.push("local[0] = local[1] = own != NULL;".to_owned());
    body.push("finish(local, read);".to_owned());
    function(&mut text, &format!("void program_{seed}(void)"), &body);
    text
}

/// What main does before there is another thread.
fn first(dice: &mut Dice) -> String {
    let (place, value) = (dice.below(2), 1 + dice.below(3));
    match dice.below(4) {
        0 => format!("local[{place}] = (int)(uintptr_t)node({value});"),
        1 => format!("coded = (uintptr_t)node({value}) ^ MASK;"),
        _ => format!("slot[{place}] = node({value});"),
    }
}

fn part(dice: &mut Dice, hidden: bool) -> Vec<String> {
    let mut body = vec!["unsigned read = 1;".to_owned(), "struct node *n = NULL;".to_owned()];
    let mut budget = 16_u32;
    let mut found = vec![beginning(dice)];
    while let Some(left) = budget.checked_sub(found.last().map_or(0, |last| last.cost)) {
        budget = left;
        let one = statement(dice, hidden);
        found.push(match dice.one_in(7) {
            true => one.within(
                &["pthread_mutex_lock(&locks[0]);".to_owned()],
                &["pthread_mutex_unlock(&locks[0]);".to_owned()],
                2,
            ),
            false => one,
        });
    }
    found.pop();
    body.extend(lines(found));
    body.push("(void)n;".to_owned());
    body
}

/// How a thread comes to a node first.
fn beginning(dice: &mut Dice) -> Statement {
    match dice.below(3) {
        0 => take(dice),
        _ => Statement::line(format!("n = node({});", 1 + dice.below(3)), 3),
    }
}

fn take(dice: &mut Dice) -> Statement {
    let place = dice.below(2);
    match dice.below(3) {
        0 => Statement::line(format!("n = slot[{place}];"), 2),
        _ => Statement::line(
            format!("n = __atomic_exchange_n(&slot[{place}], NULL, __ATOMIC_SEQ_CST);"),
            2,
        ),
    }
}

fn statement(dice: &mut Dice, hidden: bool) -> Statement {
    let (place, value) = (dice.below(2), 1 + dice.below(3));
    let several = |lines: &[&str], cost| Statement {
        lines: lines.iter().map(|&line| line.to_owned()).collect(),
        cost,
    };
    match dice.below(if hidden { 20 } else { 14 }) {
        0 | 1 => several(&["if (n)", &format!("    n->value += {value};")], 4),
        2 | 3 => several(&["if (n)", "    read = read * 3 + n->value;"], 3),
        4 | 5 => Statement::line(format!("slot[{place}] = n;"), 2),
        6 => several(&[&format!("slot[{place}] = n;"), "n = NULL;"], 2),
        7 | 8 => take(dice),
        9 => several(&["if (n && n->next)", "    n = n->next;"], 4),
        10 => several(
            &[
                "{",
                &format!("struct node *other = slot[{place}];"),
                "if (other && other != n)",
                "    other->next = n;",
                "}",
            ],
            4,
        ),
        11 => several(&["if (n)", "    __atomic_fetch_add(&n->value, 1, __ATOMIC_SEQ_CST);"], 3),
        12 => several(&["free(n);", "n = NULL;"], 4),
        13 => Statement::line(format!("own[{place}] = (int)(uintptr_t)n;"), 2),
        14 => several(&["if (own[0])", "    n = (struct node *)(uintptr_t)own[0];"], 3),
        15 => several(&["coded = (uintptr_t)n ^ MASK;", "n = NULL;"], 2),
        16 => several(&["if (coded)", "    n = (struct node *)(coded ^ MASK);"], 3),
        17 => Statement::line("memcpy(raw + 1, &n, sizeof n);".to_owned(), 2),
        18 => Statement::line("memcpy(&n, raw + 1, sizeof n);".to_owned(), 2),
        _ => match dice.below(2) {
            0 => several(&["send(ends[1], &n, sizeof n, 0);", "n = NULL;"], 3),
            _ => Statement::line("recv(ends[0], &n, sizeof n, MSG_DONTWAIT);".to_owned(), 3),
        },
    }
}
