//! What an author reads who made a usual mistake: the place, the message and what to write.

use super::support::{good, policy, read, told};
use roadlaw_grammar::ast::{Choose, Cond, Ident, ItemKind, Order, Rank, Step};

/// Items of a policy that begins on line 3, with what is told.
const ITEMS: &[(&str, &[&str])] = &[
    (
        "  facts {\n    pinned a : bool\n  road r : native portal { }\n  flow {\n    start -> a\n  }",
        &["5:3 S006 `}` is missing before `road`: the block above is not closed | close it with `}`"],
    ),
    (
        "  road r = native portal { }",
        &[
            "3:10 S001 expected `:`, found `=` | write `:`; `=` stands after `const`, `let`, `given`, `counter` and `unknown`",
        ],
    ),
    (
        "  export sha256(payload)",
        &[
            "3:16 S001 expected `:`, found `(` | an export has a name: `export NAME : opaque`, or `export NAME : digest of X keyed by ..`",
        ],
    ),
    (
        "  export x : sha256(payload) to log",
        &[
            "3:30 S001 expected an item, `keyed` or `}`, found `to` | an export says who reads it as a scope of its key: `digest of X keyed by consumer, ..`",
        ],
    ),
    (
        "  record { input: digest }",
        &["3:17 S001 expected `,` or `}`, found `:` | a field of the record says no type: write its name alone"],
    ),
    ("  projection p { a: b c: d }", &["3:23 S001 expected `,` or `}`, found `c` | a comma stands between the two"]),
    (
        "  flow {\n    a --> b\n  }",
        &[
            "4:7 S001 expected an arrow (`->`, `-fallback->`, ..), `,`, `else` or `when`, found `-->` | arrows are `->`, `-loop->`, `-retry->`, `-redirect->`, `-fallback->`, `-redeliver->` and `-resume->`",
        ],
    ),
    (
        "  flow {\n    a when -> b\n  }",
        &[
            "4:12 S001 expected a condition, found `->` | write what must hold between `when` and the arrow, or delete `when`",
        ],
    ),
    (
        "  Road r : native portal { }",
        &["3:3 S001 expected an item or `}`, found `Road` | names are written in small letters: `road`"],
    ),
    ("  const a = \"x\"", &["3:13 S001 expected a number or a name, found `\"x\"`"]),
    (
        "  limits t { deadline 30sec }",
        &["3:23 S001 expected a number, found `30sec` | units are `ms`, `s`, `m`, `h`, `d` and `cents`"],
    ),
    (
        "  limits t { deadline 30 s requests 1 }",
        &["3:37 S001 expected an entry or `}`, found `1` | a unit stands right behind its number: `30s`"],
    ),
    ("  let a = b && c", &["3:13 S001 unexpected `&&` | write `and`"]),
    ("  let a = b || c", &["3:13 S001 unexpected `||` | write `or`"]),
    ("  let a = !b", &["3:11 S001 expected a condition, found `!` | write `not`"]),
    ("  let a = b = c", &["3:13 S001 unexpected `=` | write `==` to compare"]),
    (
        "  let a = tags != { x }",
        &[
            "3:19 S001 expected a number or a name, found `{` | a set is compared with `has`, `has any { .. }`, `has all { .. }` or `empty`; one of several: `in { .. }`",
        ],
    ),
    (
        "  flow {\n    a else -> b when c\n  }",
        &["4:17 S001 unexpected `when` | the condition stands before the arrow: `port when GUARD -> place`"],
    ),
    ("  }\n  road r : native portal { }", &["5:1 S006 `}` closes nothing | delete it, or open it before"]),
    ("  road r native portal { }", &["3:10 S001 expected `:`, found `native`"]),
    (
        "  road r : native portal to m wiht p { }",
        &["3:31 S001 expected `carrier`, `with` or `{`, found `wiht` | did you mean `with`?"],
    ),
    ("  flwo { }", &["3:3 S001 expected an item or `}`, found `flwo` | did you mean `flow`?"]),
    (
        "  let when = a",
        &["3:7 S001 expected a name, found `when` | `when` is a word of the language and cannot be a name"],
    ),
    ("  facts { sealed a bool }", &["3:20 S001 expected `:`, found `bool`"]),
    (
        "  facts { seald a : bool }",
        &[
            "3:11 S001 expected a fact (`pinned`, `sealed`, `volatile`, `latch` or `rank`, then its name) or `}`, found `seald` | did you mean `sealed`?",
        ],
    ),
    (
        "  facts { sealed a : boolean }",
        &[
            "3:22 S001 expected a type (`bool`, `int 0..100`, `enum { .. }`, `set { .. }`, `level { .. }`, `evidence`), found `boolean` | did you mean `bool`?",
        ],
    ),
    (
        "  facts { sealed a : int 0-100 }",
        &["3:27 S001 expected `..`, found `-` | write `..` between the least and the greatest value"],
    ),
    ("  facts { sealed a : int 0..100 unknown 3 }", &["3:41 S001 expected `=`, found `3`"]),
    (
        "  flow {\n    choose { a b } in order each -> run\n  }",
        &["4:16 S001 expected `,` or `}`, found `b` | a comma stands between the two"],
    ),
    ("  flow {\n    choose { a, b } order a, b\n  }", &["4:21 S001 expected `by` or `in`, found `order`"]),
    (
        "  flow {\n    a -falback-> b\n  }",
        &[
            "4:7 S001 expected an arrow (`->`, `-fallback->`, ..), `,`, `else` or `when`, found `-falback->` | arrows are `->`, `-loop->`, `-retry->`, `-redirect->`, `-fallback->`, `-redeliver->` and `-resume->`",
        ],
    ),
    (
        "  flow {\n    a => b\n  }",
        &[
            "4:7 S001 expected an arrow (`->`, `-fallback->`, ..), `,`, `else` or `when`, found `=>` | an edge is written with `->`; `=>` stands in tests",
        ],
    ),
    ("  flow {\n    a -> b;\n  }", &["4:11 S001 unexpected `;` | nothing stands between items and steps: delete it"]),
    ("  test x { } => done", &["3:8 S001 expected a text in quotes, found `x` | put it in `\"`"]),
    (
        "  test \"x\" { } -> done",
        &["3:16 S001 expected `=>` or `{`, found `->` | a test says what it expects after `=>`"],
    ),
    (
        "  never send(any) if a",
        &["3:19 S001 expected an item, `after`, `unless`, `when` or `}`, found `if` | write `when`"],
    ),
    ("  need cut if a", &["3:12 S001 expected an item, `when` or `}`, found `if` | write `when`"]),
    ("  always a befor b", &["3:12 S001 expected `(` or `before`, found `befor` | did you mean `before`?"]),
    ("  pins { pattern 'x' }", &["3:18 S001 expected a text in quotes, found `'` | a text stands in `\"`"]),
    ("  counter c = 2 -> a", &["3:17 S001 expected `spent`, found `->` | write `spent ->` and the place to go to"]),
    (
        "  let a = available(local)",
        &["3:20 S001 unexpected `(` | the index of a fact stands in `[ ]`: `available[local]`"],
    ),
    ("  # comment\n  need cut", &["3:3 S001 expected an item or `}`, found `#` | a comment begins with `//`"]),
    ("  /* c */ need cut", &["3:3 S001 expected an item or `}`, found `/*` | a comment begins with `//`"]),
    (
        "  const a = 999999999999999999999",
        &["3:13 S003 `999999999999999999999` is too large a number | numbers of a policy lie within 32 bits"],
    ),
    ("  flow { a -> b takes c takes d }", &["3:25 S005 `takes` is written twice on one edge"]),
    (
        "  const a = 1.5",
        &["3:14 S001 expected a number, an item or `}`, found `.` | numbers are whole: take a smaller unit"],
    ),
    (
        "  /// dangling",
        &["4:1 S001 expected an item or `}`, found `}` | a doc comment documents the item after it; write `//` here"],
    ),
    ("  let a = b and\n  let c = d", &["4:3 S001 expected a condition, found `let`"]),
    ("  target m : portal { region \"eu }", &["3:30 S007 this text is not closed on its line | close it with `\"`"]),
    ("  flow { a -> (b }", &["3:18 S006 `}` does not close `(` | close it with `)` first"]),
    (
        "  const é = 1",
        &["3:9 S008 `é` can only stand in texts and comments | names are made of the letters a to z, digits and `_`"],
    ),
    ("  given a { x }", &["3:11 S001 expected `=`, found `{`"]),
    ("  lane l(r road portal) exits { ok } { }", &["3:12 S001 expected `:`, found `road`"]),
    ("  child r calls 3 { }", &["3:9 S001 expected `of`, found `r`"]),
    ("  limits t { tokens 1 in 2 out }", &["3:32 S001 expected a number, found `}`"]),
    ("  role a { }", &["3:10 S001 expected `floor`, found `{`"]),
    (
        "  const a = 1\n  flwo { }\n  road r native { }\n  let = 3\n  need cut",
        &[
            "4:3 S001 expected an item or `}`, found `flwo` | did you mean `flow`?",
            "5:10 S001 expected `:`, found `native`",
            "6:7 S001 expected a name, found `=`",
        ],
    ),
];

