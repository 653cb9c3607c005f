//! Inputs that break engines: long, deep, mangled.

use super::*;
use std::time::{Duration, Instant};

#[test]
fn guards_that_grow_by_lets_are_stopped() {
    let mut items = String::from("let l0 = lineage and consent\n");
    for i in 1..40 {
        items.push_str(&format!("let l{i} = l{0} and l{0}\n", i - 1));
    }
    let start = Instant::now();
    let out = low(&plus(BASE, &items));
    assert!(out.model.is_none() && told(&out).contains("longer than"), "{}", told(&out));
    assert!(start.elapsed() < Duration::from_secs(20));
    let mut items = String::from("let d0 = lineage\n");
    for i in 1..300 {
        items.push_str(&format!("let d{i} = not d{}\n", i - 1));
    }
    let out = low(&plus(BASE, &items));
    assert!(told(&out).contains("deeper than"), "{}", told(&out));
}

#[test]
fn many_alternatives_are_kept() {
    let parts: Vec<String> = (0..64).map(|i| format!("(weight == {i} or labels has red)")).collect();
    let m = model(&with(BASE, &[("class : class <= internal", &format!("class : {}", parts.join(" and ")))]));
    assert_eq!(road(&m, "alpha").filters.iter().filter(|f| f.name == "class").count(), 1);
}

/// A policy with many roads.
fn wide(roads: usize) -> String {
    let names: Vec<String> = (0..roads).map(|i| format!("r{i}")).collect();
    let decls: Vec<String> =
        names.iter().map(|n| format!("road {n} : native local_model {{ limits all {{ spend 0 }} }}")).collect();
    with(
        BASE,
        &[
            ("choose { home, alpha, beta }", &format!("choose {{ home, alpha, beta, {} }}", names.join(", "))),
            ("counter rounds", &format!("{}\n  counter rounds", decls.join("\n  "))),
        ],
    )
}

#[test]
fn a_thousand_roads_lower_and_more_are_refused() {
    let start = Instant::now();
    let m = model(&wide(1021));
    assert_eq!(m.roads.len(), 1024);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    let out = low(&wide(1022));
    assert!(
        out.model.is_none() && told(&out).contains("1025 roads, and at most 1024"),
        "{}",
        told(&out).lines().last().unwrap_or_default()
    );
}

#[test]
fn facts_have_a_limit() {
    let facts = |n: usize| {
        let list: Vec<String> = (0..n).map(|i| format!("sealed f{i} : bool")).collect();
        plus(BASE, &format!("facts {{ {} }}", list.join("\n")))
    };
    let shipped = {
        let m = model(BASE);
        let mut families: Vec<_> = m.facts.iter().map(|f| f.family.clone()).collect();
        families.sort();
        families.dedup();
        families.len()
    };
    model(&facts(256 - shipped));
    let out = low(&facts(257 - shipped));
    assert!(out.model.is_none() && told(&out).contains("257 facts, and at most 256"), "{}", told(&out));
}

/// Truncations and deletions of words must never panic, and never give a model with an edge out of its arena.
#[test]
fn mangled_policies_are_refused_or_lowered_without_panic() {
    for (name, text) in POLICIES.iter().chain(&[("base", BASE), ("peers", PEERS)]) {
        let words: Vec<(usize, usize)> = {
            let mut out = Vec::new();
            let mut start = None;
            for (i, c) in text.char_indices() {
                let inside = c.is_alphanumeric() || c == '_';
                match (inside, start) {
                    (true, None) => start = Some(i),
                    (false, Some(s)) => {
                        out.push((s, i));
                        start = None;
                    }
                    _ => {}
                }
            }
            out
        };
        let step = if *name == "base" { 3 } else { 11 };
        for (n, (a, b)) in words.iter().enumerate().step_by(step) {
            let (c, d) = words[(n * 31 + 7) % words.len()];
            for word in ["", "ok", "home", "weight", "9", "others", &text[c..d]] {
                let mangled = format!("{}{word}{}", &text[..*a], &text[*b..]);
                let out = low(&mangled);
                if let Some(m) = &out.model {
                    assert!(m.edges.iter().all(|e| e.to.index() < m.nodes.len()), "{name}");
                } else {
                    assert!(out.diagnostics.iter().any(|d| d.severity == Severity::Error), "{name}: silent: {mangled}");
                }
            }
        }
    }
}

#[test]
fn a_model_is_whole_wherever_no_error_is_told() {
    // Every outcome has an edge in every mangled policy that still has a model.
    let edges: Vec<&str> = BASE.lines().filter(|l| l.contains("->") && !l.contains("start")).collect();
    for line in edges {
        let out = low(&BASE.replace(&format!("{line}\n"), ""));
        let Some(m) = &out.model else { continue };
        for (i, n) in m.nodes.iter().enumerate() {
            for o in n.kind.outcomes(n.road.map(|r| m.road(r).shape)) {
                let has = m.edges.iter().any(|e| e.from.index() == i && e.outcome == *o);
                assert!(has, "without `{line}`: {} {}", n.name, o.word());
            }
        }
    }
}

#[test]
fn deep_policies_fit_a_small_stack() {
    let mut items = String::from("let d0 = lineage\n");
    for i in 1..95 {
        items.push_str(&format!("let d{i} = not d{}\n", i - 1));
    }
    let guard = format!("{}lineage{}", "(".repeat(50), ")".repeat(50));
    let mut lanes = String::new();
    for i in 0..20 {
        let inner = if i == 19 { "portal(r)".to_owned() } else { format!("deep{}(r)", i + 1) };
        let word = inner.split('(').next().unwrap_or_default();
        let exits = "ok, uncertain, cancelled, rest";
        lanes.push_str(&format!(
            "lane deep{i}(r: road portal) exits {{ {exits} }} {{ start -> {inner}\n {word}.ok -> exit(ok)\n {word}.uncertain -> exit(uncertain)\n {word}.cancelled -> exit(cancelled)\n {word}.others -> exit(rest) }}\n"
        ));
    }
    let beta = "choose.none -> pending_no_road\n    choose.beta -> deep0\n    deep0.ok -> accept\n    deep0.uncertain -> settle\n    deep0.cancelled -> cancelled\n    deep0.others -> refused(road)";
    let deep = plus(BASE, &format!("{items}\nnever done when d94\nnever done when {guard}"));
    let nested = plus(&with(BASE, &[("choose.none -> pending_no_road", beta)]), &lanes);
    let small = std::thread::Builder::new().stack_size(512 * 1024).spawn(move || {
        assert!(low(&deep).model.is_some(), "{}", told(&low(&deep)));
        let out = low(&nested);
        assert!(told(&out).contains("lanes more than 16 deep"), "{}", told(&out));
        // Six deep is within the limit.
        let shallow = nested.replace("choose.beta -> deep0", "choose.beta -> deep7").replace("deep0.", "deep7.");
        let shallow = shallow.replace("lane deep7.", "lane deep7");
        assert!(low(&shallow).model.is_some(), "{}", told(&low(&shallow)));
    });
    small.expect("a thread").join().expect("no overflow");
}
