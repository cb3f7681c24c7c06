//! How statements become the text of functions.

use super::statements::Statement;
use std::fmt::Write;

/// Statements of some source up to the budget, at most three.
pub fn within_budget(budget: u32, mut any: impl FnMut() -> Statement) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::new();
    let mut left = budget;
    for _ in 0..3 {
        let statement = any();
        if statement.cost > left {
            break;
        }
        left -= statement.cost;
        found.push(statement);
    }
    found
}

/// The lines of statements.
pub fn lines(statements: Vec<Statement>) -> impl Iterator<Item = String> {
    statements.into_iter().flat_map(|statement| statement.lines)
}

/// The C text of a program of two threads: `<name>_<seed>`, and `program_<seed>`, which is main. Both have a pointer
/// `own` to a local of main and a hash `read` of what they have read. `before` is done before the thread is created.
pub fn two_threads(
    name: &str,
    seed: u64,
    before: Option<&str>,
    thread: Vec<String>,
    main: Vec<String>,
) -> String {
    let mut text = String::new();
    let mut body = vec!["int *own = own_;".to_owned(), "unsigned read = 1;".to_owned()];
    body.extend(thread);
    body.push("(void)own;".to_owned());
    body.push("return (void *)(uintptr_t)read;".to_owned());
    function(&mut text, &format!("void *{name}_{seed}(void *own_)"), &body);
    let mut body = vec![
        "int local[2] = {1, 2};".to_owned(),
        "int *own = local;".to_owned(),
        "unsigned read = 1;".to_owned(),
        "pthread_t thread;".to_owned(),
        "void *result;".to_owned(),
    ];
    body.extend(before.map(str::to_owned));
    body.push(format!("pthread_create(&thread, NULL, {name}_{seed}, &local[0]);"));
    body.extend(main);
    body.push("pthread_join(thread, &result);".to_owned());
    body.push("read = read * 5 + (uintptr_t)result;".to_owned());
    body.push("(void)own;".to_owned());
    body.push("finish(local, read);".to_owned());
    function(&mut text, &format!("void program_{seed}(void)"), &body);
    text
}

/// Writes a function with its body indented by the braces in it.
pub fn function(text: &mut String, head: &str, body: &[String]) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{head}\n{{");
    let mut depth = 1;
    for line in body {
        if line.starts_with('}') {
            depth -= 1;
        }
        let _ = writeln!(text, "{}{line}", "    ".repeat(depth));
        if line.ends_with('{') {
            depth += 1;
        }
    }
    text.push_str("}\n\n");
}