/// Whole files.
const FILES: &[(&str, &[&str])] = &[
    ("", &["1:1 S001 expected `edition`, found the end of the file | begin the file with `edition 1`"]),
    ("// only", &["1:1 S001 expected `edition`, found the end of the file | begin the file with `edition 1`"]),
    ("policy a@1 { }", &["1:1 S001 expected `edition`, found `policy` | begin the file with `edition 1`"]),
    ("edition 2\npolicy a@1 { }", &["1:9 S004 edition 2 is not known | write `edition 1`"]),
    ("edition 1\npolicy a { }", &["2:10 S001 expected `@`, found `{`"]),
    ("edition 1", &["1:9 S001 expected `library`, `policy` or `use`, found the end of the file"]),
    ("edition 1\npolicy a@1 {", &["2:12 S006 `}` is missing: this `{` is never closed | close it with `}`"]),
    ("edition 1\npolicy a@1 { } x", &["2:16 S001 expected the end of the file, found `x`"]),
    (
        "\u{feff}edition 1\npolicy a@1 { }",
        &["1:1 S008 a byte order mark stands here | save the file as UTF-8 without a byte order mark"],
    ),
    ("edition one\npolicy a@1 { }", &["1:9 S001 expected a number, found `one`"]),
    ("edition 1\npolicy A@1 { }", &["2:8 S001 expected a name, found `A` | names are written in small letters: `a`"]),
];

