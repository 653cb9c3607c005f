//! RL4xx and RL5xx: who may be chosen, and that the chosen reviewer is another.

use super::Law;

pub(super) const LAWS: &[Law] = &[
    Law {
        code: "RL401",
        title: "a road can be chosen only if every mandatory filter holds",
        shape: "Imply",
        protects: "Capability, login, connection, permission and authority are five different facts. A road that is chosen \
                   without one of them fails late, or works where it must not.",
        bad: "filters mine { lineage : lineage  ..  connection : connection }      // no permission",
        repaired: "filters mine { use std.filters.portal }",
        fix: "Use the shipped filters of the road's kind, and add your own behind them.",
    },
    Law {
        code: "RL402",
        title: "rank facts do not change eligibility",
        shape: "Two-run",
        protects: "A price decides which of the allowed roads comes first. Once it opens or closes one, a cheap road is an \
                   allowed road.",
        bad: "let cheap = price[gpt] < 5\nneed cut when weight >= 40 and not cheap",
        repaired: "need cut when weight >= 40\nchoose { gpt, llama } by taste { cheap : keys price }",
        fix: "Move the fact into a rank key; if it is a real condition, declare it pinned, sealed or volatile.",
    },
    Law {
        code: "RL403",
        title: "unknown opens nothing",
        shape: "Two-run",
        protects: "What nobody told us must never be the reason that data leaves. The commonest form is an `else` that sends.",
        bad: "minimize(a) when banned -> refused(banned)\nminimize(a) else        -> reserve(a)",
        repaired: "minimize(a) when not banned -> reserve(a)\nminimize(a) else            -> refused(banned)",
        fix: "Say when it may go, and let the else refuse; or name the strictest value: `unknown = true`.",
    },
    Law {
        code: "RL404",
        title: "what is worse opens nothing",
        shape: "Two-run",
        protects: "A higher class, a greater weight, more labels or a lost lineage must never be the reason that work goes to a \
                   remote road, or goes there raw where it would have been cut.",
        bad: "filters mine { use std.filters.portal  class : class != private }       // restricted passes",
        repaired: "filters mine { use std.filters.portal  class : class <= internal }",
        fix: "Compare upwards only: `class <= internal`, `weight < 90`; let what is worse refuse, stay at home or be cut.",
    },
    Law {
        code: "RL405",
        title: "a capability is proven to the floor",
        shape: "Imply",
        protects: "A program found on a path is not a login, and a claim is not a test. What is only declared or present opens no \
                   road, be it a login, a capability or any other evidence.",
        bad: "filters mine { use std.filters.portal  able : capability >= present }",
        repaired: "filters mine { use std.filters.portal  able : capability >= probed }",
        fix: "Ask for `probed` or `attested` evidence.",
    },
    Law {
        code: "RL406",
        title: "provider identity is no filter",
        shape: "Two-run",
        protects: "Another provider's name is no proof of independence, and a name in a filter decides what a condition should.",
        bad: "filters mine { use std.filters.portal  other : target.provider != acme }",
        repaired: "filters mine { use std.filters.portal  place : target.region == eu }",
        fix: "Ask for the property: region, retention, custody, or a separate invocation for a reviewer. A provider's name, written as \
              `target.provider` or in a fact with the role `provider`, may stand in a binding, a rank or a `never`.",
    },
    Law {
        code: "RL407",
        title: "the rank is total and does not depend on listing order",
        shape: "Total",
        protects: "If two eligible roads tie, or one is quietly left out, the choice depends on how somebody sorted a list.",
        bad: "choose { a, b, c } by taste { quick : order a, b   thorough : order c, b, a }",
        repaired: "choose { a, b, c } by taste { quick : order a, b, c   thorough : order c, b, a }",
        fix: "List every candidate once in every profile, or say `without` for those that a profile leaves out (RL408: it must \
              leave out none that is the last). With keys the road's name is the last key by itself.",
    },
    Law {
        code: "RL408",
        title: "a preference neither widens nor empties the set",
        shape: "Two-run",
        protects: "Taste, thrift and haste put the allowed roads in order. A preference that closes the last one turns work away \
                   that could have been done; one that opens a road has become a permission.",
        bad: "choose { local, gpt } by avoid_paid { false : order gpt, local   true : order local without gpt }\nchoose.none -> pending_no_road",
        repaired: "choose { local, gpt } by avoid_paid { false : order gpt, local   true : order local, gpt }\nchoose.none -> pending_no_road",
        fix: "Name the road last instead of leaving it out, or let `none` lead to a second choose that asks the others. Let no filter \
              and no guard read what a choose orders by: what must not be used is closed by a fact of its own, a ban.",
    },
    Law {
        code: "RL409",
        title: "filters come before rank",
        shape: "Imply",
        protects: "Picking the cheapest and then checking it refuses work that another road could have carried, and trains \
                   people to switch the check off.",
        bad: "road a : native portal .. { filters { .. } }            // no `authority`\nchoose.a when authority[a] -> minimize(a)",
        repaired: "road a : native portal .. { filters { use std.filters.portal } }\nchoose.a -> minimize(a)",
        fix: "Move the check out of the edge and into the road's filters.",
    },
    Law {
        code: "RL501",
        title: "a reviewer road is independent",
        shape: "Imply",
        protects: "A review by the session that wrote the text is no review. Another provider is neither needed nor enough: what \
                   counts is another invocation, a blind bounded context and the assurance of the gate.",
        bad: "role reviewer floor high { road api : native portal .. { filters { use std.filters.portal } } }",
        repaired: "role reviewer floor high { road api : native portal .. { filters { use std.filters.reviewer, std.filters.portal } } }",
        fix: "Use std.filters.reviewer, which asks for `distinct`, `blind` and `assurance` at the floor; a reviewer is \
              never a `live_session`, which remembers.",
    },
    Law {
        code: "RL502",
        title: "a worker is not its own reviewer",
        shape: "Imply",
        protects: "Who repairs a candidate wrote it. Asked to review it, it judges its own work.",
        bad: "role reviewer floor high { road a .. }\naccept.negative -> repair(a)",
        repaired: "role reviewer floor high { road a .. }\nroad author : native local_model { .. }\naccept.negative -> repair(author)",
        fix: "Let a road repair that is outside of the reviewers' group.",
    },
];
