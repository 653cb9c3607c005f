//! From syntax trees to the model: every name resolved, lanes copied out, families spread into cells, port edges
//! ordered.
//!
//! Takes the bytes of a policy and the folder it stands in. Guarantees that a model, if there is one, refers only to
//! what it holds, that every outcome of every node has an edge, and that whatever was written is in the model or in a
//! diagnostic. Leaves to later stages everything that needs a proof. Never panics, whatever the bytes.

mod claims;
pub mod codes;
mod compare;
mod facts;
mod filters;
mod finish;
mod flow;
mod guards;
mod limits;
mod load;
mod meaning;
mod names;
mod origin;
mod patterns;
mod presence;
mod question;
mod record;
mod roads;
mod scope;
mod secrets;
mod settings;
mod targets;
#[cfg(test)]
mod tests;
mod witness;

pub(crate) use facts::EVIDENCE;
pub(crate) use load::Instead;
pub(crate) use presence::laws_speak_of;

use crate::model::{Consumer, Model, Profile, Road, RoadId, Target};
use roadlaw_grammar::ast::{self, Head};
use roadlaw_grammar::diagnostic::{self, Diagnostic, Severity};
use roadlaw_grammar::span::{Sources, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// What is compiled.
#[derive(Debug, Clone)]
pub struct Input {
    /// The name shown in diagnostics: the path as it was given.
    pub name: String,
    /// The policy.
    pub bytes: Vec<u8>,
    /// The folder that `use` may read libraries from; absent: shipped libraries only.
    pub root: Option<PathBuf>,
}

/// What came of it.
#[derive(Debug)]
pub struct Lowered {
    /// Every file that was read; the policy is file 0.
    pub sources: Sources,
    /// The model; absent where an error leaves it without meaning. It may be there beside errors that only say that
    /// something must be written down: then the rest can still be proved, and is still rejected.
    pub model: Option<Model>,
    /// What is to be told, in order.
    pub diagnostics: Vec<Diagnostic>,
}

/// A constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Const {
    Number(i64),
    Word(String),
}

