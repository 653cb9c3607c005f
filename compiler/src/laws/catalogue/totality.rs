//! RL7xx: every outcome and every fact vector has exactly one, truthful, continuation.

use super::Law;

pub(super) const LAWS: &[Law] = &[
    Law {
        code: "RL701",
        title: "no gap: every port has an edge for all facts, and unknown has an else",
        shape: "Total",
        protects: "A run that arrives where nothing was written stands still, or goes where an implementer guessed.",
        bad: "classify when weight < 40 -> choose\nclassify when weight > 40 -> refused(heavy)",
        repaired: "classify when weight < 40  -> choose\nclassify when weight >= 40 -> refused(heavy)\nclassify else              -> refused(unknown_weight)",
        fix: "Close the gap that the witness shows, and give every guarded port an `else` for facts that are unknown.",
    },
    Law {
        code: "RL702",
        title: "no overlap: at most one guard of a port is true",
        shape: "Total",
        protects: "Where two edges are open, the order in which somebody wrote them decides.",
        bad: "classify when weight < 50 -> choose\nclassify when weight > 40 -> refused(heavy)\nclassify else             -> refused(unknown_weight)",
        repaired: "classify when weight < 50  -> choose\nclassify when weight >= 50 -> refused(heavy)\nclassify else              -> refused(unknown_weight)",
        fix: "Make the guards disjoint; the witness is a fact vector that opens both.",
    },
    Law {
        code: "RL703",
        title: "every outcome of an owner is routed",
        shape: "Total",
        protects: "A peer that revokes, a job that times out and a verifier that is not sure are ordinary ends. Forgotten, each \
                   is handled like the nearest one that was not.",
        bad: "send(peer) -> quarantine -> ..\nsend(peer).others -> refused(peer)          // others never covers revoked, lost, ..",
        repaired: "send(peer) -> quarantine -> ..\nsend(peer).expired, send(peer).revoked, send(peer).lost -> reconcile(peer)\nsend(peer).cancelled -> cancelled\nsend(peer).others -> refused(peer)",
        fix: "Route the outcomes that the message lists. `others` and `else` never cover those that may have acted, nor \
              `negative`.",
    },
    Law {
        code: "RL704",
        title: "every declared road can be reached, every guard can be true and false",
        shape: "Live",
        protects: "A road that can never run, or a guard that never decides, is a policy that says something else than its author \
                   believes.",
        bad: "minimize(a) when weight > 100 -> send_path       // weight is 0..100",
        repaired: "minimize(a) when weight > 90 -> send_path",
        fix: "Mend the guard, or delete what cannot happen.",
    },
    Law {
        code: "RL705",
        title: "wait states tell the truth",
        shape: "Imply",
        protects: "Work that a person is carrying shows as `awaiting_user`, work that a machine is carrying as \
                   `awaiting_external`. Under another name nobody knows whom to ask.",
        bad: "road peer : peer opaque to desk with task carrier manual { .. }\nsend(peer) -> quarantine",
        repaired: "road peer : peer opaque to desk with task carrier manual { .. }\nsend(peer) -> await(user)\nawait(user) -resume-> reread",
        fix: "Let a manual carrier's send lead to `await(user)` and a queue's to `await(external)`; no other road waits.",
    },
    Law {
        code: "RL706",
        title: "pending only when no declared road is eligible",
        shape: "Imply",
        protects: "`pending_no_road` promises that nothing could carry the work. Said of one road that happens to be down, it \
                   leaves work lying that another could do.",
        bad: "choose.a when busy -> pending_no_road",
        repaired: "choose.none -> pending_no_road",
        fix: "Lead only `none` of the choose that has all the roads to it.",
    },
    Law {
        code: "RL707",
        title: "a run that may have acted ends as indeterminate, lost, cancelled or expired",
        shape: "Dom",
        protects: "`refused` says that nothing happened. After a timeout nobody knows that, and whoever reads the end \
                   of the run does the work twice.",
        bad: "send(a).timeout_after_submit -> refused(slow)",
        repaired: "send(a).timeout_after_submit -> reconcile(a)\nreconcile(a).still_unknown -> indeterminate",
        fix: "Reconcile, and end under a name that admits the doubt: indeterminate, lost, cancelled or expired.",
    },
];
