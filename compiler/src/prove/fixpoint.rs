//! The second engine: an unbounded fixpoint over decision diagrams on an abstraction of the facts.
//!
//! Facts outside the kept set are free (an over-approximation). A bad step that the fixpoint can't reach is excluded and
//! the reached sets are an inductive invariant, which [`super::invariant`] has Z3 check. A bad step that it reaches gives
//! the shortest abstract path; [`super::path`] asks whether it is real, and if not, which facts to keep as well.

use super::product::{Obligation, Product, Sites, Step};
use super::space::Space;
use crate::graph::{Cond, Graph, Write};
use crate::laws::track::{Subject, When};
use crate::model::{Cell, EdgeId, FactId, Latch, Life};
use biodivine_lib_bdd::{Bdd, BddVariable};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// An edge, one of its conjuncts, and the facts that are kept of it.
type Projected = (EdgeId, usize, Vec<FactId>);

/// What the engines share about one policy.
pub(crate) struct Context<'g, 'm> {
    pub(crate) graph: &'g Graph<'m>,
    pub(crate) space: &'g Space<'m>,
    /// Who works.
    pub(crate) engine: super::Engine,
    /// Support of each conjunct of each edge.
    support: Vec<Vec<Vec<FactId>>>,
    projected: RefCell<BTreeMap<Projected, Bdd>>,
    /// Volatile and rank cells.
    volatile: Vec<FactId>,
}

impl<'g, 'm> Context<'g, 'm> {
    pub(crate) fn new(graph: &'g Graph<'m>, space: &'g Space<'m>, engine: super::Engine) -> Self {
        let support = graph.effects.iter().map(|e| e.open.iter().map(Cond::cells).collect()).collect();
        let volatile = (0..graph.model.facts.len())
            .map(|i| FactId(crate::graph::narrow(i)))
            .filter(|f| matches!(graph.model.fact(*f).life, Life::Volatile | Life::Rank))
            .collect();
        Self { graph, space, engine, support, projected: RefCell::default(), volatile }
    }

    /// Cells read afresh before the guard of an edge is evaluated.
    pub(crate) fn before(&self, e: EdgeId, free: bool) -> &[FactId] {
        if free { &self.volatile } else { &self.graph.effect(e).before }
    }

    /// The conjuncts of an edge that read a kept fact, or none: an edge that is never open stays closed in every abstraction.
    pub(crate) fn relevant(&self, e: EdgeId, kept: &BTreeSet<FactId>) -> Vec<usize> {
        let conjuncts = &self.support[e.index()];
        (0..conjuncts.len())
            .filter(|i| conjuncts[*i].is_empty() || conjuncts[*i].iter().any(|f| kept.contains(f)))
            .collect()
    }

    fn open(&self, e: EdgeId, kept: &BTreeSet<FactId>) -> Bdd {
        let mut acc = self.space.top();
        for i in self.relevant(e, kept) {
            if acc.is_false() {
                break;
            }
            acc = acc.and(&self.projection(e, i, kept));
        }
        acc
    }

    fn projection(&self, e: EdgeId, i: usize, kept: &BTreeSet<FactId>) -> Bdd {
        let support = &self.support[e.index()][i];
        let here: Vec<FactId> = support.iter().copied().filter(|f| kept.contains(f)).collect();
        let key = (e, i, here);
        if let Some(done) = self.projected.borrow().get(&key) {
            return done.clone();
        }
        let lost: Vec<BddVariable> =
            support.iter().filter(|f| !kept.contains(f)).flat_map(|f| self.space.variables(*f)).collect();
        let valid =
            support.iter().filter(|f| !kept.contains(f)).fold(self.space.top(), |a, f| a.and(&self.space.valid(*f)));
        let made = self.space.cond(&self.graph.effect(e).open[i]).and(&valid).exists(&lost);
        self.projected.borrow_mut().insert(key, made.clone());
        made
    }

    fn havoc(&self, set: &Bdd, facts: &[FactId], kept: &BTreeSet<FactId>) -> Bdd {
        let gone: Vec<FactId> = facts.iter().copied().filter(|f| kept.contains(f)).collect();
        if gone.is_empty() {
            return set.clone();
        }
        let vars: Vec<BddVariable> = gone.iter().flat_map(|f| self.space.variables(*f)).collect();
        gone.iter().fold(set.exists(&vars), |acc, f| acc.and(&self.space.valid(*f)))
    }

