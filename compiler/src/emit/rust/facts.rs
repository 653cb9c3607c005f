//! The type of each fact, and the builder that holds facts both as they were told and packed.

use super::super::EmitError;
use super::super::names::{Scope, camel, snake, upper};
use super::super::plan::{Digit, Packing, Plan};
use super::page::{Page, prose};
use super::types::{Bits, Enumeration, Item, bounded};
use crate::model::{Fact, Type};
use crate::validate::Source;
use std::collections::BTreeMap;

/// A fact as the file says it.
#[derive(Debug)]
struct Told<'a> {
    cell: usize,
    fact: &'a Fact,
    /// Its name: the setter is `set_` and this, the field `told_` and this.
    field: String,
    /// Its type.
    ty: String,
    /// Variants of an enum or a level, in order.
    variants: Vec<Item>,
}

/// Writes the types of all facts and `Facts`.
pub(super) fn write(page: &mut Page, plan: &Plan<'_>, types: &mut Scope) -> Result<(), EmitError> {
    let told = types_of(page, plan, types)?;
    builder(page, plan, &told);
    Ok(())
}

/// Cells of a family share a type: it is written once.
fn types_of<'a>(page: &mut Page, plan: &Plan<'a>, types: &mut Scope) -> Result<Vec<Told<'a>>, EmitError> {
    let mut written: BTreeMap<&str, (String, Vec<Item>)> = BTreeMap::new();
    // Setters are `set_` and a name, fields `told_` and a name: no keyword is in the way.
    let mut names = Scope::new(&["epoch"]);
    let mut out = Vec::new();
    for (cell, fact) in &plan.facts {
        let (cell, fact) = (*cell, *fact);
        let field = names.take(snake(&fact.name), &fact.name)?;
        let (ty, variants) = match (&fact.ty, written.get(fact.family.as_str())) {
            (Type::Bool, _) => ("bool".to_owned(), Vec::new()),
            (_, Some(known)) => known.clone(),
            (ty, None) => {
                let ident = types.take(camel(&fact.family), &fact.family)?;
                let variants = declare(page, &ident, fact, ty)?;
                written.insert(&fact.family, (ident.clone(), variants.clone()));
                (ident, variants)
            }
        };
        out.push(Told { cell, fact, field, ty, variants });
    }
    Ok(out)
}

fn declare(page: &mut Page, ident: &str, fact: &Fact, ty: &Type) -> Result<Vec<Item>, EmitError> {
    let docs = format!("{}\nThe fact `{}`.", prose(&fact.docs), fact.family);
    let docs = docs.trim_start();
    let items = |names: &[String], scope: &mut Scope, ident: fn(&str) -> String| {
        let item = |(number, name): (usize, &String)| {
            let ident = scope.take(ident(name), name)?;
            Ok(Item { ident, name: name.clone(), docs: String::new(), number })
        };
        names.iter().enumerate().map(item).collect::<Result<Vec<_>, EmitError>>()
    };
    match ty {
        Type::Bool => Ok(Vec::new()),
        Type::Enum(names) | Type::Level(names) => {
            let items = items(names, &mut Scope::new(&["Self"]), camel)?;
            let ordered = matches!(ty, Type::Level(_));
            let numbers = if ordered { "Its number, ascending from 0" } else { "Its number, from 0" };
            Enumeration { ident, docs, number: "u8", numbers, ordered, items: &items }.write(page);
            Ok(items)
        }
        Type::Set(names) => {
            let items = items(names, &mut Scope::new(&["EMPTY", "ALL"]), upper)?;
            Bits { ident, docs, number: "u64", items: &items }.write(page);
            Ok(Vec::new())
        }
        Type::Int { lo, hi } => {
            bounded(page, ident, &format!("{docs} {lo} to {hi}."), *lo, *hi);
            Ok(Vec::new())
        }
    }
}

