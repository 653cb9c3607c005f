//! RL8xx, RL9xx and RA: what receivers see, the proof and the table themselves, and what the author asserts.

use super::Law;

pub(super) const LAWS: &[Law] = &[
    Law {
        code: "RL801",
        title: "a projection holds only what its receiver may get",
        shape: "Flow",
        protects: "A portal that is handed the workspace, or a peer that is handed the prompt floor, has it for good. What each kind \
                   of receiver may get is a closed list of classes.",
        bad: "road gpt : native portal to gpt with { prompt: instructions, tree: workspace } { .. }",
        repaired: "road gpt : native portal to gpt with { prompt: instructions, excerpt: evidence } { .. }",
        fix: "Drop the field, or send what the class list of this receiver allows: the message names it.",
    },
    Law {
        code: "RL802",
        title: "the decision record holds only its fields",
        shape: "Flow",
        protects: "A decision is kept for years and read by people who may not see the work. Every field is an integer or a digest \
                   of 32 bytes, so that no subject, file name, span, credential, full reference or live handle fits in. It says \
                   what was selected, never what became of it.",
        bad: "record { input_digest, file_name, lease_handle }",
        repaired: "record { input_digest, artifact_set_digest, generation }",
        fix: "Drop the field, or write the digest or number that says enough: the message names it. What the run fills by itself \
              (policy, table, node, road, parent, generation) need not be listed.",
    },
    Law {
        code: "RL803",
        title: "exports are opaque ids or scoped keyed digests",
        shape: "Flow",
        protects: "Logs travel further than the work. Whoever can guess an input can test the guess against a plain hash of it, and \
                   a key that is the same for every reader, purpose or year lets strangers join what they were told. Counts and \
                   stages say nothing of the input.",
        bad: "export trace : sha256(payload)\nexport proof : digest of input keyed by consumer, purpose",
        repaired: "export trace : opaque\nexport proof : digest of input keyed by consumer, purpose, class, epoch, retention",
        fix: "Where a reader only needs to name the decision, export an `opaque` id, which is drawn at random. Where two readers must \
              be able to compare, export a `digest` and scope its key to all five: consumer, purpose, class of the record, key \
              epoch, retention. `count` and `stage` are free.",
    },
    Law {
        code: "RL901",
        title: "the table says what the policy says, for every input",
        shape: "Total",
        protects: "A proof about a policy is worth nothing if the bytes that run say something else. The finished bytes are read \
                   back by a separate reader and compared with the policy, option by option and edge by edge.",
        bad: "a table whose mask for `weight >= 90` still holds a remote road",
        repaired: "the table that `roadlaw build` writes",
        fix: "This is a defect of the compiler, never of your policy: no table was written. Please report it with the policy.",
    },
    Law {
        code: "RL902",
        title: "both engines agree",
        shape: "Total",
        protects: "What one engine proves the other checks. A disagreement means that one of them is wrong.",
        bad: "an invariant that the diagrams found and Z3 refutes",
        repaired: "an invariant that both accept",
        fix: "This is a defect of the compiler, never of your policy: it counts as undecided. Please report it with the policy.",
    },
    Law {
        code: "RL903",
        title: "nothing is undecided",
        shape: "Total",
        protects: "Out of time, out of memory and `unknown` are not proofs. What is not proved is rejected, with an exit code of \
                   its own (3).",
        bad: "counters whose product exceeds 65,536 rounds",
        repaired: "fewer counters, or smaller ones",
        fix: "Make the policy smaller at the place that the message names: fewer counters, fewer facts in one guard, lanes \
              instead of copies.",
    },
    Law {
        code: "RL904",
        title: "a run uses exactly the table that it pinned",
        shape: "Dom",
        protects: "Work that waits a week must end under the policy it began with, not under the newest one.",
        bad: "a run resumed with a table of another digest",
        repaired: "a run resumed with the table that it names",
        fix: "Keep tables as long as runs that pin them. The runtime refuses any other: pinned policy unavailable.",
    },
    Law {
        code: "RA",
        title: "the author's own assertion holds",
        shape: "Dom, Imply",
        protects: "`never` and `always` say in one line what a reader must be able to rely on. They are proved like every other \
                   law, over all facts and all outcomes; a fact that is unknown may have any value.",
        bad: "never send(any) when class >= private        // while a road's filter says class <= private",
        repaired: "never send(any) when class >= private\nfilters mine { use std.filters.portal  class : class <= internal }",
        fix: "Either the policy is wrong or the assertion is: the witness shows a run on which both cannot be right.",
    },
];