    fn set_to(&self, set: &Bdd, f: FactId, v: i64) -> Bdd {
        set.exists(&self.space.variables(f)).and(&self.space.equals(f, Cell::Known(v)))
    }

    fn write(&self, set: &Bdd, writes: &[Write], kept: &BTreeSet<FactId>) -> Bdd {
        let mut set = set.clone();
        for w in writes {
            match w {
                Write::Set(f, v) if kept.contains(f) => set = self.set_to(&set, *f, *v),
                Write::Decrement(f) if kept.contains(f) => {
                    set = self.counts(*f).fold(self.space.bottom(), |acc, n| {
                        acc.or(&self.set_to(&set.and(&self.space.equals(*f, Cell::Known(n))), *f, n - 1))
                    });
                }
                Write::SetOneOf(fs) if fs.iter().any(|f| kept.contains(f)) => {
                    set = fs.iter().fold(self.space.bottom(), |acc, f| {
                        acc.or(&if kept.contains(f) { self.set_to(&set, *f, 1) } else { set.clone() })
                    });
                }
                _ => {}
            }
        }
        set
    }

    fn counts(&self, f: FactId) -> impl Iterator<Item = i64> + use<> {
        let max = match self.graph.model.fact(f).ty {
            crate::model::Type::Int { hi, .. } => i64::from(hi),
            _ => 1,
        };
        1..=max
    }

    /// Everything from which the writes lead into the set.
    fn unwrite(&self, set: &Bdd, writes: &[Write], kept: &BTreeSet<FactId>) -> Bdd {
        let mut set = set.clone();
        let undo = |set: &Bdd, f: FactId, v: i64| {
            set.and(&self.space.equals(f, Cell::Known(v))).exists(&self.space.variables(f))
        };
        for w in writes.iter().rev() {
            match w {
                Write::Set(f, v) if kept.contains(f) => set = undo(&set, *f, *v),
                Write::Decrement(f) if kept.contains(f) => {
                    set = self.counts(*f).fold(self.space.bottom(), |acc, n| {
                        acc.or(&undo(&set, *f, n - 1).and(&self.space.equals(*f, Cell::Known(n))))
                    });
                }
                Write::SetOneOf(fs) if fs.iter().any(|f| kept.contains(f)) => {
                    set = fs.iter().fold(self.space.bottom(), |acc, f| {
                        acc.or(&if kept.contains(f) { undo(&set, *f, 1) } else { set.clone() })
                    });
                }
                _ => {}
            }
        }
        set
    }

    /// Facts at the start: counters are full, everything else is free.
    fn initial(&self, kept: &BTreeSet<FactId>) -> Bdd {
        kept.iter().fold(self.space.top(), |acc, f| match self.graph.model.fact(*f).latch {
            Some(Latch::Left(c)) => {
                let max = i64::from(self.graph.model.counters[c.index()].max);
                acc.and(&self.space.equals(*f, Cell::Known(max)))
            }
            _ => acc.and(&self.space.valid(*f)),
        })
    }

    /// Where a bad condition can hold, projected on the kept facts.
    fn bad(&self, c: &Cond, kept: &BTreeSet<FactId>) -> Bdd {
        let lost: Vec<BddVariable> =
            c.cells().iter().filter(|f| !kept.contains(f)).flat_map(|f| self.space.variables(*f)).collect();
        let valid = c.cells().iter().fold(self.space.top(), |a, f| a.and(&self.space.valid(*f)));
        self.space.cond(c).and(&valid).exists(&lost)
    }
}

/// The sets reached, by product state: an inductive invariant once the fixpoint has ended.
pub(crate) struct Reached {
    pub(crate) sets: Vec<Bdd>,
}

