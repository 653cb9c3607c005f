//! RL3xx: a fallback says what it changes and is entered only where it may be.

use super::Law;

pub(super) const LAWS: &[Law] = &[
    Law {
        code: "RL301",
        title: "a change of road says what it changes",
        shape: "Diff",
        protects: "Moving to another provider, model, region, custody, retention, consumer or labour is a new disclosure. A \
                   policy whose reader cannot see it from the edge changes providers silently.",
        bad: "a.unsent -fallback-> resolve",
        repaired: "a.unsent -fallback-> resolve changes { provider, service, model, origin, consumer }",
        fix: "Write the words that the message lists. Where the road changes on an edge that is no fallback, make it one.",
    },
    Law {
        code: "RL302",
        title: "a fallback that changes the payload says so, and the payload is cut afresh",
        shape: "Diff",
        protects: "Another projection shows other fields; what was cut for the first is not cut for the second.",
        bad: "a.unsent -fallback-> resolve changes { provider, consumer }       // b has another projection",
        repaired: "a.unsent -fallback-> resolve changes { provider, consumer, projection }",
        fix: "Declare `projection` (or `content`, `workspace`) and lead the edge to classify or minimize of the new road.",
    },
    Law {
        code: "RL303",
        title: "a declared change is real",
        shape: "Diff",
        protects: "A list of changes that is longer than the truth hides the day on which it becomes true.",
        bad: "a.unsent -fallback-> resolve changes { provider, model, region }   // both in eu",
        repaired: "a.unsent -fallback-> resolve changes { provider, model }",
        fix: "Drop the words that no pair of source and destination differs in.",
    },
    Law {
        code: "RL304",
        title: "a fallback is entered only from outcomes that allow it",
        shape: "Entry",
        protects: "After a timeout or a loss the first road may have acted. Sending the work to a second one does it twice.",
        bad: "send(a).lost -fallback-> resolve changes { provider }",
        repaired: "send(a).lost -> reconcile(a)\nreconcile(a).known_no_effect -fallback-> resolve changes { provider }",
        fix: "Reconcile first, and fall back from `known_no_effect`; otherwise end as indeterminate or lost.",
    },
    Law {
        code: "RL305",
        title: "the decision after a fallback names its parent",
        shape: "Dom",
        protects: "Two decisions for one piece of work that do not know of each other look like two pieces of work.",
        bad: "a.unsent -fallback-> classify changes { provider }\n.. -> decide fresh(b) -> ..",
        repaired: "a.unsent -fallback-> classify changes { provider }\n.. -> decide(b) -> ..",
        fix: "Write `decide(r)`, which names the last decision as parent by itself.",
    },
    Law {
        code: "RL306",
        title: "no reviewer shopping",
        shape: "Entry, Dom",
        protects: "A judgement is not a failure of transport. Asking until somebody says yes is not a review.",
        bad: "accept.negative -fallback-> classify changes { provider }",
        repaired: "accept.negative -> repair(author) -loop-> classify takes repairs",
        fix: "Consume the negative, repair, and ask about the new candidate.",
    },
    Law {
        code: "RL307",
        title: "lost semantics in a cut leads to local, to narrower input, or to refusal",
        shape: "Entry",
        protects: "If the cut destroyed the question, another remote road gets either a useless question or a raw one.",
        bad: "run.cut_lost -fallback-> minimize(b) changes { provider }",
        repaired: "run.cut_lost -fallback-> local_only_choose changes { labour, provider }",
        fix: "Lead it to a local or human road, back to classify with `changes { content }`, or to a refusal.",
    },
    Law {
        code: "RL308",
        title: "an uncertain verifier leads to refusal or review",
        shape: "Entry",
        protects: "No confidence number turns an unverified cut into a verified one.",
        bad: "verify(a).verifier_uncertain when confidence > 95 -> reserve(a)",
        repaired: "verify(a).verifier_uncertain -> refused(unsure)",
        fix: "Refuse, or ask a person: `-> review`, whose new plan enters at classify.",
    },
];
