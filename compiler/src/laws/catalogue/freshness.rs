//! RL2xx: gate evidence is used only while it is about the same thing.

use super::Law;

pub(super) const LAWS: &[Law] = &[
    Law {
        code: "RL201",
        title: "after a loop round, classify again",
        shape: "Fresh",
        protects: "A loop brings new content. What was classified, minimized, cut and decided was the old, and says nothing of the new.",
        bad: "repair(author) -loop-> minimize(a) takes rounds",
        repaired: "repair(author) -loop-> classify takes rounds",
        fix: "Lead loop edges, and what follows a repair, a new plan or a person's answer, to classify, and let each \
              gate be passed again from there.",
    },
    Law {
        code: "RL202",
        title: "after a retry or redirect, cut, reserve, decide, attempt and egress again",
        shape: "Fresh",
        protects: "A second transmission is a second disclosure with its own cost. The first one's gates were used up by it.",
        bad: "send(a).unavailable -retry-> egress(a) takes attempts",
        repaired: "send(a).unavailable -retry-> cut(a) takes attempts",
        fix: "Enter a retry at cut or before, a redirect at minimize or before. While an answer is outstanding only an edge with \
              a kind (`-retry->`, `-fallback->`, ..) may lead back to the gates.",
    },
    Law {
        code: "RL203",
        title: "redelivery: replay is proved, a use is left, egress is fresh, nothing changes",
        shape: "Fresh",
        protects: "The same bytes twice are harmless only where the receiver recognises them, or never got them.",
        bad: "send(a).lost_envelope -redeliver-> again takes uses",
        repaired: "send(a).lost_envelope when replay_proved or no_effect -redeliver-> again takes uses\nsend(a).lost_envelope else -> exit(uncertain)",
        fix: "Guard the edge by `replay_proved or no_effect`, let it take a counter, enter an egress, and declare no changes; \
              `portal_redelivering` of std.lanes does.",
    },
    Law {
        code: "RL204",
        title: "gates stand in their order",
        shape: "Dom",
        protects: "A gate that is passed before the one it reads from has judged something else: entering choose or classify \
                   ends what was decided before.",
        bad: "decide(a) -> choose -> attempt(a)",
        repaired: "choose -> decide(a) -> attempt(a)",
        fix: "classify, choose, minimize, cut, verify, reserve, decide, attempt, checkpoint, egress, send.",
    },
    Law {
        code: "RL205",
        title: "a cut is for the consumer that it is sent to",
        shape: "Dom",
        protects: "What one receiver may see another may not. A payload cut for a peer's schema is not cut for a provider.",
        bad: "minimize(peer) -> cut(peer) -> verify(peer) -> reserve(portal) -> .. -> send(portal)",
        repaired: "minimize(portal) -> cut(portal) -> verify(portal) -> reserve(portal) -> .. -> send(portal)",
        fix: "Name one road in the whole chain; a lane with a road parameter cannot get it wrong.",
    },
    Law {
        code: "RL206",
        title: "an egress decision is for the target that it is sent to",
        shape: "Dom",
        protects: "Permission for one address is not permission for another. Egress looked at one target's grant, \
                   revocation and bytes; the send goes to another's.",
        bad: "egress(b) -> send(a)",
        repaired: "egress(a) -> send(a)",
        fix: "Name the same road in egress and send, or enter `run(r)` of std.lanes, which does.",
    },
    Law {
        code: "RL207",
        title: "volatile facts are read again after a wait, resume, retry or fallback",
        shape: "Fresh",
        protects: "After a week with a person, the login, the permission and the budget are not what they were.",
        bad: "await(user) -resume-> validate",
        repaired: "await(user) -resume-> reread\nnode reread : resolve\nreread -> accept",
        fix: "Enter a resolve first, and let only an await be left by `-resume->`.",
    },
    Law {
        code: "RL208",
        title: "an exemption does not outlive the payload that it was judged on",
        shape: "Fresh",
        protects: "A second round's payload may weigh more than the first's. Skipping the cut because of the first one's weight \
                   sends the second raw.",
        bad: "minimize(a) when weight < 40 -> reserve(a)\nreserve(a) -> .. -> send(a)\nsend(a).refused -loop-> reserve(a) takes rounds",
        repaired: "minimize(a) when weight < 40 -> reserve(a)\nreserve(a) -> .. -> send(a)\nsend(a).refused -loop-> classify takes rounds",
        fix: "Enter the next round where the exempting guard is read again, after classify.",
    },
    Law {
        code: "RL209",
        title: "revocation and expiry are read again at egress and adopt",
        shape: "Fresh",
        protects: "A grant withdrawn a second ago is withdrawn. Both gates re-read it by themselves, if the policy has the facts.",
        bad: "facts { volatile permission : bool per road  .. }     // no revoked, no expired",
        repaired: "use std.facts                                          // brings `revoked` and `expired`",
        fix: "Use std.facts, or give your own facts the roles `revoked` and `expired`.",
    },
];
