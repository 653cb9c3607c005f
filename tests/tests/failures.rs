//! How engines like this one have failed elsewhere, and the tests that keep it from happening here: a row for each kind of
//! failure. The list names tests that must exist; what had no test before stands below.

use roadlaw_compiler::fuzz;
use roadlaw_compiler::lower::{Input, lower};
use roadlaw_compiler::pipeline::{self, Checked};
use roadlaw_compiler::prove::Verdict;
use roadlaw_compiler::table::Options;
use roadlaw_compiler::validate::view;
use roadlaw_grammar::diagnostic::Severity;
use roadlaw_grammar::span::Sources;
use roadlaw_runtime::format::{COUNTS_AT, HEADER, MAGIC, SECTIONS, VERSION};
use roadlaw_runtime::{Facts, Latches, Table};
use roadlaw_tests::repository;
use std::time::{Duration, Instant};

/// A kind of failure.
struct Row {
    class: &'static str,
    /// Files and the tests in them.
    tests: &'static [(&'static str, &'static str)],
    /// What is not tested because it is not built, and why that is so; empty where nothing is missing.
    missing: &'static str,
}

const HERE: &str = "tests/tests/failures.rs";
const HOSTILE: &str = "compiler/src/lower/tests/hostile.rs";
const TABLE: &str = "tests/tests/table.rs";
const GRAMMAR: &str = "grammar/tests/text/hard.rs";
const INPUT: &str = "tests/tests/bad_input.rs";
const GUARDS: &str = "compiler/src/lower/tests/guards.rs";
const RELOAD: &str = "examples/server/tests/reload.rs";
const DIFFERENTIAL: &str = "tests/tests/differential.rs";