fn builder(page: &mut Page, plan: &Plan<'_>, told: &[Told<'_>]) {
    page.gap();
    page.doc(
        "What is known when something is decided. Everything is unknown until it is set, and unknown opens nothing.",
    );
    page.doc(
        "\nA setter takes a value, or `None` for unknown. Each packs what it is told: keep one `Facts` and change it.",
    );
    page.line("#[derive(Debug, Clone, Copy, PartialEq, Eq)]");
    page.open("pub struct Facts {");
    page.line("read_in_epoch: u32,");
    for t in told {
        page.line(&format!("told_{}: Option<{}>,", t.field, t.ty));
    }
    for (i, p) in packed(plan) {
        page.line(&format!("rows_of_{i}: [u16; {}],", p.width()));
        if p.by.is_some() {
            page.line(&format!("profile_of_{i}: u16,"));
        }
    }
    page.close("}");
    page.gap();
    page.open("impl Default for Facts {");
    page.open("fn default() -> Self {");
    page.line("Self::new()");
    page.close("}");
    page.close("}");
    page.gap();
    page.open("impl Facts {");
    new(page, plan, told);
    page.verbatim(EPOCH);
    for t in told {
        setter(page, plan, t);
    }
    cells(page, told);
    for (i, p) in packed(plan) {
        page.gap();
        page.open(&format!("const fn packed_{i}(&self) -> ::roadlaw_runtime::Packed<{}> {{", p.width()));
        let profile = if p.by.is_some() { format!("self.profile_of_{i}") } else { "0".to_owned() };
        page.line(&format!("let stamp = {:#018x};", p.stamp));
        page.line(&format!("::roadlaw_runtime::Packed::assembled(stamp, {profile}, self.rows_of_{i})"));
        page.close("}");
    }
    page.close("}");
    for (i, p) in packed(plan) {
        page.gap();
        page.open(&format!("const fn unknown_{i}() -> [u16; {}] {{", p.width()));
        let mutable = if p.unknown.is_empty() { "" } else { "mut " };
        page.line(&format!("let {mutable}rows = [0; {}];", p.width()));
        for (group, row) in p.unknown.iter().enumerate() {
            page.line(&format!("rows[{group}] = {row};"));
        }
        page.line("rows");
        page.close("}");
    }
    page.verbatim(PUT);
}

/// Chooses whose facts are packed.
pub(super) fn packed<'p>(plan: &'p Plan<'_>) -> impl Iterator<Item = (usize, &'p Packing)> {
    plan.packings.iter().enumerate().filter_map(|(i, p)| Some((i, p.as_ref()?)))
}

fn new(page: &mut Page, plan: &Plan<'_>, told: &[Told<'_>]) {
    page.doc("Everything unknown, in epoch 0.");
    page.line("#[must_use]");
    page.open("pub const fn new() -> Self {");
    page.open("Self {");
    page.line("read_in_epoch: 0_u32,");
    for t in told {
        page.line(&format!("told_{}: None,", t.field));
    }
    for (i, p) in packed(plan) {
        page.line(&format!("rows_of_{i}: unknown_{i}(),"));
        if let Some((_, _, unknown)) = &p.by {
            page.line(&format!("profile_of_{i}: {unknown},"));
        }
    }
    page.close("}");
    page.close("}");
}

fn setter(page: &mut Page, plan: &Plan<'_>, t: &Told<'_>) {
    page.gap();
    let docs = prose(&t.fact.docs);
    if !docs.trim().is_empty() {
        page.doc(&format!("{docs}\n"));
    }
    page.doc(&format!("Sets `{}`, a {} fact.{}", t.fact.name, t.fact.life.word(), stands_for(t)));
    let value = format!("value: impl Into<Option<{}>>", t.ty);
    page.function(&format!("pub fn set_{}", t.field), &["&mut self", &value], " -> &mut Self");
    page.line("let value = value.into();");
    page.line(&format!("self.told_{} = value;", t.field));
    let mut before = None;
    for (i, p) in packed(plan) {
        for (_, d) in p.digits.iter().filter(|(cell, _)| *cell == t.cell) {
            if before != Some((&d.source, d.radix)) {
                digit(page, t, d);
                before = Some((&d.source, d.radix));
            }
            let Digit { group, first, stride, radix, .. } = d;
            page.line(&format!("put(&mut self.rows_of_{i}[{group}], {first}, {stride}, {radix}, digit);"));
        }
        if let Some((_, profiles, unknown)) = p.by.as_ref().filter(|(cell, ..)| *cell == t.cell) {
            profile(page, t, i, profiles, *unknown);
        }
    }
    page.line("self");
    page.close("}");
}

