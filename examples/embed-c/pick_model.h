/* The policy `app.pick@1`: its facts, its vocabulary and its table.
 *
 * A pure decision, to be embedded where something else does the sending: which model answers? `profile choice` leaves out the
 * laws of gates and payloads, and the verdict says so; that a preference never opens a closed option is still proved.
 *
 * Written by `roadlaw build --emit c` for a policy that was proved: change the policy, not this file. Link it with
 * the library `roadlaw_ffi`.
 */
#ifndef PICK_MODEL_H
#define PICK_MODEL_H

#include "roadlaw.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PICK_MODEL_TABLE_LENGTH 776

/* The table, as `roadlaw build` writes it. */
extern const uint8_t pick_model_table[PICK_MODEL_TABLE_LENGTH];

/* Checks the table, once: keep it. Null and a status if the library reads another version of the format. */
RoadlawTable *pick_model_open(RoadlawStatus *status);

/* Roads. */
enum pick_model_road {
    PICK_MODEL_ROAD_SMALL = 0,
    PICK_MODEL_ROAD_BIG = 1
};

/* The policy's name for it; null if there is none. */
const char *pick_model_road_name(size_t road);

/* Filters that close roads, by name. */
enum pick_model_reason {
    PICK_MODEL_REASON_UP = 0,
    PICK_MODEL_REASON_PAID = 1,
    PICK_MODEL_REASON_CLEAN = 2
};

/* The policy's name for it; null if there is none. */
const char *pick_model_reason_name(size_t reason);

/* Places where a run may be. */
enum pick_model_node {
    PICK_MODEL_NODE_START = 0,
    PICK_MODEL_NODE_CHOOSE = 1,
    PICK_MODEL_NODE_REFUSED_INPUT = 2,
    PICK_MODEL_NODE_DONE = 3,
    PICK_MODEL_NODE_PENDING_NO_ROAD = 4
};

/* The policy's name for it; null if there is none. */
const char *pick_model_node_name(size_t node);

/* Flows. */
enum pick_model_flow {
    PICK_MODEL_FLOW_FLOW = 0
};

/* The policy's name for it; null if there is none. */
const char *pick_model_flow_name(size_t flow);

/* Places where the policy chooses a road. */
enum pick_model_choose {
    PICK_MODEL_CHOOSE_CHOOSE = 0
};

/* The policy's name for it; null if there is none. */
const char *pick_model_choose_name(size_t choose);

/* What the steps of this policy may answer. */
enum pick_model_outcome {
    PICK_MODEL_OUTCOME_OK = 1,
    PICK_MODEL_OUTCOME_FAILED = 2
};

/* The policy's name for it; null if there is none. */
const char *pick_model_outcome_name(size_t outcome);

/* What a step of a run obliges to, as bits. */
#define PICK_MODEL_OBLIGATION_CHECKPOINT (UINT32_C(1) << 0)
#define PICK_MODEL_OBLIGATION_RE_RESOLVE (UINT32_C(1) << 1)
#define PICK_MODEL_OBLIGATION_CHECK_DISTINCT (UINT32_C(1) << 2)
#define PICK_MODEL_OBLIGATION_CHECK_BLIND (UINT32_C(1) << 3)
#define PICK_MODEL_OBLIGATION_QUESTION_EQUAL (UINT32_C(1) << 4)
#define PICK_MODEL_OBLIGATION_CONTEXT_EQUAL (UINT32_C(1) << 5)
#define PICK_MODEL_OBLIGATION_PROVENANCE (UINT32_C(1) << 6)
#define PICK_MODEL_OBLIGATION_LEASE_FENCE (UINT32_C(1) << 7)
#define PICK_MODEL_OBLIGATION_CONSUME_ONCE (UINT32_C(1) << 8)
#define PICK_MODEL_OBLIGATION_FALLBACK_RECEIPT (UINT32_C(1) << 9)
#define PICK_MODEL_OBLIGATION_COMPARE_AND_SWAP (UINT32_C(1) << 10)
#define PICK_MODEL_OBLIGATION_FRESH_IDENTITY (UINT32_C(1) << 11)
#define PICK_MODEL_OBLIGATION_REPLAY_PROOF (UINT32_C(1) << 12)
#define PICK_MODEL_OBLIGATION_EGRESS_ONCE (UINT32_C(1) << 13)
#define PICK_MODEL_OBLIGATION_RELEASE (UINT32_C(1) << 14)

/* The reason (enum pick_model_reason) of a filter that `roadlaw_why` tells; -1 if there is none. */
int pick_model_reason_of(size_t filter);

/* Values of the fact `tier`. */
enum pick_model_tier {
    PICK_MODEL_TIER_FREE = 0,
    PICK_MODEL_TIER_PRO = 1
};

/* The fact `tier`. */
static inline RoadlawStatus pick_model_set_tier(RoadlawFacts *facts, const RoadlawTable *table, enum pick_model_tier value) {
    return roadlaw_set_value(facts, table, 0, (uint32_t)value);
}
static inline void pick_model_unset_tier(RoadlawFacts *facts) {
    roadlaw_unset(facts, 0);
}

/* The fact `private`. */
static inline RoadlawStatus pick_model_set_private(RoadlawFacts *facts, const RoadlawTable *table, bool value) {
    return roadlaw_set_bool(facts, table, 1, value);
}
static inline void pick_model_unset_private(RoadlawFacts *facts) {
    roadlaw_unset(facts, 1);
}

/* The fact `up[small]`. */
static inline RoadlawStatus pick_model_set_up_small(RoadlawFacts *facts, const RoadlawTable *table, bool value) {
    return roadlaw_set_bool(facts, table, 2, value);
}
static inline void pick_model_unset_up_small(RoadlawFacts *facts) {
    roadlaw_unset(facts, 2);
}

/* The fact `up[big]`. */
static inline RoadlawStatus pick_model_set_up_big(RoadlawFacts *facts, const RoadlawTable *table, bool value) {
    return roadlaw_set_bool(facts, table, 3, value);
}
static inline void pick_model_unset_up_big(RoadlawFacts *facts) {
    roadlaw_unset(facts, 3);
}

#ifdef __cplusplus
}
#endif

#endif /* PICK_MODEL_H */