const ROWS: &[Row] = &[
    Row {
        class: "deep nesting",
        tests: &[
            (HERE, "deep_text_fits_a_small_stack_from_reading_to_dropping"),
            (HOSTILE, "deep_policies_fit_a_small_stack"),
            (GRAMMAR, "depth_is_counted_and_the_last_depth_parses"),
            (INPUT, "deep_nesting_is_counted_not_followed"),
            ("compiler/src/program/document.rs", "deep_nesting_is_refused_not_followed"),
        ],
        missing: "",
    },
    Row {
        class: "exponential parse",
        tests: &[
            (HERE, "sixteen_times_the_text_is_not_a_hundred_times_the_work"),
            (GRAMMAR, "long_chains_and_lists_parse"),
            (GRAMMAR, "a_fault_at_the_end_of_a_long_text_has_its_place"),
        ],
        missing: "",
    },
    Row {
        class: "exponential analysis",
        tests: &[
            (HERE, "sixty_four_alternatives_are_settled_or_undecided"),
            (HOSTILE, "many_alternatives_are_kept"),
            (HOSTILE, "guards_that_grow_by_lets_are_stopped"),
        ],
        missing: "",
    },
    Row {
        class: "printer changes meaning",
        tests: &[
            (HERE, "a_printed_policy_means_the_same"),
            ("grammar/tests/text/trees.rs", "random_trees_come_back"),
            ("grammar/tests/text/round.rs", "shipped_sources_print_faithfully"),
        ],
        missing: "",
    },
    Row {
        class: "formatter destroys",
        tests: &[
            ("grammar/src/trivia.rs", "pieces_are_the_text"),
            ("grammar/src/trivia.rs", "comments_are_found_and_docs_are_not"),
        ],
        missing: "there is no formatter yet: what it will work on loses nothing",
    },
    Row {
        class: "analysis loses input",
        tests: &[
            (HOSTILE, "a_model_is_whole_wherever_no_error_is_told"),
            (INPUT, "duplicate_names_show_both_places"),
            (INPUT, "wrong_types_are_named"),
            ("compiler/src/program/binding.rs", "a_fact_is_given_once_in_either_spelling"),
            (
                "tests/tests/profiles.rs",
                "the_verdict_prints_the_profile_what_ran_and_what_was_left_out_with_the_reason",
            ),
        ],
        missing: "",
    },
    Row {
        class: "validator not called",
        tests: &[
            (TABLE, "validation_refuses_what_a_faulty_writer_writes"),
            (INPUT, "a_rejected_policy_writes_nothing_and_leaves_what_was_there"),
            (INPUT, "unknown_names_name_the_nearest"),
        ],
        missing: "",
    },
    Row {
        class: "error skips the guard",
        tests: &[
            ("compiler/src/prove/guards_agree.rs", "every_reader_of_a_guard_agrees_on_every_assignment"),
            (INPUT, "bad_facts_have_a_place_and_end_with_2"),
        ],
        missing: "",
    },
    Row {
        class: "undefined is not false",
        tests: &[
            (HERE, "boundaries_and_the_unknown_are_where_they_are_written"),
            ("compiler/src/prove/guards_agree.rs", "every_reader_of_a_guard_agrees_on_every_assignment"),
            ("tests/tests/table_commands.rs", "an_unknown_latch_is_closed_in_a_test"),
        ],
        missing: "",
    },
    Row {
        class: "silent widening",
        tests: &[
            (HERE, "boundaries_and_the_unknown_are_where_they_are_written"),
            (INPUT, "empty_sets_are_refused"),
            (GUARDS, "wrong_guards_are_refused"),
        ],
        missing: "",
    },
    Row {
        class: "contradiction lost",
        tests: &[
            (HERE, "a_contradiction_is_no_policy"),
            (GUARDS, "a_comparison_that_nothing_changes_is_noted"),
            ("compiler/src/lower/tests/flows.rs", "an_edge_that_no_run_comes_to_is_noted"),
        ],
        missing: "",
    },
    Row {
        class: "index overflow",
        tests: &[
            (HERE, "labels_and_values_have_limits_that_are_told"),
            (HERE, "the_last_value_and_the_last_label_count"),
            (HOSTILE, "facts_have_a_limit"),
            (HOSTILE, "a_thousand_roads_lower_and_more_are_refused"),
            ("tests/tests/large.rs", "five_hundred_nodes_are_proved_and_frozen"),
        ],
        missing: "no policy within the limits of roads and facts was made that has 65,536 nodes or edges",
    },
    Row {
        class: "cache gives a wrong answer",
        tests: &[(HERE, "a_verdict_does_not_depend_on_what_was_checked_before")],
        missing: "there is no cache yet",
    },
    Row {
        class: "injection into the solver",
        tests: &[
            (HERE, "hostile_text_stays_text_in_the_model_and_the_proof"),
            ("compiler/src/emit/c.rs", "nothing_ends_a_comment"),
            ("compiler/src/emit/rust/page.rs", "prose_is_text_and_nothing_else"),
            ("compiler/src/program/render.rs", "control_characters_do_not_reach_the_terminal"),
        ],
        missing: "",
    },
    Row {
        class: "input bombs",
        tests: &[
            (HERE, "declared_sizes_reserve_nothing"),
            (GRAMMAR, "a_file_may_be_one_mebibyte_long_and_no_longer"),
            (TABLE, "a_sound_table_is_read_and_every_truncation_is_refused"),
        ],
        missing: "",
    },
    Row {
        class: "signature stripped",
        tests: &[
            ("tests/tests/sign.rs", "a_stripped_signature_is_none"),
            ("tests/tests/sign.rs", "every_truncation_and_every_changed_bit_of_a_signature_is_refused"),
            ("tests/tests/sign.rs", "another_key_is_refused"),
        ],
        missing: "",
    },
    Row {
        class: "reload",
        tests: &[
            (RELOAD, "bad_tables_change_nothing_under_load_and_a_newer_one_takes_over_whole"),
            (RELOAD, "without_a_sound_first_table_there_is_no_server"),
            (INPUT, "damaged_tables_are_refused_by_every_command"),
        ],
        missing: "",
    },
    Row {
        class: "rollback, staleness",
        tests: &[
            ("tests/tests/sign.rs", "an_older_epoch_is_refused"),
            (RELOAD, "a_server_that_is_killed_while_it_reloads_comes_back_with_no_older_policy"),
        ],
        missing: "a greatest age of a table is not built",
    },
    Row {
        class: "solver unknown read as pass",
        tests: &[("tests/tests/mutants.rs", "a_policy_that_is_not_proved_or_fails_its_tests_is_not_changed")],
        missing: "fake solvers need a solver that can be replaced",
    },
    Row {
        class: "solver wrong",
        tests: &[
            (DIFFERENTIAL, "the_compiler_and_the_reference_give_the_same_verdicts"),
            ("compiler/src/prove/guards_agree.rs", "every_reader_of_a_guard_agrees_on_every_assignment"),
            ("tests/tests/runs.rs", "every_run_of_a_table_is_a_run_of_the_policy"),
        ],
        missing: "",
    },
    Row {
        class: "names decide",
        tests: &[
            (HERE, "what_roads_are_called_decides_nothing"),
            ("compiler/src/lower/tests/flows.rs", "two_unguarded_edges_of_a_port_overlap"),
            ("compiler/src/lower/tests/flows.rs", "chooses_are_total_and_say_what_they_leave_out"),
        ],
        missing: "",
    },
    Row {
        class: "policy stored, never enforced",
        tests: &[
            (HERE, "a_run_is_driven_by_the_table_that_it_began_with_and_no_other"),
            ("tests/tests/table_commands.rs", "inspect_shows_everything_that_the_bytes_say"),
        ],
        missing: "",
    },
];

