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
        protects: "No confidence number turns an unverified cut into a verified one: a verifier that is not sure has \
                   not verified, and the payload may still say what had to be cut.",
        bad: "verify(a).verifier_uncertain when confidence > 95 -> reserve(a)",
        repaired: "verify(a).verifier_uncertain -> refused(unsure)",
        fix: "Refuse, or ask a person: `-> review`, whose new plan enters at classify.",
    },
    Law {
        code: "RL309",
        title: "the question never changes on a fallback",
        shape: "Diff",
        protects: "A fallback is another way to the same answer. A road that asks for something else, or is judged by other words, \
                   answers another question, and its yes is filed under the first.",
        bad: "road a : .. { question { rubric \"review@3\" } .. }\nroad b : .. { question { rubric \"review@4\" } .. }\n\
              a.unsent -fallback-> classify changes { provider }",
        repaired: "road a : .. { question { rubric \"review@3\" } .. }\nroad b : .. { question { rubric \"review@3\" } .. }\n\
                   a.unsent -fallback-> classify changes { provider }",
        fix: "Let every road that a fallback may reach have the input, rubric and contract of the road it leaves. No `changes` \
              lifts this. Other work is a policy or a branch of its own; a candidate that was repaired is a new question.",
    },
    Law {
        code: "RL310",
        title: "no weaker contract under the same name",
        shape: "Diff",
        protects: "A fallback that keeps the name of the work and lowers its floor or its assurance gives less than was asked for, and nobody is told.",
        bad: "role reviewer floor high { road a .. }\nrole reviewer floor low  { road b .. }\na.unsent -fallback-> classify changes { origin }",
        repaired: "role reviewer floor high { road a ..  road b .. }\na.unsent -fallback-> classify changes { origin }",
        fix: "Hold every road that a fallback may reach to the floor of the road it leaves, and declare `changes { assurance }` where it differs.",
    },
    Law {
        code: "RL311",
        title: "a review re-enters at classify",
        shape: "Entry",
        protects: "What a reviewing person changed is a new payload. Whatever was judged about the old one says nothing about it.",
        bad: "review.new_plan -loop-> minimize(a) takes plans",
        repaired: "review.new_plan -loop-> classify takes plans",
        fix: "Lead `review.new_plan` to classify before anything else.",
    },
    Law {
        code: "RL312",
        title: "a summary outcome does not hide a negative",
        shape: "Entry",
        protects: "A batch that reports `failed` for one part that was refused and one that broke lets the refused part be asked again elsewhere.",
        bad: "accept.negative -> batch\nnode batch : own\nbatch.failed -fallback-> resolve changes { model }",
        repaired: "accept.negative -> refused(answer)\naccept.invalid -fallback-> resolve changes { model }",
        fix: "Route the negative by itself, to a repair or a refusal, and let only real failures lead to a fallback or a retry.",
    },
    Law {
        code: "RL313",
        title: "a failed road is not tried again for the same question",
        shape: "Dom",
        protects: "A road that a fallback left is closed until a repair makes a new question. Asked again it costs the same and fails the same.",
        bad: "a.unsent -fallback-> minimize(a)",
        repaired: "a.unsent -fallback-> resolve changes { provider }\nresolve -> second\nchoose second { b } in order each -> run",
        fix: "Reach the next road by a choose: it leaves out what was tried. For a second try of the same road write `-retry->` with a counter.",
    },
];
