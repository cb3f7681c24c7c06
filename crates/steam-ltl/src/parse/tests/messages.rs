//! What is said of texts that are no formulas: the place, what is wrong, and what to do.

use crate::atoms::Atoms;
use crate::parse::parse;

#[track_caller]
fn refuse(text: &str, expected: &str) {
    let mut atoms = Atoms::default();
    let error = parse(text, &mut atoms).expect_err(text);
    let expected = expected.strip_prefix('\n').and_then(|text| text.strip_suffix('\n'));
    assert_eq!(Some(&*error.explain(text)), expected);
    assert!(atoms.is_empty(), "a refused text leaves no atoms");
}
#[test]
fn where_a_formula_ends_too_early() {
    refuse(
        "",
        r#"

^
there is no formula
hint: for example: G (request -> F granted)
"#,
    );
    refuse(
        "G",
        r#"
G
 ^
a formula is expected after `G`, but this is the end
"#,
    );
    refuse(
        "a U",
        r#"
a U
   ^
a formula is expected after `U`, but this is the end
"#,
    );
    refuse(
        "a ->",
        r#"
a ->
    ^
a formula is expected after `->`, but this is the end
"#,
    );
    refuse(
        "x ==",
        r#"
x ==
    ^
an operand is expected, not the end
"#,
    );
    refuse(
        "(a",
        r#"
(a
^
`(` is never closed
"#,
    );
    refuse(
        "G (a &&",
        r#"
G (a &&
  ^
`(` is never closed
"#,
    );
    refuse(
        "{a",
        r#"
{a
^
`{` is never closed
"#,
    );
    refuse(
        "\"a",
        r#"
"a
^
the atom has no `"` at its end
"#,
    );
    refuse(
        "a[1",
        r#"
a[1
 ^
`[` is never closed
"#,
    );
    refuse(
        "c == 'x",
        r#"
c == 'x
     ^
the character has no `'` at its end
"#,
    );
    refuse(
        "thread(1) at",
        r#"
thread(1) at
            ^
a place is expected after `at`
hint: for example: thread(2) at file.c:17
"#,
    );
}

#[test]
fn where_an_operator_is_missing() {
    refuse(
        "a b",
        r#"
a b
  ^
`b` cannot stand after a complete formula
hint: an operator is missing: && || -> <-> U R W
"#,
    );
    refuse(
        "(a b)",
        r#"
(a b)
   ^
`b` cannot stand after a complete formula
hint: an operator is missing: && || -> <-> U R W
"#,
    );
    refuse(
        "true false",
        r#"
true false
     ^
`false` cannot stand after a complete formula
hint: an operator is missing: && || -> <-> U R W
"#,
    );
    refuse(
        "a ; b",
        r#"
a ; b
  ^
`;` cannot stand after a complete formula
hint: an operator is missing: && || -> <-> U R W
"#,
    );
    refuse(
        "a <> b",
        r#"
a <> b
  ^
`<` cannot stand after a complete formula
hint: an operator is missing: && || -> <-> U R W
"#,
    );
    refuse(
        "{F} == 1",
        r#"
{F} == 1
    ^
`=` cannot stand after a complete formula
hint: put the whole comparison into the quotes
"#,
    );
    refuse(
        "G é ß",
        r#"
G é ß
    ^
`ß` cannot stand after a complete formula
hint: an operator is missing: && || -> <-> U R W
"#,
    );
}

#[test]
fn where_something_is_too_much() {
    refuse(
        "a)",
        r#"
a)
 ^
`)` closes nothing
"#,
    );
    refuse(
        "a[1)",
        r#"
a[1)
   ^
`)` closes nothing
hint: the bracket before it is at column 2
"#,
    );
    refuse(
        "a && && b",
        r#"
a && && b
     ^
a formula is expected after `&&`, not `&&`
"#,
    );
    refuse(
        "a || | b",
        r#"
a || | b
     ^
a formula is expected after `||`, not `|`
"#,
    );
    refuse(
        "x + && y",
        r#"
x + && y
    ^
an operand is expected, not `&&`
"#,
    );
    refuse(
        "()",
        r#"
()
 ^
a formula is expected after `(`, not `)`
"#,
    );
    refuse(
        "{}",
        r#"
{}
^
there is no atom between the quotes
"#,
    );
    refuse(
        "U b",
        r#"
U b
^
a formula is expected, not `U`
hint: if a variable is meant, put its atom in braces: {U}
"#,
    );
    refuse(
        "\u{1}a",
        r#"
 a
^
a formula is expected, not `\u{1}`
"#,
    );
}

#[test]
fn words_and_signs_of_other_languages() {
    refuse(
        "a and b",
        r#"
a and b
  ^
`and` cannot stand after a complete formula
hint: write `&&`
"#,
    );
    refuse(
        "always p",
        r#"
always p
       ^
`p` cannot stand after a complete formula
hint: write `G`
"#,
    );
    refuse(
        "a V b",
        r#"
a V b
  ^
`V` cannot stand after a complete formula
hint: write `R`
"#,
    );
    refuse(
        "a => b",
        r#"
a => b
  ^
`=` cannot stand after a complete formula
hint: the implication is `->`
"#,
    );
    refuse(
        "x = 1",
        r#"
x = 1
  ^
`=` does not compare
hint: write `==`
"#,
    );
    refuse(
        "(F a) & (F b)",
        r#"
(F a) & (F b)
      ^
`&` cannot stand after a complete formula
hint: write `&&` between formulas
"#,
    );
    refuse(
        "a & (F b)",
        r#"
a & (F b)
    ^
operators of time cannot stand within an atom
hint: between formulas stand `&&` and `||`; if variables are meant, put the whole atom in braces
"#,
    );
    refuse(
        "GF p",
        r#"
GF p
   ^
`p` cannot stand after a complete formula
hint: `GF` is one name; write `G F` for the operators
"#,
    );
    refuse(
        "GF(p)",
        r#"
GF(p)
^
`GF` is no function
hint: `GF` is one name; write `G F` for the operators
"#,
    );
    refuse(
        "x == \"abc\"",
        r#"
x == "abc"
     ^
text in quotes is no operand
hint: double quotes enclose a whole atom, as braces do
"#,
    );
}

#[test]
fn what_can_be_read_in_two_ways() {
    refuse(
        "!x == 1",
        r#"
!x == 1
^
`!x == 1` can be read in two ways
hint: write `!(x == 1)`, or `{!x == 1}` for what C means by it
"#,
    );
    refuse(
        "a->F b",
        r#"
a->F b
     ^
`b` cannot stand after a complete formula
hint: `->` at column 2 leads to a member, because there is no blank around it; an implication is written ` -> `
"#,
    );
    refuse(
        "x == F",
        r#"
x == F
     ^
`F` is an operator of formulas
hint: quote the whole atom in braces if a variable is meant: {x == F}
"#,
    );
}