#[test]
fn every_row_has_tests_that_exist() {
    assert_eq!(ROWS.len(), 22, "a row was lost");
    let mut wrong = Vec::new();
    for row in ROWS {
        if row.tests.is_empty() {
            wrong.push(format!("{}: no test", row.class));
        }
        for (file, name) in row.tests {
            let text = std::fs::read_to_string(repository().join(file)).unwrap_or_default();
            // A function with that name, right under its attributes, one of which makes it a test.
            let there = text.split("\n\n").any(|block| {
                let head = block.split(&format!("fn {name}(")).next().unwrap_or(block);
                head.len() < block.len() && head.lines().any(|l| l.trim().starts_with("#[") && l.contains("test"))
            });
            if !there {
                wrong.push(format!("{}: no test `{name}` in {file}", row.class));
            }
        }
        if !row.missing.is_empty() {
            println!("{}: {}", row.class, row.missing);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn input(text: &str) -> Input {
    Input { name: "p.road".to_owned(), bytes: text.as_bytes().to_vec(), root: None }
}

fn checked(text: &str) -> Checked {
    pipeline::check(input(text), Options::default())
}

/// A choice of one road, open by one filter over these facts.
fn choice(facts: &str, filter: &str) -> String {
    format!(
        "edition 1\npolicy a.b@1 profile choice {{\n  facts {{ {facts} }}\n  road p : option {{ filters {{ f : {filter} }} }}
  flow {{
    start -> choose
    choose {{ p }} in order p each -> done
    choose.none -> pending_no_road
    else -> refused(input)
  }}\n}}\n"
    )
}

fn built(text: &str) -> Vec<u8> {
    let c = checked(text);
    c.table.unwrap_or_else(|| panic!("{:?}\n{text}", c.report.diagnostics))
}

#[test]
fn deep_text_fits_a_small_stack_from_reading_to_dropping() {
    // Tables are built outside: Z3 has a stack of its own size.
    assert!(!fuzz::tables().is_empty());
    let deepest = roadlaw_grammar::DEEPEST - 1;
    let guard = |open: &str, n: usize, close: &str| {
        choice("pinned n : int -3..3", &format!("{}n > 0{}", open.repeat(n), close.repeat(n))).into_bytes()
    };
    let mut texts = vec![guard("(", deepest - 3, ")"), guard("not ", deepest - 3, "")];
    for open in ["(", "not ", "not (", "{", "[", "flow { "] {
        texts.push(open.repeat(1_000_000 / open.len()).into_bytes());
        texts.push(guard(open, 100_000, ""));
    }
    let json: Vec<Vec<u8>> =
        ["[", "{\"a\":", "[[], "].iter().map(|s| [vec![0], s.repeat(200_000).into_bytes()].concat()).collect();
    let small = std::thread::Builder::new().stack_size(512 << 10).spawn(move || {
        for text in &texts {
            [fuzz::parse, fuzz::print, fuzz::lower].iter().for_each(|body| body(text));
        }
        for text in &json {
            [fuzz::facts, fuzz::events].iter().for_each(|body| body(text));
        }
    });
    small.expect("a thread").join().expect("no overflow");
}

#[test]
fn sixteen_times_the_text_is_not_a_hundred_times_the_work() {
    let parsed = |text: &str| {
        let once = || {
            let mut sources = Sources::default();
            let id = sources.add("p.road", text);
            let start = Instant::now();
            let _ = roadlaw_grammar::parse(&sources, id);
            start.elapsed()
        };
        // The least of three: what else the machine does only adds.
        (0..3).map(|_| once()).min().unwrap_or_default()
    };
    // Each line tries what a grammar that backtracks would try again: openings that fail late.
    let lines = [
        "let a = ((b or (c and not (d or e))))\n",
        "let a = not not not b or (c or\n",
        "flow { a.b, c.d when x -> e\n",
        "facts { a : set { b, }\n",
    ];
    for line in lines {
        let text = |n: usize| format!("edition 1\npolicy a@1 {{\n{}", line.repeat(n));
        let (short, long) = (parsed(&text(50)), parsed(&text(800)));
        assert!(long < 100 * short.max(Duration::from_millis(2)), "{line}: {short:?}, then {long:?}");
    }
}

#[test]
fn sixty_four_alternatives_are_settled_or_undecided() {
    let filter: Vec<String> = (0..64).map(|i| format!("(n == {i} or t has a)")).collect();
    let text = choice("pinned n : int 0..63  pinned t : set { a, b }", &filter.join(" and "));
    let c = checked(&text);
    assert!(matches!(c.report.verdict, Verdict::Proved | Verdict::Undecided), "{:?}", c.report.diagnostics);
    assert!(!c.report.diagnostics.iter().any(|d| d.code == "RL902"), "{:?}", c.report.diagnostics);
}

#[test]
fn a_printed_policy_means_the_same() {
    for name in ["pick-model", "first-eligible"] {
        let text = std::fs::read_to_string(repository().join(format!("examples/{name}.road"))).expect("text");
        let mut sources = Sources::default();
        let id = sources.add("p.road", text.as_str());
        let tree = roadlaw_grammar::parse(&sources, id).0.expect("a tree");
        assert_eq!(built(&roadlaw_grammar::print(&tree)), built(&text), "{name}");
    }
}

/// Whether the road is open at each of these values of `n`, and where it is unknown.
fn open(table: &[u8], values: std::ops::RangeInclusive<i32>) -> (Vec<i32>, bool) {
    let t = Table::from_bytes(table).expect("a table");
    let latches = Latches::fresh(&t);
    let is_open = |facts: &Facts| t.choose_with(0, facts, &latches).road().is_some();
    let at = values.filter(|n| {
        let mut facts = Facts::new();
        facts.set_int(&t, 0, *n).expect("in range");
        is_open(&facts)
    });
    (at.collect(), is_open(&Facts::new()))
}

#[test]
fn boundaries_and_the_unknown_are_where_they_are_written() {
    let of = |filter: &str| open(&built(&choice("pinned n : int -2..2", filter)), -2..=2);
    let cases: [(&str, &[i32]); 9] = [
        ("n > 0", &[1, 2]),
        ("n >= 0", &[0, 1, 2]),
        ("n < 0", &[-2, -1]),
        ("n <= 0", &[-2, -1, 0]),
        ("n == 0", &[0]),
        ("n != 0", &[-2, -1, 1, 2]),
        ("not n > 0", &[-2, -1, 0]),
        ("not n == 0", &[-2, -1, 1, 2]),
        ("n > -1 and n < 1", &[0]),
    ];
    for (filter, values) in cases {
        // Unknown opens nothing, not even what is denied.
        assert_eq!(of(filter), (values.to_vec(), false), "{filter}");
    }
    for wrong in ["n => 0", "n = 0", "n <> 0", "n === 0", "n in {}", "n > ", "n >> 0", "n has 0", "n > 0 0"] {
        let out = lower(input(&choice("pinned n : int -2..2", wrong)));
        assert!(out.model.is_none(), "{wrong} was taken");
    }
}

#[test]
fn a_contradiction_is_no_policy() {
    let checked = checked(&choice("pinned n : int -2..2", "n > 1 and n < 0"));
    let told: Vec<_> = checked.report.diagnostics.iter().map(|d| (d.code, d.message.as_str())).collect();
    assert_eq!(told, [("RL704", "the road `p` can never be used")]);
    assert!(checked.table.is_none());
}

#[test]
fn labels_and_values_have_limits_that_are_told() {
    for (of, limit) in [("set", 64), ("enum", 256)] {
        let facts = |n: usize| {
            let labels: Vec<String> = (0..n).map(|i| format!("l{i}")).collect();
            choice(&format!("pinned n : int 0..1  pinned t : {of} {{ {} }}", labels.join(", ")), "n > 0")
        };
        let told = |n: usize| {
            let out = lower(input(&facts(n)));
            let errors = out.diagnostics.iter().filter(|d| d.severity == Severity::Error);
            errors.map(|d| d.message.clone()).collect::<Vec<_>>()
        };
        assert_eq!(told(limit), Vec::<String>::new(), "{of}");
        assert!(told(limit + 1).iter().any(|m| m.contains("at most")), "{of}: {:?}", told(limit + 1));
        for n in [257, 65_535, 65_536] {
            assert!(told(n).iter().any(|m| m.contains("at most")), "{n} in {of}");
        }
    }
}

/// The last value and the last label that there may be are told apart from those before them.
#[test]
fn the_last_value_and_the_last_label_count() {
    let names = |n: usize| (0..n).map(|i| format!("l{i}")).collect::<Vec<_>>().join(", ");
    let bytes = built(&choice(&format!("pinned t : enum {{ {} }}", names(256)), "t == l255"));
    let t = Table::from_bytes(&bytes).expect("a table");
    let open: Vec<u8> = (0..=255)
        .filter(|v| {
            let mut facts = Facts::new();
            facts.set_value(&t, 0, *v).expect("a value");
            t.choose(0, &facts).road().is_some()
        })
        .collect();
    assert_eq!(open, [255]);
    let bytes = built(&choice(&format!("pinned t : set {{ {} }}", names(64)), "t has l63"));
    let t = Table::from_bytes(&bytes).expect("a table");
    let open: Vec<u32> = (0..64)
        .filter(|bit| {
            let mut facts = Facts::new();
            facts.set_labels(&t, 0, 1 << bit).expect("a label");
            t.choose(0, &facts).road().is_some()
        })
        .collect();
    assert_eq!(open, [63]);
}

#[test]
fn a_verdict_does_not_depend_on_what_was_checked_before() {
    let texts =
        [choice("pinned n : int 0..9", "n > 3"), choice("pinned n : int 0..9", "n > 4"), "edition 1\n".to_owned()];
    let all = |order: [usize; 3]| {
        let mut made: Vec<_> = order
            .iter()
            .map(|i| {
                let c = checked(&texts[*i]);
                (*i, c.report.verdict, c.table, c.report.diagnostics)
            })
            .collect();
        made.sort_by_key(|m| m.0);
        made
    };
    assert!(all([0, 1, 2]) == all([2, 1, 0]) && all([1, 0, 2]) == all([0, 1, 2]), "what came before was remembered");
}

#[test]
fn hostile_text_stays_text_in_the_model_and_the_proof() {
    let hostile = r#"x|)(assert false)(check-sat)\";--*/ %00 ${x} </script>"#;
    let written = hostile.replace('\\', r"\\").replace('"', "\\\"");
    let text = roadlaw_tests::SHORTEST.replace("provider \"openai\"", &format!("provider \"{written}\""));
    assert!(text.contains("check-sat"));
    let c = checked(&text);
    // Refused or taken as it stands: the proof is that of any other name.
    if let Some(model) = &c.model {
        let json = serde_json::to_string(model).expect("JSON");
        let read: serde_json::Value = serde_json::from_str(&json).expect("JSON again");
        assert!(json.contains("check-sat") && read.is_object());
    }
    let plain = checked(roadlaw_tests::SHORTEST);
    assert!(c.report.verdict == Verdict::Rejected || c.report.obligations == plain.report.obligations);
    // No name of the language can hold it.
    assert!(lower(input(&roadlaw_tests::SHORTEST.replace("llama", "`|x|)(check-sat`"))).model.is_none());
}

#[test]
fn declared_sizes_reserve_nothing() {
    let mut bytes = vec![0; HEADER];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
    bytes[10..12].copy_from_slice(&u16::try_from(HEADER).expect("small").to_le_bytes());
    let start = Instant::now();
    for section in 0..SECTIONS.len() {
        for count in [u32::MAX, u32::MAX / 8, 1 << 31, 1] {
            let mut bytes = bytes.clone();
            bytes[COUNTS_AT + 4 * section..][..4].copy_from_slice(&count.to_le_bytes());
            for length in [HEADER, usize::try_from(u32::MAX).expect("large"), 0] {
                bytes[16..20].copy_from_slice(&u32::try_from(length).expect("u32").to_le_bytes());
                let sum = roadlaw_runtime::format::checksum(&bytes);
                bytes[24..32].copy_from_slice(&sum.to_le_bytes());
                assert!(Table::from_bytes(&bytes).is_err() && view(&bytes).is_err(), "section {section}, {count}");
            }
        }
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn what_roads_are_called_decides_nothing() {
    let text = |a: &str, b: &str| {
        format!(
            "edition 1\npolicy a.b@1 profile choice {{\n  facts {{ pinned n : int 0..3 }}
  road {a} : option {{ filters {{ f : n > 0 }} }}\n  road {b} : option {{ filters {{ f : n > 1 }} }}
  flow {{
    start -> choose
    choose {{ {a}, {b} }} in order {b}, {a} each -> done
    choose.none -> pending_no_road
    else -> refused(input)
  }}\n}}\n"
        )
    };
    let chosen = |a: &str, b: &str| {
        let bytes = built(&text(a, b));
        let t = Table::from_bytes(&bytes).expect("a table");
        (0..=3)
            .map(|n| {
                let mut facts = Facts::new();
                facts.set_int(&t, 0, n).expect("in range");
                t.choose(0, &facts).road()
            })
            .collect::<Vec<_>>()
    };
    let expected = [None, Some(0), Some(1), Some(1)];
    for (a, b) in [("a", "z"), ("z", "a"), ("r10", "r9"), ("b", "bb")] {
        assert_eq!(chosen(a, b), expected, "{a} and {b}");
    }
}

#[test]
fn a_run_is_driven_by_the_table_that_it_began_with_and_no_other() {
    use roadlaw_runtime::{Run, RunError, format::OK};
    let (one, two) = (built(&choice("pinned n : int 0..9", "n > 3")), built(&choice("pinned n : int 0..9", "n > 4")));
    let (a, b) = (Table::from_bytes(&one).expect("a table"), Table::from_bytes(&two).expect("a table"));
    assert_ne!(a.digest(), b.digest());
    let mut run = Run::start(&a, 0).expect("a run");
    let before = run;
    assert_eq!(run.advance(&b, run.generation(), OK, &Facts::new()), Err(RunError::PinnedPolicyUnavailable));
    assert!(run == before);
    assert!(run.advance(&a, run.generation(), OK, &Facts::new()).is_ok());
}
