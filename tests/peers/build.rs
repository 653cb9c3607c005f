//! Writes the 24-road policy as the `if`s that a careful author would write by hand: over a plain struct, and over facts that
//! are packed as bits.

use roadlaw_workload::{Condition, Size, Workload};
use std::fmt::Write;

fn main() {
    let w = Workload::new(Size::Small);
    let text = format!("{}{}{}", plain(&w), decide(&w, "plain", "Plain", "f.tier", &|c| on_plain(&w, c)), {
        let by = format!("f.{}", w.enums[w.by].0);
        decide(&w, "bits", "Bits", &by, &|c| on_bits(&w, c))
    });
    let out = std::env::var_os("OUT_DIR").expect("cargo names a folder");
    std::fs::write(std::path::Path::new(&out).join("ifs.rs"), text).expect("the folder can be written");
}

/// Both structs, and how they are made of an input.
fn plain(w: &Workload) -> String {
    let mut out = String::from("#[derive(Clone, Copy)]\npub struct Plain {\n");
    let mut make = String::from("impl Plain { pub fn of(row: &Row) -> Self { Self {\n");
    for (i, name) in w.bools.iter().enumerate() {
        let _ = writeln!(out, "pub {name}: bool,");
        let _ = writeln!(make, "{name}: row.bool({i}),");
    }
    for (i, (name, _)) in w.enums.iter().enumerate() {
        let _ = writeln!(out, "pub {name}: u8,");
        let _ = writeln!(make, "{name}: row.enums[{i}],");
    }
    let _ = writeln!(out, "pub labels: u8,");
    let _ = writeln!(make, "labels: row.labels,");
    for (i, (name, ..)) in w.ints.iter().enumerate() {
        let _ = writeln!(out, "pub {name}: u8,");
        let _ = writeln!(make, "{name}: row.ints[{i}],");
    }
    // Bits: every enum as a window of one-hot bits.
    let values: Vec<u32> = w.enums.iter().map(|e| u32::try_from(e.1.len()).expect("few values")).collect();
    let firsts: Vec<u32> = (0..values.len()).map(|i| values[..i].iter().sum()).collect();
    let _ = writeln!(
        out,
        "}}\n#[derive(Clone, Copy)]\npub struct Bits {{ pub enums: u64, pub bools: u16, pub labels: u8, pub ints: [u8; 3], pub {}: u8 }}",
        w.enums[w.by].0
    );
    let _ = writeln!(
        make,
        "}} }} }}\nimpl Bits {{ pub fn of(row: &Row) -> Self {{
            let firsts: [u32; {}] = {firsts:?};
            let enums = firsts.iter().zip(row.enums).map(|(first, value)| 1 << (first + u32::from(value))).sum();
            Self {{ enums, bools: row.bools, labels: row.labels, ints: row.ints, {}: row.enums[{}] }} }} }}",
        firsts.len(),
        w.enums[w.by].0,
        w.by
    );
    out + &make
}

fn decide(w: &Workload, name: &str, of: &str, by: &str, condition: &dyn Fn(&Condition) -> String) -> String {
    let all = |rule: &[Condition]| {
        let all: Vec<_> = rule.iter().map(condition).collect();
        if all.is_empty() { "true".to_owned() } else { all.join(" && ") }
    };
    let mut out = String::new();
    for (i, road) in w.roads.iter().enumerate() {
        let _ = writeln!(out, "#[inline(always)] fn {name}_{i}(f: &{of}) -> bool {{ {} }}", all(&road.all));
    }
    let _ = writeln!(out, "pub fn {name}(f: &{of}) -> usize {{ match {by} {{");
    for (value, order) in w.orders.iter().enumerate() {
        let _ = writeln!(out, "{value} => {{");
        for road in order {
            let _ = writeln!(out, "if {name}_{road}(f) {{ return {road} }}");
        }
        let _ = writeln!(out, "}}");
    }
    let _ = writeln!(out, "_ => {{}} }}");
    for (i, refusal) in w.refusals.iter().enumerate() {
        let _ = writeln!(out, "if {} {{ return {} }}", all(&refusal.all), w.roads.len() + i);
    }
    out + "usize::MAX }\n"
}

fn on_plain(w: &Workload, c: &Condition) -> String {
    match c {
        Condition::Bool(i, value) => format!("{}f.{}", if *value { "" } else { "!" }, w.bools[*i]),
        Condition::In(i, mask) => {
            let values: Vec<_> = (0..16).filter(|v| mask >> v & 1 == 1).map(|v| v.to_string()).collect();
            format!("matches!(f.{}, {})", w.enums[*i].0, values.join("|"))
        }
        Condition::Has(label) => format!("f.labels & {} != 0", 1 << label),
        Condition::AtLeast(i, least) => format!("f.{} >= {least}", w.ints[*i].0),
        other => nested(other, &|c| on_plain(w, c)),
    }
}

fn on_bits(w: &Workload, c: &Condition) -> String {
    match c {
        Condition::Bool(i, value) => format!("f.bools & {} {} 0", 1 << i, if *value { "!=" } else { "==" }),
        Condition::In(i, mask) => {
            let first: usize = w.enums[..*i].iter().map(|e| e.1.len()).sum();
            format!("f.enums & {} != 0", u64::from(*mask) << first)
        }
        Condition::Has(label) => format!("f.labels & {} != 0", 1 << label),
        Condition::AtLeast(i, least) => format!("f.ints[{i}] >= {least}"),
        other => nested(other, &|c| on_bits(w, c)),
    }
}

fn nested(c: &Condition, inner: &dyn Fn(&Condition) -> String) -> String {
    let several = |all: &[Condition], sign| format!("({})", all.iter().map(inner).collect::<Vec<_>>().join(sign));
    match c {
        Condition::Not(c) => format!("!({})", inner(c)),
        Condition::And(all) => several(all, " && "),
        Condition::Or(any) => several(any, " || "),
        _ => unreachable!("conditions on facts are written by the caller"),
    }
}