/// Everything that is known while a policy is lowered.
pub(crate) struct Lowering<'a> {
    pub(crate) scope: &'a scope::Scope<'a>,
    pub(crate) sources: &'a Sources,
    pub(crate) d: Vec<Diagnostic>,
    pub(crate) profile: Profile,
    /// Where the policy's name stands.
    pub(crate) span: Span,
    pub(crate) consts: BTreeMap<String, Const>,
    pub(crate) cells: facts::Cells,
    pub(crate) targets: Vec<Target>,
    pub(crate) consumers: Vec<Consumer>,
    pub(crate) roads: Vec<Road>,
    /// Floors of reviewer roads.
    pub(crate) floors: BTreeMap<RoadId, String>,
    /// Declarations that something names.
    pub(crate) used: BTreeSet<(&'static str, usize)>,
    pub(crate) work: guards::Work,
    /// Laws about guards that were reported, and where.
    pub(crate) told: BTreeSet<(&'static str, Span)>,
    /// Names that a provider may have, where it is not fixed.
    pub(crate) providers: Option<Vec<String>>,
    /// A filter, need or edge guard names a provider.
    pub(crate) reads_provider: bool,
}

/// Codes of errors beside which the model still means something.
const HARMLESS: &[&str] = &["RL001", "RL002", "RL003", "RL004", "RL005", "RL006", "RL007", "RL008", "RL009", "RL309"];

/// Lowers a policy.
#[must_use]
pub fn lower(input: Input) -> Lowered {
    lower_with(&input, &Instead::new())
}

/// Lowers a policy with other texts in the place of libraries that it uses.
pub(crate) fn lower_with(input: &Input, instead: &Instead) -> Lowered {
    let mut sources = Sources::default();
    let mut diagnostics = Vec::new();
    let loaded = load::load(&mut sources, &input.name, &input.bytes, input.root.as_deref(), instead, &mut diagnostics);
    let mut model = None;
    if let Some(load) = &loaded {
        for f in load.files.iter().filter(|f| !f.shipped) {
            secrets::check(f, &mut diagnostics);
        }
        let scope = scope::collect(load, &mut diagnostics);
        let head = load.files.last().map(|f| &f.file);
        if let Some(file) = head {
            let (m, d, reads_provider) = whole(file, &scope, &sources, false);
            model = m;
            diagnostics.extend(d);
            if let (true, Some(m)) = (reads_provider, &mut model) {
                m.any_provider = whole(file, &scope, &sources, true).0.map(Box::new);
            }
        }
    }
    forget_echoes(&mut diagnostics, &loaded);
    one_for_each_library(&mut diagnostics);
    one_for_each_message(&mut diagnostics);
    let broken = diagnostics.iter().any(|d| d.severity == Severity::Error && !HARMLESS.contains(&d.code));
    if broken {
        // What is not used, and where no run comes to, is known only of a policy that makes sense.
        diagnostics.retain(|d| d.severity == Severity::Error || ![codes::UNUSED, codes::NEVER_TAKEN].contains(&d.code));
    }
    diagnostic::sort(&mut diagnostics);
    Lowered { sources, model: model.filter(|_| !broken), diagnostics }
}

/// A mistake of the author can make a shipped library wrong, and no author can mend that: where there is another error,
/// errors about names and types inside shipped files say nothing new.
fn forget_echoes(diagnostics: &mut Vec<Diagnostic>, loaded: &Option<load::Load>) {
    let shipped: BTreeSet<_> = loaded.iter().flat_map(|l| &l.files).filter(|f| f.shipped).map(|f| f.id).collect();
    let echo = |d: &Diagnostic| d.code.starts_with('U') && shipped.contains(&d.primary.file);
    if diagnostics.iter().any(|d| d.severity == Severity::Error && !echo(d)) {
        diagnostics.retain(|d| !echo(d));
    }
}

/// A library that is not used leaves many names unknown: the first says so, and how many more there are.
fn one_for_each_library(diagnostics: &mut Vec<Diagnostic>) {
    diagnostic::sort(diagnostics);
    let library = |d: &Diagnostic| {
        let name = d.help.as_deref()?.strip_prefix("write `use ")?.split('`').next()?;
        (d.severity == Severity::Error).then(|| name.to_owned())
    };
    // Only a name can be blamed on a library: a role that nobody fills is told where no name says the same.
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    for (i, d) in diagnostics.iter().enumerate().filter(|(_, d)| d.code == codes::UNKNOWN_NAME) {
        if let Some(l) = library(d) {
            first.entry(l).or_insert(i);
        }
    }
    let mut echoes: BTreeMap<usize, usize> = BTreeMap::new();
    let mut echo = vec![false; diagnostics.len()];
    for (i, d) in diagnostics.iter().enumerate() {
        if let Some(at) = library(d).and_then(|l| first.get(&l)).filter(|at| **at != i) {
            *echoes.entry(*at).or_default() += 1;
            echo[i] = true;
        }
    }
    for (at, more) in echoes {
        let is = if more == 1 { "error is" } else { "errors are" };
        diagnostics[at].notes.push(format!("{more} more {is} gone once it is used"));
    }
    let mut echo = echo.into_iter();
    diagnostics.retain(|_| !echo.next().unwrap_or_default());
}

/// The same slip in several places is told once, with the other places.
fn one_for_each_message(diagnostics: &mut Vec<Diagnostic>) {
    let mut kept: Vec<Diagnostic> = Vec::new();
    for d in std::mem::take(diagnostics) {
        let same = |k: &Diagnostic| {
            (k.code, k.severity, &k.message, &k.help, &k.notes) == (d.code, d.severity, &d.message, &d.help, &d.notes)
                && k.primary.file == d.primary.file
        };
        match kept.iter_mut().find(|k| same(k)) {
            Some(k) if k.primary == d.primary => {}
            Some(k) if k.labels.len() < 4 => {
                k.labels.push(diagnostic::Label { span: d.primary, message: "and here".to_owned() });
            }
            Some(_) => {}
            None => kept.push(d),
        }
    }
    *diagnostics = kept;
}

/// Lowers a file. `any_provider`: the name of a target's provider is a fact. Also says whether a guard reads one.
fn whole<'a>(
    file: &'a ast::File,
    scope: &'a scope::Scope<'a>,
    sources: &'a Sources,
    any_provider: bool,
) -> (Option<Model>, Vec<Diagnostic>, bool) {
    let Head::Policy { name, version, profile } = &file.head else { return (None, Vec::new(), false) };
    let mut l = Lowering {
        scope,
        sources,
        d: Vec::new(),
        profile: Profile::Strict,
        span: name.span,
        consts: BTreeMap::new(),
        cells: facts::Cells::default(),
        targets: Vec::new(),
        consumers: Vec::new(),
        roads: Vec::new(),
        floors: BTreeMap::new(),
        used: BTreeSet::new(),
        work: guards::Work::default(),
        told: BTreeSet::new(),
        providers: any_provider.then(Vec::new),
        reads_provider: false,
    };
    if let Some(p) = profile {
        match Profile::parse(&p.value) {
            Some(profile) => l.profile = profile,
            None => {
                let mut e =
                    Diagnostic::error(codes::UNKNOWN_NAME, p.span, format!("there is no profile called `{}`", p.value));
                e.help = names::hint(&p.value, Profile::ALL.iter().map(|p| p.word()));
                l.d.push(e);
                // What was probably meant decides which further errors are told.
                let meant = names::closest(&p.value, Profile::ALL.iter().map(|p| p.word()));
                l.profile = meant.and_then(Profile::parse).unwrap_or(Profile::Strict);
            }
        }
    }
    let version_number = u32::try_from(version.value).unwrap_or_else(|_| {
        l.d.push(
            Diagnostic::error(codes::OUT_OF_DOMAIN, version.span, format!("{} is no version", version.value))
                .with_help("write a number from 0 to 4294967295"),
        );
        0
    });
    let pins = l.check_pins();
    l.lower_consts();
    l.check_role_types();
    l.lower_targets();
    l.lower_roads();
    l.check_thresholds();
    l.check_roads();
    l.lower_road_guards();
    l.check_roles();
    let head = finish::Heading { name: name.value.clone(), version: version_number, docs: file.docs.clone(), pins };
    let model = l.finish(head);
    (model, l.d, l.reads_provider)
}