/// An abstract path to a bad step.
pub(crate) struct Hit {
    pub(crate) obligation: (&'static str, Subject),
    /// Product steps, the last one bad.
    pub(crate) steps: Vec<usize>,
    /// Which bad of the last step.
    pub(crate) bad: usize,
}

/// How a run of the fixpoint ended.
pub(crate) enum Outcome {
    /// No bad step of the open obligations is reachable.
    Closed(Reached),
    /// The shortest abstract paths, one per obligation hit in the first layer that has any.
    Hits(Vec<Hit>),
    /// Diagrams grew beyond the limit.
    TooLarge,
}

/// Diagram nodes in one set beyond which the fixpoint gives up.
const LARGEST: usize = 2_000_000;

/// Runs the fixpoint on the sliced product.
pub(crate) fn run(
    cx: &Context<'_, '_>,
    product: &Product,
    slice: &BTreeSet<usize>,
    open: &Sites,
    kept: &BTreeSet<FactId>,
    free: bool,
) -> Outcome {
    let mut sets: Vec<Bdd> = vec![cx.space.bottom(); product.states.len()];
    let mut wanted: BTreeMap<usize, Vec<(usize, Obligation)>> = BTreeMap::new();
    for (o, sites) in open {
        for (step, bad) in sites {
            wanted.entry(*step).or_default().push((*bad, *o));
        }
    }
    sets[0] = cx.initial(kept);
    let mut layers: Vec<BTreeMap<usize, Bdd>> = vec![BTreeMap::from([(0, sets[0].clone())])];
    loop {
        let frontier = layers.last().cloned().unwrap_or_default();
        let mut next: BTreeMap<usize, Bdd> = BTreeMap::new();
        let mut hits: BTreeMap<(&'static str, Subject), (usize, usize)> = BTreeMap::new();
        for (state, set) in &frontier {
            for i in product.out[*state].iter().filter(|i| slice.contains(i)) {
                let step = &product.steps[*i];
                let at_guard = cx.havoc(set, cx.before(step.edge, free), kept).and(&cx.open(step.edge, kept));
                if at_guard.is_false() {
                    continue;
                }
                let after = cx.havoc(&cx.write(&at_guard, &step.writes, kept), &cx.graph.effect(step.edge).after, kept);
                for (bad, o) in wanted.get(i).into_iter().flatten() {
                    let b = &step.bad[*bad];
                    let base = if b.when == When::Edge { &at_guard } else { &after };
                    if !hits.contains_key(o) && !base.and(&cx.bad(&b.cond, kept)).is_false() {
                        hits.insert(*o, (*i, *bad));
                    }
                }
                if after.size() > LARGEST {
                    return Outcome::TooLarge;
                }
                let fresh = after.and_not(&sets[step.to]);
                if !fresh.is_false() {
                    sets[step.to] = sets[step.to].or(&fresh);
                    next.entry(step.to).and_modify(|b| *b = b.or(&fresh)).or_insert(fresh);
                }
            }
        }
        if !hits.is_empty() {
            let out = hits
                .into_iter()
                .map(|(obligation, (step, bad))| Hit {
                    obligation,
                    bad,
                    steps: backwards(cx, product, slice, &layers, step, bad, kept, free),
                })
                .collect();
            return Outcome::Hits(out);
        }
        if next.is_empty() {
            return Outcome::Closed(Reached { sets });
        }
        layers.push(next);
    }
}

#[expect(clippy::too_many_arguments, reason = "one walk over what the fixpoint left behind")]
fn backwards(
    cx: &Context<'_, '_>,
    product: &Product,
    slice: &BTreeSet<usize>,
    layers: &[BTreeMap<usize, Bdd>],
    last: usize,
    bad: usize,
    kept: &BTreeSet<FactId>,
    free: bool,
) -> Vec<usize> {
    let step = &product.steps[last];
    let b = &step.bad[bad];
    let cond = cx.bad(&b.cond, kept);
    let pre = |step: &Step, into: &Bdd| {
        let e = step.edge;
        let before_writes = cx.unwrite(&cx.havoc(into, &cx.graph.effect(e).after, kept), &step.writes, kept);
        cx.havoc(&before_writes.and(&cx.open(e, kept)), cx.before(e, free), kept)
    };
    let mut target = if b.when == When::Edge {
        cx.havoc(&cx.open(step.edge, kept).and(&cond), cx.before(step.edge, free), kept)
    } else {
        pre(step, &cond)
    };
    let mut steps = vec![last];
    let mut at = step.from;
    for layer in layers.iter().rev().skip(1) {
        let found = layer.iter().find_map(|(state, set)| {
            product.out[*state].iter().filter(|i| slice.contains(i) && product.steps[**i].to == at).find_map(|i| {
                let here = set.and(&pre(&product.steps[*i], &target));
                (!here.is_false()).then_some((*i, here))
            })
        });
        let Some((i, here)) = found else { break };
        steps.push(i);
        at = product.steps[i].from;
        target = here;
    }
    steps.reverse();
    steps
}