/// What unknown stands for, in words.
fn stands_for(t: &Told<'_>) -> String {
    let Some(value) = t.fact.unknown else { return String::new() };
    let word = match &t.fact.ty {
        Type::Bool => if value == 0 { "false" } else { "true" }.to_owned(),
        Type::Enum(n) | Type::Level(n) => {
            usize::try_from(value).ok().and_then(|i| n.get(i)).cloned().unwrap_or_default()
        }
        Type::Int { .. } => value.to_string(),
        Type::Set(n) => {
            let named = n.iter().enumerate().filter(|(i, _)| value >> i & 1 == 1).map(|(_, l)| l.as_str());
            let named: Vec<&str> = named.collect();
            if named.is_empty() { "{ }".to_owned() } else { format!("{{ {} }}", named.join(", ")) }
        }
    };
    format!(" Unknown stands for `{word}`.")
}

/// The digit of a value; the greatest one is unknown.
fn digit(page: &mut Page, t: &Told<'_>, d: &Digit) {
    let unknown = d.radix - 1;
    match &d.source {
        Source::Cuts(cuts) => {
            page.open(&format!("let digit = match value.map({}::get) {{", t.ty));
            page.line(&format!("None => {unknown},"));
            // Between two cuts; nothing is below the least number.
            let ends = cuts.iter().map(|c| Some(*c)).chain([None]);
            let starts = [None].into_iter().chain(cuts.iter().map(|c| Some(*c)));
            for (number, (start, end)) in starts.zip(ends).enumerate().filter(|(_, (_, end))| *end != Some(i32::MIN)) {
                let text = |n: Option<i32>| n.map_or_else(String::new, |n| n.to_string());
                let range =
                    if start.is_none() && end.is_none() { "_".to_owned() } else { text(start) + ".." + &text(end) };
                page.line(&format!("Some({range}) => {number},"));
            }
            page.close("};");
        }
        Source::Labels { first, count } => {
            let mask = (1_u32 << count) - 1;
            page.line(&format!("let digit = value.map_or({unknown}, |v| ((v.bits() >> {first}) & {mask}) as u16);"));
        }
        _ if t.fact.ty == Type::Bool => page.line(&format!("let digit = value.map_or({unknown}, u16::from);")),
        _ => page.line(&format!("let digit = value.map_or({unknown}, |v| u16::from(v.index()));")),
    }
}

fn profile(page: &mut Page, t: &Told<'_>, i: usize, profiles: &[usize], unknown: usize) {
    page.open(&format!("self.profile_of_{i} = match value {{"));
    page.line(&format!("None => {unknown},"));
    for (value, p) in profiles.iter().enumerate() {
        let pattern = match t.variants.get(value) {
            Some(v) => format!("{}::{}", t.ty, v.ident),
            None => (value == 1).to_string(),
        };
        page.arm(&format!("Some({pattern})"), &p.to_string());
    }
    page.close("};");
}

fn cells(page: &mut Page, told: &[Told<'_>]) {
    page.verbatim(CELLS);
    page.inside(|page| {
        // A policy without facts asks nothing of its table.
        page.line(if told.is_empty() { "let _ = policy;" } else { "let table = policy.table;" });
        page.line("let mut cells = ::roadlaw_runtime::Facts::new();");
        page.line("cells.set_epoch(self.read_in_epoch);");
        for t in told {
            let (set, value) = match t.fact.ty {
                Type::Bool => ("bool", "value"),
                Type::Enum(_) | Type::Level(_) => ("value", "value.index()"),
                Type::Int { .. } => ("int", "value.get()"),
                Type::Set(_) => ("labels", "value.bits()"),
            };
            page.open(&format!("if let Some(value) = self.told_{} {{", t.field));
            page.line(&format!("cells.set_{set}(table, {}, {value})?;", t.cell));
            page.close("}");
        }
        page.line("Ok(cells)");
    });
    page.line("}");
}

const EPOCH: &str = "
    /// Says in which epoch of a run the volatile facts were read.
    pub fn set_epoch(&mut self, epoch: u32) -> &mut Self {
        self.read_in_epoch = epoch;
        self
    }
";

const CELLS: &str = "
    /// The same facts by cells, as the runtime takes them.
    ///
    /// # Errors
    /// The policy has more cells than the runtime's facts hold.
    pub fn cells(
        &self,
        policy: &Policy<'_, '_>,
    ) -> Result<::roadlaw_runtime::Facts, ::roadlaw_runtime::FactsError> {
";

const PUT: &str = "
/// Gives one digit of a row a new value.
#[inline]
fn put(row: &mut u16, first: u16, stride: u16, radix: u16, digit: u16) {
    let old = row.wrapping_sub(first) / stride % radix;
    let without = row.wrapping_sub(old.wrapping_mul(stride));
    *row = without.wrapping_add(digit.wrapping_mul(stride));
}
";
