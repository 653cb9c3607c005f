//! RL6xx: the run ends, and within its ceilings.

use super::Law;

pub(super) const LAWS: &[Law] = &[
    Law {
        code: "RL601",
        title: "every cycle is bounded",
        shape: "Arith",
        protects: "A cycle that no counter or tried set ends spends until somebody notices.",
        bad: "send(a).unavailable -retry-> cut(a)",
        repaired: "counter attempts = 2  spent -> refused(gave_up)\nsend(a).unavailable -retry-> cut(a) takes attempts",
        fix: "Let one edge of each cycle take a counter. Fallback edges are bounded by the tried set; the edge out of a repair \
              takes a counter as well.",
    },
    Law {
        code: "RL602",
        title: "the worst case fits the ceilings",
        shape: "Arith",
        protects: "Each road within its own limits can still add up to more than the whole run may spend.",
        bad: "limits policy { .. spend 100 cents .. }\nlimits one { .. spend 50 cents .. }\ncounter rounds = 2  spent -> refused(gave_up)     // three sends of 50",
        repaired: "limits policy { .. spend 100 cents .. }\nlimits one { .. spend 50 cents .. }\ncounter rounds = 1  spent -> refused(gave_up)     // two sends of 50",
        fix: "Lower a counter or a road's ceiling, or raise the policy's. The run that is shown is one that some facts open; its costs add up to more than the ceiling.",
    },
    Law {
        code: "RL603",
        title: "a child's ceilings fit in its parent's",
        shape: "Arith",
        protects: "A contained job whose calls together may use more than the job itself breaks the job's promise one small call at a time.",
        bad: "limits job  { .. spend 400 cents .. }\nlimits call { .. spend 50 cents .. }\nchild of coder calls 9 { .. }",
        repaired: "limits job  { .. spend 450 cents .. }\nlimits call { .. spend 50 cents .. }\nchild of coder calls 9 { .. }",
        fix: "The ceilings of the child's roads add up and are multiplied by `calls`. Lower one of them, or raise the parent's.",
    },
    Law {
        code: "RL604",
        title: "thresholds and totals agree",
        shape: "Arith",
        protects: "Numbers that contradict each other are a slip: a weight that is forbidden before a cut is asked for, a total that \
                   no call can reach, a redelivery without a use left for it.",
        bad: "const portal_threshold    = 90\nconst forbidden_threshold = 40",
        repaired: "const portal_threshold    = 40\nconst forbidden_threshold = 90",
        fix: "Let portal_threshold be at most forbidden_threshold, the total at most tokens in plus out, and a redelivery's \
              counter at most uses - 1.",
    },
];
