//! Words of nodes in flows: which arguments they take, which outcomes they may have, what their outcomes leave open.

use crate::model::{NodeKind, Outcome, Shape, Stop};

/// What a kind's arguments are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// A road, written or inferred.
    Road,
    /// A road, if one is meant.
    MaybeRoad,
    /// `user` or `external`, then a road.
    Wait,
    /// The name of an effect.
    Effect,
    /// Nothing: a node of the policy's own.
    Nothing,
}

/// The kinds of nodes that places can name, with what they take.
const KINDS: &[(&str, Takes)] = &[
    ("classify", Takes::MaybeRoad),
    ("minimize", Takes::Road),
    ("resolve", Takes::MaybeRoad),
    ("checkpoint", Takes::Road),
    ("release", Takes::Road),
    ("cut", Takes::Road),
    ("verify", Takes::Road),
    ("reserve", Takes::Road),
    ("decide", Takes::Road),
    ("attempt", Takes::Road),
    ("egress", Takes::Road),
    ("send", Takes::Road),
    ("call", Takes::Road),
    ("await", Takes::Wait),
    ("quarantine", Takes::MaybeRoad),
    ("validate", Takes::MaybeRoad),
    ("consume", Takes::MaybeRoad),
    ("adopt", Takes::MaybeRoad),
    ("effect", Takes::Effect),
    ("reconcile", Takes::Road),
    ("review", Takes::MaybeRoad),
    ("repair", Takes::MaybeRoad),
    ("own", Takes::Nothing),
];

/// What a kind takes; `None` if the word is no kind.
pub(crate) fn takes(word: &str) -> Option<Takes> {
    KINDS.iter().find(|(w, _)| *w == word).map(|(_, t)| *t)
}

/// All kinds but `own`, which stands in declarations only.
pub(crate) fn words() -> Vec<&'static str> {
    KINDS.iter().map(|(w, _)| *w).filter(|w| *w != "own").collect()
}

/// The terminal with this word.
pub(crate) fn stop(word: &str) -> Option<Stop> {
    Stop::parse(word)
}

/// The node of a kind, for kinds without further arguments.
pub(crate) fn simple(word: &str) -> Option<NodeKind> {
    Some(match word {
        "start" => NodeKind::Start,
        "classify" => NodeKind::Classify,
        "minimize" => NodeKind::Minimize,
        "resolve" => NodeKind::Resolve,
        "checkpoint" => NodeKind::Checkpoint,
        "release" => NodeKind::Release,
        "cut" => NodeKind::Cut,
        "verify" => NodeKind::Verify,
        "reserve" => NodeKind::Reserve,
        "attempt" => NodeKind::Attempt,
        "egress" => NodeKind::Egress,
        "send" => NodeKind::Send,
        "call" => NodeKind::Call,
        "quarantine" => NodeKind::Quarantine,
        "validate" => NodeKind::Validate,
        "consume" => NodeKind::Consume,
        "adopt" => NodeKind::Adopt,
        "reconcile" => NodeKind::Reconcile,
        "review" => NodeKind::Review,
        "repair" => NodeKind::Repair,
        _ => return None,
    })
}

/// Every outcome that a node of this kind can have for some road.
pub(crate) fn outcomes(word: &str) -> Vec<Outcome> {
    let kind = match word {
        "decide" => NodeKind::Decide { fresh: false },
        "await" => NodeKind::AwaitUser,
        "effect" => NodeKind::Effect(String::new()),
        "own" => NodeKind::Own(String::new()),
        _ => match simple(word) {
            Some(k) => k,
            None => return Vec::new(),
        },
    };
    let mut out: Vec<Outcome> = Vec::new();
    for shape in [Shape::Portal, Shape::Peer, Shape::Coding] {
        for o in kind.outcomes(Some(shape)) {
            if !out.contains(o) {
                out.push(*o);
            }
        }
    }
    out
}

/// Outcomes that `others` never covers: they leave open whether something was submitted, or they are a judgement.
pub(crate) fn by_name_only(kind: &str, outcome: Outcome) -> bool {
    let leaves = matches!(kind, "send" | "call" | "await");
    match outcome {
        Outcome::TimeoutAfterSubmit
        | Outcome::TimedOut
        | Outcome::Indeterminate
        | Outcome::Lost
        | Outcome::LostEnvelope
        | Outcome::Negative
        | Outcome::Revoked
        | Outcome::StillUnknown => true,
        Outcome::Expired => leaves,
        Outcome::Cancelled => kind == "send",
        _ => false,
    }
}

/// Failures that a flow-level or lane-level `else` covers.
pub(crate) fn covered_by_else(kind: &NodeKind, outcome: Outcome) -> bool {
    let failure =
        matches!(outcome, Outcome::Failed | Outcome::Denied | Outcome::EgressDenied | Outcome::ValidationFailed);
    let outside = matches!(
        kind,
        NodeKind::Send
            | NodeKind::Call
            | NodeKind::AwaitUser
            | NodeKind::AwaitExternal
            | NodeKind::Choose(_)
            | NodeKind::Effect(_)
            | NodeKind::Reconcile
            | NodeKind::Review
            | NodeKind::Repair
            | NodeKind::Own(_)
    );
    failure && !outside
}

/// The need that exempts a `step?`.
pub(crate) fn need_of(word: &str) -> Option<&'static str> {
    match word {
        "cut" | "verify" => Some("cut"),
        "attempt" => Some("durable"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_never_covers_what_may_have_been_submitted() {
        assert!(by_name_only("send", Outcome::Cancelled));
        assert!(!by_name_only("call", Outcome::Cancelled));
        assert!(by_name_only("await", Outcome::Expired));
        assert!(!by_name_only("adopt", Outcome::Expired));
        assert!(by_name_only("validate", Outcome::Negative));
    }

    #[test]
    fn the_else_covers_failures_of_gates_alone() {
        assert!(covered_by_else(&NodeKind::Reserve, Outcome::Denied));
        assert!(covered_by_else(&NodeKind::Start, Outcome::Failed));
        assert!(!covered_by_else(&NodeKind::Send, Outcome::Failed));
        assert!(!covered_by_else(&NodeKind::Cut, Outcome::CutSemanticsLost));
        assert!(!covered_by_else(&NodeKind::Repair, Outcome::Failed));
    }

    #[test]
    fn send_has_the_outcomes_of_all_its_shapes() {
        let all = outcomes("send");
        assert!(
            all.contains(&Outcome::Declined)
                && all.contains(&Outcome::TimedOut)
                && all.contains(&Outcome::LostEnvelope)
        );
        assert!(outcomes("nothing").is_empty());
    }
}
