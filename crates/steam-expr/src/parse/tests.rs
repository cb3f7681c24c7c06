//! Tests of the parser: how expressions group, and where errors are noticed.

use super::parse;
use crate::syntax::{BinarySign, Path, Syntax, SyntaxKind, UnarySign};

fn is_type(path: &Path) -> bool {
    ["node", "point_t"].contains(&path.name())
}

/// An expression with all its parentheses.
fn grouped(syntax: &Syntax) -> String {
    match &syntax.kind {
        SyntaxKind::Integer(value, _) => value.to_string(),
        SyntaxKind::Float(value, _) => format!("{value:?}"),
        SyntaxKind::Name(path) => path.spelling(),
        SyntaxKind::Unary(sign, operand) => {
            let sign = match sign {
                UnarySign::Follow => '*',
                UnarySign::Address => '&',
                UnarySign::Not => '!',
                UnarySign::Complement => '~',
                UnarySign::Minus => '-',
                UnarySign::Plus => '+',
            };
            format!("({sign}{})", grouped(operand))
        }
        SyntaxKind::Binary(sign, left, right) => {
            format!("({} {} {})", grouped(left), text(*sign), grouped(right))
        }
        SyntaxKind::Conditional(condition, yes, no) => {
            format!("({} ? {} : {})", grouped(condition), grouped(yes), grouped(no))
        }
        SyntaxKind::Member(object, true, name) => format!("{}->{name}", grouped(object)),
        SyntaxKind::Member(object, false, name) => format!("{}.{name}", grouped(object)),
        SyntaxKind::Index(array, index) => format!("{}[{}]", grouped(array), grouped(index)),
        SyntaxKind::Cast(to, operand) => {
            format!("(cast{} {})", "*".repeat(to.stars as usize), grouped(operand))
        }
        SyntaxKind::SizeOf(operand) => format!("(sizeof {})", grouped(operand)),
        SyntaxKind::SizeOfType(_) => "(sizeof type)".to_owned(),
    }
}

fn text(sign: BinarySign) -> &'static str {
    super::BINARY.iter().find(|row| row.2 == sign).expect("a row for each operator").0
}

#[track_caller]
fn check(input: &str, expected: &str) {
    let syntax = parse(input, &is_type).unwrap_or_else(|error| panic!("{input}: {error}"));
    assert_eq!(grouped(&syntax), expected, "{input}");
}

/// The arguments of a template belong to a name before `::`; other brackets compare.
#[test]
fn template_arguments_are_part_of_a_name() {
    check("a::box<int>::x == 1", "(a::box<int>::x == 1)");
    check("box<std::map<int, b *> >::x", "box<std::map<int, b *> >::x");
    check("a<b", "(a < b)");
    check("a<b>c", "((a < b) > c)");
    check("a<1+b>::c", "((a < (1 + b)) > ::c)");
}

/// Each pair of operators groups as the numbers of C's table say.
#[test]
fn operators_group_by_their_precedence() {
    for (one, level, _) in super::BINARY {
        for (two, other, _) in super::BINARY {
            let expected = match level >= other {
                true => format!("((a {one} b) {two} c)"),
                false => format!("(a {one} (b {two} c))"),
            };
            check(&format!("a {one} b {two} c"), &expected);
            check(&format!("a{one}b{two}c"), &expected);
        }
    }
}

#[test]
fn expressions_group_as_in_c() {
    check("a ? b : c ? d : e", "(a ? b : (c ? d : e))");
    check("a || b ? c && d : e", "((a || b) ? (c && d) : e)");
    check("a ? b ? c : d : e", "(a ? (b ? c : d) : e)");
    check("*p++1".replace("++", "+ +").as_str(), "((*p) + (+1))");
    check("-a.b", "(-a.b)");
    check("*a[1]", "(*a[1])");
    check("(*a)[1]", "(*a)[1]");
    check("*p->q.r[2]", "(*p->q.r[2])");
    check("&a[1].b", "(&a[1].b)");
    check("!a == b", "((!a) == b)");
    check("~-+!a", "(~(-(+(!a))))");
    check("- -a", "(-(-a))");
    check("a - -b", "(a - (-b))");
    check("a & &b", "(a & (&b))");
    check("(a + b) * c", "((a + b) * c)");
    check("((((a))))", "a");
}

