//! What formulas are read as.

mod messages;

use super::parse;
use crate::Syntax;
use crate::atoms::Atoms;

/// The formula with each operator in parentheses and each atom in angle brackets.
#[track_caller]
fn check(text: &str, expected: &str) {
    let mut atoms = Atoms::default();
    let syntax = match parse(text, &mut atoms) {
        Ok(syntax) => syntax,
        Err(error) => panic!("{}", error.explain(text)),
    };
    assert_eq!(shape(&syntax, &atoms), expected, "{text}");
    let printed = syntax.display(&atoms).to_string();
    let again = parse(&printed, &mut atoms).unwrap_or_else(|error| panic!("{printed}: {error}"));
    assert_eq!(again, syntax, "{text} is printed as {printed}");
}

fn shape(syntax: &Syntax, atoms: &Atoms) -> String {
    match syntax {
        Syntax::True => "true".into(),
        Syntax::False => "false".into(),
        Syntax::Atom(atom) => format!("<{}>", atoms.text(*atom)),
        Syntax::Unary(operator, operand) => {
            format!("{}{}", operator.sign(), shape(operand, atoms))
        }
        Syntax::Binary(operator, left, right) => {
            format!("({} {} {})", shape(left, atoms), operator.sign(), shape(right, atoms))
        }
    }
}

#[test]
fn operators_and_how_close_they_bind() {
    check("a", "<a>");
    check("true", "true");
    check("G (request -> F granted)", "G(<request> -> F<granted>)");
    check("[](request -> <>granted)", "G(<request> -> F<granted>)");
    check("[]<>p", "GF<p>");
    check("G F p", "GF<p>");
    check("G !(crit1 && crit2)", "G!(<crit1> && <crit2>)");
    check("a && b || c && d", "((<a> && <b>) || (<c> && <d>))");
    check("a -> b -> c", "(<a> -> (<b> -> <c>))");
    check("a <-> b -> c || d", "(<a> <-> (<b> -> (<c> || <d>)))");
    check("a U b U c", "(<a> U (<b> U <c>))");
    check("a U b && c R d", "((<a> U <b>) && (<c> R <d>))");
    check("!a U b", "(!<a> U <b>)");
    check("G a && b", "(G<a> && <b>)");
    check("X X a W b", "(XX<a> W <b>)");
    check("a && b && c", "((<a> && <b>) && <c>)");
    check("(a && (b && c))", "(<a> && (<b> && <c>))");
    check("!!a", "!!<a>");
    check("a<->b", "(<a> <-> <b>)");
    check("(a)U(b)", "(<a> U <b>)");
}

#[test]
fn atoms_end_where_the_formula_goes_on() {
    check("G (x == 1 -> F p->f > 3)", "G(<x == 1> -> F<p->f > 3>)");
    check("G(a[i] <= 2)", "G<a[i] <= 2>");
    check("x==1->y", "(<x==1> -> <y>)");
    check("x == 1 U y != 2", "(<x == 1> U <y != 2>)");
    check("(x + 1) * 2 == 4 && y", "(<(x + 1) * 2 == 4> && <y>)");
    check("((x + 1) * 2 == 4) && y", "(<(x + 1) * 2 == 4> && <y>)");
    check("(a && b) == c", "<(a && b) == c>");
    check("(a && b)", "(<a> && <b>)");
    check("(int)x > 3", "<(int)x > 3>");
    check("(struct node *)p == q", "<(struct node *)p == q>");
    check("x == !y && z", "(<x == !y> && <z>)");
    check("*p == 'a' || -x < 3", "(<*p == 'a'> || <-x < 3>)");
    check("c == ')' && (d == '(')", "(<c == ')'> && <d == '('>)");
    check("x & 1 && y | 2", "(<x & 1> && <y | 2>)");
    check("x ? y : z", "<x ? y : z>");
    check("a[i && j] && b", "(<a[i && j]> && <b>)");
    check("two.c::count == 1", "<two.c::count == 1>");
    check("x == 1.5e-3 && y", "(<x == 1.5e-3> && <y>)");
    check("s.next->value == *q->r", "<s.next->value == *q->r>");
    check("sizeof x == 4", "<sizeof x == 4>");
    check("sizeof(int) == 4", "<sizeof(int) == 4>");
    check("x<y && x>z", "(<x<y> && <x>z>)");
    check("x << 2 > 3", "<x << 2 > 3>");
    check("x==1 && x == 1", "(<x==1> && <x==1>)");
}

