//! RL1xx: each gate is passed before the step that needs it.

use super::Law;

pub(super) const LAWS: &[Law] = &[
    Law {
        code: "RL101",
        title: "classify before anything is sent, called or decided",
        shape: "Dom",
        protects: "Until the payload is classified nobody knows what may leave. Every later gate reads that judgement.",
        bad: "start -> minimize(a) -> choose",
        repaired: "start -> classify -> minimize(a) -> choose",
        fix: "Let every path that reaches the named step pass classify first. The witness shows the path that does not.",
    },
    Law {
        code: "RL102",
        title: "minimize for this consumer before it is sent to",
        shape: "Dom",
        protects: "Each consumer (a target together with a projection) gets its own smallest payload. Sending what was \
                   minimized for nobody sends everything.",
        bad: "choose.a -> cut(a) -> verify(a) -> reserve(a) -> .. -> send(a)",
        repaired: "choose.a -> minimize(a) -> cut(a) -> verify(a) -> reserve(a) -> .. -> send(a)",
        fix: "Put `minimize(r)` after choose and before cut, or enter `run(r)` of std.lanes, which does.",
    },
    Law {
        code: "RL103",
        title: "a forbidden road is eliminated, never sent to",
        shape: "Dom, Imply",
        protects: "Work with unknown lineage, work marked local-only or of a prohibited category, a missing identity, a missing \
                   authority, an opaque egress or an incompatible retention closes a remote road. Closed is not ranked lower: \
                   it is out.",
        bad: "filters mine { lineage : lineage  authority : authority  .. }     // forgets local_only",
        repaired: "filters mine { use std.filters.portal }                           // all of them, in reason order",
        fix: "Use the shipped filters of the road's kind, and let every send follow a choose that applied them.",
    },
    Law {
        code: "RL104",
        title: "the payload is cut wherever the cut is needed",
        shape: "Dom",
        protects: "Above the threshold the raw payload must not leave. An exemption whose guard is wider than the definite \
                   absence of the need lets it out, and so does a need that is unknown and read as absent.",
        bad: "need cut when weight >= 40\nminimize(a) when weight <= 40 -> reserve(a)\nminimize(a) else         -> cut(a)",
        repaired: "need cut when weight >= 40\nstart -> minimize(r) -> cut(r)? -> verify(r)? -> reserve(r)   // inside a lane",
        fix: "Use `cut(r)?` in a lane: it is skipped only where the need is definitely false. A guard of your own must imply \
              exactly that, also for unknown facts.",
    },
    Law {
        code: "RL105",
        title: "a cut is verified, by another than its maker",
        shape: "Dom",
        protects: "A redactor that judges itself finds nothing. The cut counts only once a verifier has passed it.",
        bad: "cut(a) -> reserve(a)",
        repaired: "cut(a) -> verify(a) -> reserve(a)",
        fix: "Follow each cut by verify for the same road, and skip both or neither.",
    },
    Law {
        code: "RL106",
        title: "egress for this target directly before the send",
        shape: "Dom",
        protects: "Egress is the last look: revocation, expiry, the bytes and the address. Anything between it and the send \
                   makes it a look at something else.",
        bad: "attempt(a) -> send(a)",
        repaired: "attempt(a) -> egress(a) -> send(a)",
        fix: "Let the only way into `send(r)` be the ok of `egress(r)`. A second send takes a second egress.",
    },
    Law {
        code: "RL107",
        title: "budget is reserved before the send",
        shape: "Dom",
        protects: "Two runs that both see money left spend it twice. A price of 0 exempts nobody: it may be wrong.",
        bad: "choose.a when price == 0 -> decide(a)\nchoose.a else           -> reserve(a)",
        repaired: "choose.a -> reserve(a)",
        fix: "Reserve on every path to a send.",
    },
    Law {
        code: "RL108",
        title: "the decision is committed before attempt and send",
        shape: "Dom",
        protects: "If the process dies between sending and writing down why, nobody can account for the call.",
        bad: "reserve(a) -> attempt(a) -> decide(a)",
        repaired: "reserve(a) -> decide(a) -> attempt(a)",
        fix: "Put `decide(r)` after reserve and verify, before attempt. A local call that was reached by a fallback, or that has \
              effects, is decided too.",
    },
    Law {
        code: "RL109",
        title: "a durable attempt wherever it is needed",
        shape: "Dom",
        protects: "Work that may act, be paid for, be retried or be reconciled needs a record that outlives the process, or a \
                   crash turns one call into none or two. Peers and coding jobs always need it.",
        bad: "need durable when reach or asynchronous            // forgets paid, auto_retry, reconcilable",
        repaired: "need durable when std.durable",
        fix: "Use `std.durable`, and `attempt(r)?` in a lane, which is skipped only where the need is definitely false.",
    },
    Law {
        code: "RL110",
        title: "a remote or lower-trust return is quarantined",
        shape: "Dom",
        protects: "What comes back is untrusted input. Validated or adopted at once it can steer what reads it.",
        bad: "send(a) -> validate -> consume -> adopt",
        repaired: "send(a) -> quarantine -> validate -> consume -> adopt",
        fix: "Lead every answer, also one that a reconcile found (`known_effect`), to quarantine; `accept` of std.lanes does.",
    },
    Law {
        code: "RL111",
        title: "validated before consumed, consumed before adopted, a negative consumed before repair",
        shape: "Dom",
        protects: "Consuming marks the answer as used once. Skipping validate uses anything; skipping consume uses it twice; a \
                   negative that is not consumed can be asked again elsewhere.",
        bad: "quarantine -> adopt\nvalidate.negative -> repair(author)",
        repaired: "quarantine -> validate -> consume -> adopt\nvalidate.negative -> record -> repair(author)     // node record : consume",
        fix: "Keep the order, or use `accept` of std.lanes, which consumes negatives too.",
    },
    Law {
        code: "RL112",
        title: "an effect only after adoption and with the owner's authorisation",
        shape: "Dom",
        protects: "Publishing, merging or paying is the owner's act. A good answer is not a permission.",
        bad: "validate -> effect(publish)",
        repaired: "adopt when owner_authorised -> effect(publish)\nadopt else                 -> done",
        fix: "Guard every edge into an effect by a fact with the role `owner_authorised`, after adopt.",
    },
    Law {
        code: "RL113",
        title: "checkpoint before the work leaves the invocation",
        shape: "Dom",
        protects: "While a person, a peer or a queue has the work, this process may end. Without a checkpoint nobody can take \
                   the answer in.",
        bad: "decide(r) -> await(user)",
        repaired: "decide(r) -> checkpoint(r) -> await(user)",
        fix: "Checkpoint before every await and before each send of a road that is durable, manual or queued.",
    },
    Law {
        code: "RL114",
        title: "an exemption reads only pinned and sealed facts",
        shape: "Flow",
        protects: "A gate skipped because of a fact that may change before the send is skipped on a stale word. The policy \
                   would be right only if nothing moved in between.",
        bad: "volatile quiet : bool\nneed cut when not quiet",
        repaired: "pinned quiet : bool\nneed cut when not quiet",
        fix: "Let needs and the guards around gates read facts that cannot change within the attempt.",
    },
    Law {
        code: "RL115",
        title: "a child's remote call passes its own gates",
        shape: "Dom",
        protects: "What a contained job asks a model is a new payload for a new consumer. The parent's classify, cut, decision \
                   and egress say nothing about it.",
        bad: "child of coder calls 9 {\n  start -> egress(coder_call) -> send(coder_call)\n  ..\n}",
        repaired: "child of coder calls 9 {\n  start -> classify -> choose_call\n  choose choose_call { coder_call } in order each -> run\n  ..\n}",
        fix: "Begin the child with classify and choose and enter `run`: it starts with no gate passed.",
    },
    Law {
        code: "RL116",
        title: "search success is not an ingestion right: provenance, rights, storage in series",
        shape: "Dom",
        protects: "That something could be found says nothing about who made it and whether it may be kept. What is stored \
                   unchecked is served, trained on and copied from then on.",
        bad: "node look : own as search\nnode keep : own as storage\nlook -> keep",
        repaired: "node look  : own as search\nnode origin : own as provenance\nnode clear : own as rights\nnode keep  : own as storage\n\
                   look -> origin -> clear -> keep\nclear.failed -> refused(no_rights)",
        fix: "Say of each node what it does with found material (`node NAME : own as search`), and lead every way from the search to storage \
              through provenance, then rights, each by its ok (the lane `ingest` does). An unknown right is `failed`. A new search, and \
              an edge that changes the content, need new checks.",
    },
    Law {
        code: "RL117",
        title: "done only after adoption, once anything was sent, called or awaited",
        shape: "Dom",
        protects: "`done` says that the result is in use. A run that ends there with an answer nobody adopted, or with an effect \
                   that failed, reports what did not happen.",
        bad: "send(a) -> done",
        repaired: "send(a) -> quarantine -> validate -> consume -> adopt -> done",
        fix: "Lead the answer through `accept`; end elsewhere (`refused`, `indeterminate`, `stale`) where it was not adopted.",
    },
];