#[test]
fn mistakes_in_items_are_told_where_they_are() {
    for (text, want) in ITEMS {
        assert_eq!(told(&policy(text)), *want, "{text}");
    }
}

#[test]
fn mistakes_of_whole_files_are_told_where_they_are() {
    for (text, want) in FILES {
        assert_eq!(told(text), *want, "{text:?}");
    }
}

#[test]
fn line_ends_and_tabs_are_blanks() {
    let unix = good("edition 1\n/// d\npolicy a@1 {\n  need cut\n}\n");
    let other = good("edition 1\r\n/// d\r\npolicy a@1 {\r\n\tneed\tcut // c\r\n}\r\n");
    assert_eq!(unix, other);
}

#[test]
fn spans_are_those_of_the_tokens() {
    let text = policy("  let a = b and  c // more\n  flow { send(r).lost  -> x }\n");
    let (sources, tree, _) = read(&text);
    let tree = tree.expect("it parses");
    let [one, two] = tree.items.as_slice() else { panic!("two items") };
    assert_eq!(sources.text(one.span.span), "let a = b and  c");
    let ItemKind::Let { name, guard, .. } = &one.kind else { panic!("a let") };
    assert_eq!(sources.text(name.span), "a");
    assert_eq!(sources.text(guard.span.span), "b and  c");
    let ItemKind::Flow(steps) = &two.kind else { panic!("a flow") };
    let [Step::Edge(edge)] = steps.as_slice() else { panic!("an edge") };
    assert_eq!(sources.text(edge.span.span), "send(r).lost  -> x");
    assert_eq!(sources.text(edge.from[0].span.span), "send(r).lost");
}

/// What a choose and what follows it were read as: the order's names, then the ports and kind of each edge.
fn steps(flow: &str) -> Vec<String> {
    let tree = good(&policy(&format!("  flow {{ {flow} }}")));
    let Some(ItemKind::Flow(steps)) = tree.items.first().map(|i| &i.kind) else { panic!("a flow") };
    let words = |ws: &[Ident]| ws.iter().map(|w| w.value.as_str()).collect::<Vec<_>>().join(" ");
    steps
        .iter()
        .map(|s| match s {
            Step::Choose(Choose { rank: Rank::One(Order::Static { roads, without, .. }), each, .. }) => {
                let each = each.as_ref().map_or(String::new(), |e| format!(" each {}", e.value));
                format!("order {} without {}{each}", words(roads), words(without))
            }
            Step::Choose(_) => "keys or profiles".to_owned(),
            Step::Edge(e) => {
                let ports = words(&e.from.iter().map(|p| p.name.clone()).collect::<Vec<_>>());
                let cond = match e.cond {
                    Cond::None => "",
                    Cond::Else => " else",
                    Cond::When(_) => " when",
                };
                if ports.is_empty() { format!("flow else{cond}") } else { format!("{ports}{cond}") }
            }
            Step::Node { name, .. } => format!("node {}", name.value),
        })
        .collect()
}

#[test]
fn an_else_that_no_edge_claims_is_the_flows() {
    for (flow, read) in [
        ("choose { a, b } in order else -> x", ["order  without ", "flow else"]),
        ("choose { a, b } in order a, b else -> x", ["order a b without ", "flow else"]),
        ("choose { a, b } in order a else -> x", ["order a without ", "flow else"]),
        ("choose { a, b } in order without b else -> x", ["order  without b", "flow else"]),
        ("choose { a, b } in order each -> run else -> x", ["order  without  each run", "flow else"]),
        ("choose { a, b } in order a, b each -> run else -> x", ["order a b without  each run", "flow else"]),
        ("choose { a, b } in keys k else -> x", ["keys or profiles", "flow else"]),
        // An edge that asks, or asks nothing, is no part of the order.
        ("choose { a, b } in order a when g -> x", ["order  without ", "a when"]),
        ("choose { a, b } in order a, b -> x", ["order  without ", "a b"]),
        ("choose { a, b } in order a, b c -> x", ["order a b without ", "c"]),
        ("choose { a, b } in order else when g -> x", ["order  without ", "flow else when"]),
    ] {
        assert_eq!(steps(flow), read, "{flow}");
    }
    assert_eq!(steps("a when g -> x  a else -> y"), ["a when", "a else"]);
    assert_eq!(steps("a when g -> x  else -> y"), ["a when", "flow else"]);
}