#[test]
fn arrows() {
    check("p->f", "<p->f>");
    check("F a::box<b, c<d> >::x == 1", "F<a::box<b, c<d> >::x == 1>");
    check("p -> f", "(<p> -> <f>)");
    check("p-> f", "(<p> -> <f>)");
    check("p ->f", "(<p> -> <f>)");
    check("(p)->f", "<(p)->f>");
    check("(x == 1)->granted", "(<x == 1> -> <granted>)");
    check("(a && b)->c", "((<a> && <b>) -> <c>)");
    check("(F a)->c", "(F<a> -> <c>)");
    check("a[1]->f == 2", "<a[1]->f == 2>");
    check("a->(b)", "(<a> -> <b>)");
    check("a->!b", "(<a> -> !<b>)");
    check("a->[]b", "(<a> -> G<b>)");
}

#[test]
fn atoms_about_threads() {
    check("G !(thread(1) at main.c:17)", "G!<thread(1) at main.c:17>");
    check("G !thread(1) at main.c:17", "G!<thread(1) at main.c:17>");
    check(
        "thread(1) at main.c:17 -> F thread(2)@done",
        "(<thread(1) at main.c:17> -> F<thread(2)@done>)",
    );
    check("thread(2) at src/my-file.c:3&&x", "(<thread(2) at src/my-file.c:3> && <x>)");
    check("holds(2, &m) && blocked(3)", "(<holds(2, &m)> && <blocked(3)>)");
    check("in(f) U alive(2)", "(<in(f)> U <alive(2)>)");
    check("enabled(2) -> F !enabled (2)", "(<enabled(2)> -> F!<enabled(2)>)");
}

#[test]
fn quotes() {
    check("{F} && \"G\"", "(<F> && <G>)");
    check("G {x == F}", "G<x == F>");
    check("{!x == 1}", "<!x == 1>");
    check("{a && b} U {true}", "(<a && b> U <true>)");
    check("\"a } b\"", "<a } b>");
    check("{ a  }", "<a>");
    check("{c == ' '} && {c == '  '}", "(<c == ' '> && <c == '  '>)");
}

#[test]
fn hostile_texts_end_in_a_message() {
    let deep = ["(".repeat(5000), "!".repeat(5000), "a && ".repeat(5000), "a U ".repeat(5000)];
    for text in deep {
        let text = format!("{text}a{}", ")".repeat(text.matches('(').count()));
        let error = parse(&text, &mut Atoms::default()).expect_err("too deep");
        assert_eq!(error.message, "the formula is nested too deeply");
    }
    let many: Vec<String> = (0..65).map(|number| format!("(a{number})")).collect();
    let error = parse(&many.join(" && "), &mut Atoms::default()).expect_err("too many");
    assert_eq!(error.message, "there are more than 64 different atoms");
}

/// Pieces of formulas in any order: an answer, and a mark that lies within the text.
#[test]
fn random_texts_have_an_answer() {
    const PIECES: [&str; 28] = [
        "a",
        " ",
        "G",
        "F ",
        "U",
        " -> ",
        "->",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "\"",
        "'",
        "==",
        "!",
        "&&",
        "||",
        "&",
        "<",
        ">",
        "1.5e",
        "at",
        "é",
        ":",
        "thread(1)",
        "=",
    ];
    let mut word = 1u64;
    let (mut good, mut bad) = (0, 0);
    for _ in 0..50_000 {
        let mut text = String::new();
        for _ in 0..8 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text += PIECES[(word >> 33) as usize % PIECES.len()];
        }
        let mut atoms = Atoms::default();
        match parse(&text, &mut atoms) {
            Ok(syntax) => {
                let printed = syntax.display(&atoms).to_string();
                assert_eq!(parse(&printed, &mut atoms).as_ref(), Ok(&syntax), "{text}: {printed}");
                good += 1;
            }
            Err(error) => {
                assert!(text.is_char_boundary(error.at), "{text}");
                bad += 1;
            }
        }
    }
    assert!(good > 100 && bad > 100, "{good} {bad}");
}

#[test]
fn what_has_no_end_is_no_formula() {
    for letters in ["(", "a[", "!", "a && "] {
        let text = letters.repeat(super::LONGEST + 1);
        let error = parse(&text, &mut Atoms::default()).unwrap_err();
        assert!(error.message.contains("more than"), "{error}");
        assert!(error.explain(&text).len() < 1000);
        let deep = &text[..super::LONGEST / letters.len() * letters.len()];
        assert!(parse(deep, &mut Atoms::default()).is_err());
    }
}
