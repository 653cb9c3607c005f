//! Cedar: a request per road in the order of preference, or one request whose reasons are the eligible roads.

use crate::measure::Engine;
use cedar_policy::{
    Authorizer, Context, Decision, Entities, EntityUid, Policy, PolicySet, Request, Response, RestrictedExpression,
};
use roadlaw_workload::rows::Row;
use roadlaw_workload::{Size, Workload};
use std::fmt::Display;

type Input = (usize, Context);

pub fn engines(rows: &[Row]) -> Result<Vec<Engine>, String> {
    let scoped: PolicySet = include_str!("../policies/roads_scoped.cedar").parse().map_err(text)?;
    let scoped = by_number(&scoped)?;
    let open: PolicySet = include_str!("../policies/roads_open.cedar").parse().map_err(text)?;
    let open = by_number(&open)?;
    let whole = PolicySet::from_policies(scoped.iter().cloned()).map_err(text)?;
    let single: Vec<PolicySet> =
        scoped.iter().map(|p| PolicySet::from_policies([p.clone()])).collect::<Result<_, _>>().map_err(text)?;
    let all = PolicySet::from_policies(open).map_err(text)?;
    let roads = (0..single.len()).map(|i| uid(&format!("Road::\"{i}\""))).collect::<Result<Vec<_>, _>>()?;
    let orders = Workload::new(Size::Small).orders;

    let ask = asker()?;
    let (places, order) = (roads.clone(), orders.clone());
    let in_whole = move |(tier, context): &Input| {
        let allowed = |i: &usize| ask(context, &places[*i], &whole).decision() == Decision::Allow;
        order[*tier].iter().copied().chain(24..places.len()).find(allowed).unwrap_or(usize::MAX)
    };
    let ask = asker()?;
    let (places, order) = (roads.clone(), orders.clone());
    let in_single = move |(tier, context): &Input| {
        let allowed = |i: &usize| ask(context, &places[*i], &single[*i]).decision() == Decision::Allow;
        order[*tier].iter().copied().chain(24..places.len()).find(allowed).unwrap_or(usize::MAX)
    };
    let ask = asker()?;
    let (place, count) = (roads[0].clone(), roads.len());
    let with_reasons = move |(tier, context): &Input| {
        let answer = ask(context, &place, &all);
        let mut open = [false; 64];
        for id in answer.diagnostics().reason() {
            let n: Option<usize> = <_ as AsRef<str>>::as_ref(id).parse().ok();
            if let Some(slot) = n.and_then(|n| open.get_mut(n)) {
                *slot = true;
            }
        }
        orders[*tier].iter().copied().chain(24..count).find(|i| open[*i]).unwrap_or(usize::MAX)
    };
    let e = |name: &str, decide: Box<dyn Fn(&Input) -> usize>| {
        let w = Workload::new(Size::Small);
        Engine::new(&format!("Cedar 4.14, {name}"), Size::Small, rows, move |row| input(&w, row), decide, |n| n)
    };
    Ok(vec![
        e("a request per road, all policies in one set", Box::new(in_whole)),
        e("a request per road, one-policy sets", Box::new(in_single)),
        e("one request with reasons", Box::new(with_reasons)),
    ])
}

/// The policies by the numbers they are annotated with, each called by its number.
fn by_number(set: &PolicySet) -> Result<Vec<Policy>, String> {
    let mut all: Vec<(usize, Policy)> = Vec::new();
    for policy in set.policies() {
        let id = policy.annotation("id").ok_or("a policy has no number")?;
        all.push((id.parse().map_err(text)?, policy.new_id(id.parse().map_err(text)?)));
    }
    all.sort_by_key(|p| p.0);
    Ok(all.into_iter().map(|p| p.1).collect())
}

fn asker() -> Result<impl Fn(&Context, &EntityUid, &PolicySet) -> Response, String> {
    let (authorizer, nobody) = (Authorizer::new(), Entities::empty());
    let (who, what) = (uid("Agent::\"a\"")?, uid("Action::\"route\"")?);
    Ok(move |context: &Context, road: &EntityUid, set: &PolicySet| {
        let request = Request::new(who.clone(), what.clone(), road.clone(), context.clone(), None);
        authorizer.is_authorized(&request.expect("without a schema nothing is checked"), set, &nobody)
    })
}

fn input(w: &Workload, row: &Row) -> Input {
    let bools = w.bools.iter().enumerate().map(|(i, n)| (n.clone(), RestrictedExpression::new_bool(row.bool(i))));
    let word = |s: &String| RestrictedExpression::new_string(s.clone());
    let enums = w.enums.iter().zip(row.enums).map(|((n, values), v)| (n.clone(), word(&values[usize::from(v)])));
    let ints = w.ints.iter().zip(row.ints).map(|((n, ..), v)| (n.clone(), RestrictedExpression::new_long(v.into())));
    let labels = (0..w.labels.len()).filter(|i| row.labels >> i & 1 == 1).map(|i| word(&w.labels[i]));
    let labels = (w.set.clone(), RestrictedExpression::new_set(labels));
    let context = Context::from_pairs(bools.chain(enums).chain(ints).chain([labels]));
    (usize::from(row.enums[w.by]), context.expect("a fact has one value"))
}

fn uid(name: &str) -> Result<EntityUid, String> {
    name.parse().map_err(text)
}

fn text(why: impl Display) -> String {
    why.to_string()
}