#[test]
fn casts_and_parentheses_are_told_apart() {
    check("(int)a + 1", "((cast a) + 1)");
    check("(int)-a", "(cast (-a))");
    check("(a)-b", "(a - b)");
    check("(node)-b", "(cast (-b))");
    check("(struct any *)p", "(cast* p)");
    check("(const node * const *)p->q", "(cast** p->q)");
    check("(unsigned long int)a", "(cast a)");
    check("(long unsigned)a", "(cast a)");
    check("(int)(char)a", "(cast (cast a))");
    check("*(int *)p", "(*(cast* p))");
    check("sizeof(int) * 2", "((sizeof type) * 2)");
    check("sizeof (a) * 2", "((sizeof a) * 2)");
    check("sizeof a[0]", "(sizeof a[0])");
    check("sizeof(node *)", "(sizeof type)");
    check("sizeof sizeof a", "(sizeof (sizeof a))");
}

#[test]
fn names_may_be_qualified() {
    check("file.c::var + 1", "(file.c::var + 1)");
    check("lex.yy.c::state", "lex.yy.c::state");
    check("'src/a-b.c'::var", "src/a-b.c::var");
    check("f::x.y", "f::x.y");
    check("a.b", "a.b");
    check("a.b.c", "a.b.c");
    check("::x", "::x");
    check("ns::inner::x->y", "ns::inner::x->y");
    check("a ? b::c : d", "(a ? b::c : d)");
    check("a ? b :c", "(a ? b : c)");
}

#[track_caller]
fn fails(input: &str, at: usize, message: &str) {
    let error = parse(input, &is_type).expect_err(input);
    assert!(error.message.contains(message), "{input}: {error}");
    assert_eq!(error.at, at, "{input}: {error}");
}

#[test]
fn errors_are_noticed_where_they_are() {
    fails("", 0, "ends too early");
    fails("a +", 3, "ends too early");
    fails("a + * ", 6, "ends too early");
    fails("a b", 2, "`b` cannot stand after a complete expression");
    fails("(a", 2, "`)` is missing");
    fails("a[1", 3, "`]` is missing");
    fails("a ? b", 5, "`:` is missing");
    fails("a = 1", 2, "`==` compares");
    fails("a == ) 1", 5, "where a value is expected");
    fails("a.1", 1, "cannot stand after");
    fails("a. 1", 3, "the name of a member is missing");
    fails("a->", 3, "the name of a member is missing");
    fails("f(1)", 1, "do not call functions");
    fails("++a", 0, "do not change variables");
    fails("a + @", 4, "`@` means nothing here");
    fails("\"text\"", 0, "strings");
    fails("'ab", 0, "no `'` at its end");
    fails("''", 0, "no character between");
    fails("'\\q'", 0, "is no character");
    fails("'\\x123'", 0, "does not fit into a byte");
    fails("1x", 0, "`1x` is no number");
    fails("08", 0, "`08` is no number");
    fails("0x", 0, "is no number");
    fails("1.5.2", 0, "is no number");
    fails("1lul", 0, "is no number");
    fails("99999999999999999999", 0, "does not fit into 64 bits");
    fails("a::", 3, "a name is missing");
    fails("(unsigned float)a", 1, "`unsigned float` is no type");
    fails("(int a", 5, "`)` is missing");
    fails("a, b", 1, "cannot stand after");
    fails("ä + ö €", 8, "means nothing here");
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [("(", ")"), ("-~", ""), ("a[", "]"), ("(int)", ""), ("a?a:", "")] {
        let deep = format!("{}a{}", open.repeat(5000), close.repeat(5000));
        let error = parse(&deep, &is_type).expect_err("too deep");
        assert!(error.message.contains("nested too deeply"), "{open}: {error}");
    }
    let long = vec!["a"; 5000].join("+");
    assert!(parse(&long, &is_type).is_err());
    let wide = vec!["a"; 200].join(" + ");
    assert!(parse(&wide, &is_type).is_ok());
}
