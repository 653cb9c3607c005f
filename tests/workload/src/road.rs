//! The policy as a `.road` file.

use crate::{Condition, Rule, Workload};
use std::fmt::Write;

/// The text of the policy: a pure decision (`profile choice`). The roads are options, their conditions filters; the refusals
/// are the exits of the only choose, the first that holds.
#[must_use]
pub fn text(workload: &Workload) -> String {
    let n = workload.roads.len();
    let mut out = format!(
        "edition 1\n\n/// The routing workload with {n} roads: a pure decision.\npolicy bench.roads{n}@1 profile choice {{\n  facts {{\n"
    );
    for name in &workload.bools {
        line(&mut out, format_args!("    volatile {name} : bool"));
    }
    for (name, values) in &workload.enums {
        line(&mut out, format_args!("    volatile {name} : enum {{ {} }}", values.join(", ")));
    }
    line(&mut out, format_args!("    volatile {} : set {{ {} }}", workload.set, workload.labels.join(", ")));
    for (name, least, greatest) in &workload.ints {
        line(&mut out, format_args!("    volatile {name} : int {least}..{greatest}"));
    }
    line(&mut out, format_args!("  }}"));
    for road in &workload.roads {
        let filters = road.all.iter().enumerate().map(|(i, c)| format!("c{i} : {}", condition(workload, c)));
        let filters: Vec<_> = filters.collect();
        line(&mut out, format_args!("  road {} : option {{ filters {{ {} }} }}", road.name, filters.join(" ")));
    }
    flow(&mut out, workload);
    line(&mut out, format_args!("}}"));
    out
}

fn flow(out: &mut String, workload: &Workload) {
    let names =
        |places: &[usize]| places.iter().map(|i| workload.roads[*i].name.as_str()).collect::<Vec<_>>().join(", ");
    let all: Vec<usize> = (0..workload.roads.len()).collect();
    let (by, values) = &workload.enums[workload.by];
    line(out, format_args!("  flow {{\n    start -> choose\n    choose {{ {} }} by {by} {{", names(&all)));
    for (value, order) in values.iter().zip(&workload.orders) {
        line(out, format_args!("      {value} : order {}", names(order)));
    }
    line(out, format_args!("    }} each -> done"));
    // Guards of one port must not overlap: each refusal says that none before it holds.
    let mut before: Vec<String> = Vec::new();
    for Rule { name, all } in &workload.refusals {
        if all.is_empty() {
            line(out, format_args!("    choose.none else -> refused({name})"));
            continue;
        }
        let own: Vec<_> = all.iter().map(|c| condition(workload, c)).collect();
        let own = own.join(" and ");
        let guard: Vec<_> = before.iter().chain([&own]).map(String::as_str).collect();
        line(out, format_args!("    choose.none when {} -> refused({name})", guard.join(" and ")));
        before.push(format!("not ({own})"));
    }
    line(out, format_args!("    else -> refused(input)\n  }}"));
}

fn condition(workload: &Workload, c: &Condition) -> String {
    let several = |all: &[Condition], word: &str| {
        let all: Vec<_> = all.iter().map(|c| condition(workload, c)).collect();
        format!("({})", all.join(word))
    };
    match c {
        Condition::Bool(fact, true) => workload.bools[*fact].clone(),
        Condition::Bool(fact, false) => format!("not {}", workload.bools[*fact]),
        Condition::In(fact, mask) => {
            let (name, values) = &workload.enums[*fact];
            let values: Vec<_> = (0..values.len()).filter(|i| mask >> i & 1 == 1).map(|i| &*values[i]).collect();
            format!("{name} in {{ {} }}", values.join(", "))
        }
        Condition::Has(label) => format!("{} has {}", workload.set, workload.labels[*label]),
        Condition::AtLeast(fact, least) => format!("{} >= {least}", workload.ints[*fact].0),
        Condition::Not(inner) => match &**inner {
            Condition::AtLeast(fact, least) => format!("{} < {least}", workload.ints[*fact].0),
            inner => format!("not {}", condition(workload, inner)),
        },
        Condition::And(all) => several(all, " and "),
        Condition::Or(any) => several(any, " or "),
    }
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}
