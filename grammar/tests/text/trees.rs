//! Trees made at random, printed and read again.

use super::support::good;
use proptest::prelude::*;
use roadlaw_grammar::ast::*;
use roadlaw_grammar::print;
use roadlaw_grammar::span::{Span, Spanned};

fn at<T>(value: T) -> Spanned<T> {
    Spanned { value, span: Span::default() }
}

fn word() -> impl Strategy<Value = Ident> {
    prop::sample::select(vec!["a", "b2", "flow", "road", "any", "unknown", "order", "s", "cents"])
        .prop_map(|w| at(w.to_owned()))
}

fn words(least: usize) -> impl Strategy<Value = Vec<Ident>> {
    prop::collection::vec(word(), least..4)
}

fn reference() -> impl Strategy<Value = Ref> {
    (word(), prop::option::of(word())).prop_map(|(path, index)| Ref { path, index, span: at(()) })
}

fn boxed(kind: GuardKind) -> Guard {
    Guard { kind: Box::new(kind), span: at(()) }
}

fn guard() -> impl Strategy<Value = Guard> {
    let op = prop::sample::select(vec![CmpOp::Lt, CmpOp::Le, CmpOp::Gt, CmpOp::Ge, CmpOp::Eq, CmpOp::Ne]);
    let leaf = prop_oneof![
        reference().prop_map(GuardKind::Ref),
        (reference(), words(1)).prop_map(|(r, n)| GuardKind::In(r, n)),
        (reference(), words(1)).prop_map(|(r, n)| GuardKind::HasAny(r, n)),
        reference().prop_map(GuardKind::Empty),
        (reference(), op, any::<i64>(), any::<i64>()).prop_map(|(left, op, n, plus)| GuardKind::Compare {
            left,
            op: at(op),
            right: Value::Qty(at(Qty { number: n, unit: None })),
            plus: at(plus),
        }),
    ]
    .prop_map(boxed);
    leaf.prop_recursive(4, 24, 3, |inner| {
        let part = inner.clone().prop_map(|g| match &*g.kind {
            GuardKind::Or(_) | GuardKind::And(_) => boxed(GuardKind::Paren(g)),
            _ => g,
        });
        prop_oneof![
            prop::collection::vec(part.clone(), 2..4).prop_map(|p| boxed(GuardKind::Or(p))),
            prop::collection::vec(part.clone(), 2..4).prop_map(|p| boxed(GuardKind::And(p))),
            part.prop_map(|g| boxed(GuardKind::Not(g))),
            inner.prop_map(|g| boxed(GuardKind::Paren(g))),
        ]
    })
}

fn edge() -> impl Strategy<Value = Step> {
    let port = (word(), words(0), prop::option::of(word())).prop_map(|(name, args, outcome)| Port {
        name,
        args,
        outcome,
        span: at(()),
    });
    let kind = prop::sample::select(vec![HopKind::Next, HopKind::Loop, HopKind::Fallback, HopKind::Resume]);
    let hop = (kind, word(), words(0), any::<bool>(), prop::option::of(word())).prop_map(
        |(kind, name, args, optional, alias)| Hop {
            kind: at(kind),
            place: Place { name, args, optional, alias, span: at(()) },
        },
    );
    let cond = prop_oneof![Just(Cond::None), Just(Cond::Else), guard().prop_map(Cond::When)];
    let parts = (prop::collection::vec(port, 1..3), cond, prop::collection::vec(hop, 1..4), prop::option::of(word()));
    parts
        .prop_map(|(from, cond, hops, takes)| Step::Edge(Edge { from, cond, hops, changes: None, takes, span: at(()) }))
}

fn item() -> impl Strategy<Value = ItemKind> {
    prop_oneof![
        (word(), guard(), prop::option::of(word())).prop_map(|(name, guard, role)| ItemKind::Let { name, guard, role }),
        (word(), prop::option::of(guard())).prop_map(|(what, guard)| ItemKind::Need { what, guard }),
        prop::collection::vec(edge(), 0..5).prop_map(ItemKind::Flow),
        (word(), any::<i64>()).prop_map(|(n, v)| ItemKind::Const(n, Value::Qty(at(Qty { number: v, unit: None })))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_trees_come_back(
        kinds in prop::collection::vec((prop::collection::vec("[a-z]{1,9}", 0..2), item()), 0..6)
    ) {
        let items = kinds.into_iter().map(|(docs, kind)| Item { docs, kind, span: at(()) }).collect();
        let head = Head::Library { name: at("x.y".to_owned()) };
        let tree = File { edition: at(1), uses: Vec::new(), docs: Vec::new(), head, items };
        let once = print(&tree);
        let back = good(&once);
        prop_assert_eq!(&back, &tree, "{}", once);
        prop_assert_eq!(print(&back), once);
    }
}
