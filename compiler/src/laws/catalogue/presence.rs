//! RL0xx: what must be written down.

use super::Law;

pub(super) const LAWS: &[Law] = &[
    Law {
        code: "RL001",
        title: "every pin is written",
        shape: "Pres",
        protects: "A decision is only worth keeping if one can say later which workflow, operation, purpose and contract it was \
                   made for. The eight pins name them; without one, two different pieces of work share one policy.",
        bad: r#"pins {
  pattern "chat@1"  spell "answer"  placement "desk"
  input "q@1"  output "a@1"  error "e@1"  noncompletion "n@1"
}"#,
        repaired: r#"pins {
  pattern "chat@1"  spell "answer"  placement "desk"  purpose "answer one question"
  input "q@1"  output "a@1"  error "e@1"  noncompletion "n@1"
}"#,
        fix: "Write all eight pins: pattern, spell, placement, purpose, input, output, error, noncompletion.",
    },
    Law {
        code: "RL002",
        title: "a peer road names peer, task schema, adapter, authorisation and a durable return, and nothing private to the peer",
        shape: "Pres",
        protects: "A peer chooses privately how it does the work. What we may rely on is its public task schema; naming its \
                   provider, model, tools or prompt floor pretends to a control that we do not have.",
        bad: r#"target atelier : peer { peer "atelier"  adapter "a2a@1"  origin "https://atelier.example"  evidence verified }"#,
        repaired: r#"target atelier : peer { peer "atelier"  task_schema "change.task@2"  adapter "a2a@1"
                        origin "https://atelier.example"  evidence verified }"#,
        fix: "Give the target `peer`, `task_schema` and `adapter`, give the road `authorisation`, `return` and `continuity \
              durable_job`, and delete whatever speaks of the peer's inside.",
    },
    Law {
        code: "RL003",
        title: "a coding road is contained: profile, workspace, artifacts, gate-only network, budget, timeout, cancellation",
        shape: "Pres",
        protects: "A coding job iterates and writes. Without roots, an artifact law and one network destination it can read, \
                   write or call what nobody granted.",
        bad: r#"road coder : coding_job portal through coder_call to coffin with worktree {
  profile candidate  workspace { "src" write }
  network gate_only  budget 450 cents  timeout 45m  cancel cooperative
}"#,
        repaired: r#"road coder : coding_job portal through coder_call to coffin with worktree {
  profile candidate  workspace { "src" write }  artifacts { patch "change.patch@1" }
  network gate_only  budget 450 cents  timeout 45m  cancel cooperative
}"#,
        fix: "Write every attribute of containment. Roots are strict children of the job root and disjoint; only the profile \
              `candidate` may write; the only network is `gate_only`.",
    },
    Law {
        code: "RL004",
        title: "a portal road has a full target and ceilings, and facts that the policy relies on are verified",
        shape: "Pres",
        protects: "A filter on the region is worth nothing if the region is what a gateway says about itself.",
        bad: r#"target mistral : portal { provider "mistral"  ..  region eu  ..  evidence asserted }
filters eu_only { use std.filters.portal  region : target.region in { eu } }"#,
        repaired: r#"target mistral : portal { provider "mistral"  ..  region eu  ..  evidence verified }
filters eu_only { use std.filters.portal  region : target.region in { eu } }"#,
        fix: "Write all twelve attributes of the portal (an origin is `https://host`, in lower case; a path begins at `/` and does \
              not climb), and either verify the fact (`evidence verified`, once somebody has) or \
              stop relying on it.",
    },
    Law {
        code: "RL005",
        title: "an operator seat or a subscription bridge is no destination",
        shape: "Pres",
        protects: "A seat is a person's own session. Work that is pushed into it leaves under that person's licence and login, \
                   not under this policy.",
        bad: r#"target seat : portal { provider "anthropic"  service "operator_seat"  .. }
road seat : native portal to seat with fields { .. }"#,
        repaired: r#"target api : portal { provider "anthropic"  service "api"  .. }
road api : native portal to api with fields { .. }"#,
        fix: "Route to a service that may be called. What a person made in a seat is an artifact: let it come in at classify.",
    },
    Law {
        code: "RL006",
        title: "no credential or live handle is written in a policy",
        shape: "Pres",
        protects: "Policies are reviewed, copied, diffed and built into tables. A secret in one is published.",
        bad: r#"target gpt : portal { provider "openai"  api_key "sk-0123456789abcdef"  .. }"#,
        repaired: r#"target gpt : portal { provider "openai"  .. }"#,
        fix: "Delete it, and revoke it if it was real. The carrier holds credentials; a policy names only opaque references.",
    },
    Law {
        code: "RL007",
        title: "no road picks its own provider or falls back by itself",
        shape: "Pres",
        protects: "A gateway that quietly moves to a second provider changes who sees the data. Then every proof about \
                   providers is about the wrong one.",
        bad: r#"road gpt : native portal to gpt with fields { limits one  fallback auto }"#,
        repaired: r#"road gpt : native portal to gpt with fields { limits one }
road ovh : native portal to ovh with fields { limits one }
flow { ..  gpt.unsent -fallback-> resolve changes { provider, service, model, origin, consumer } .. }"#,
        fix: "Switch the runtime's own fallback off, declare each road, and connect them with `-fallback->` edges.",
    },
    Law {
        code: "RL008",
        title: "the continuity fits the road",
        shape: "Pres",
        protects: "A peer, a job or anything that waits outlives the call that began it; a live session cannot be resumed \
                   elsewhere. Work on the wrong continuity is lost without a trace.",
        bad: r#"road atelier : peer opaque to atelier with task { continuity immediate  .. }"#,
        repaired: r#"road atelier : peer opaque to atelier with task { continuity durable_job  .. }"#,
        fix: "Write `continuity durable_job` on peer, coding, manual and queued roads and wherever `need durable` always holds; \
              `live_session` only on local roads.",
    },
    Law {
        code: "RL009",
        title: "every ceiling is written and in range",
        shape: "Pres",
        protects: "A ceiling that nobody wrote is unlimited, and the worst case of a run is only as good as the ceilings of its roads.",
        bad: r#"limits one { requests 1  tokens 4_000 in 1_000 out 5_000 total  concurrency 1
             spend 5 cents  retries 0  fanout 1  rounds 1  uses 1 }"#,
        repaired: r#"limits one { deadline 30s  requests 1  tokens 4_000 in 1_000 out 5_000 total  concurrency 1
             spend 5 cents  retries 0  fanout 1  rounds 1  uses 1 }"#,
        fix: "Write each: deadline, requests, concurrency, fanout, rounds and uses at least 1; tokens at least 1 where a model \
              is called; spend and retries may be 0. Local and human roads need deadline and concurrency only.",
    },
    Law {
        code: "RL010",
        title: "every role that a law needs for a road of this policy has a fact",
        shape: "Pres",
        protects: "A check that nobody supplies a fact for is not a check that passed. Laws look for facts by role \
                   (`lineage`, `authority`, `revoked`, ..), never by the accident of a name.",
        bad: r#"policy p@1 {                      // no `use std.facts`, no fact as lineage
  road gpt : native portal to gpt with fields { .. }
}"#,
        repaired: r#"policy p@1 {
  use std.facts
  road gpt : native portal to gpt with fields { .. }
}"#,
        fix: "Say `use std.facts`, or give your own fact or `let` the role: `sealed origin_known : bool as lineage`.",
    },
];
