/* A C program that embeds a policy. `roadlaw build examples/pick-model.road --emit c examples/embed-c/pick_model` wrote the two
 * files beside this one; `cargo build --release -p roadlaw-ffi` builds the library that it is linked with:
 *
 *   cc -Iruntime/ffi/include examples/embed-c/decide.c examples/embed-c/pick_model.c target/release/libroadlaw_ffi.a \
 *      -lpthread -ldl -lm -o decide
 *
 * It reads one request a line, what is known of it in the order tier, private, up[small], up[big], `-` where nothing is known, and
 * prints the decision:
 *
 *   printf 'pro false true true\nfree - - true\n' | ./decide
 */
#include "pick_model.h"

#include <stdio.h>
#include <string.h>

/* Each setter answers whether it was done. One that was not leaves its fact unknown, and unknown opens nothing. */
static bool is_true(const char *word) {
    return strcmp(word, "true") == 0;
}

static bool is_known(const char *word) {
    return strcmp(word, "-") != 0;
}

static RoadlawStatus tell(RoadlawFacts *facts, const RoadlawTable *table, char words[4][16]) {
    RoadlawStatus status = ROADLAW_STATUS_OK;
    /* Facts are kept from request to request: what is not known any more is unset. */
    pick_model_unset_tier(facts);
    pick_model_unset_private(facts);
    pick_model_unset_up_small(facts);
    pick_model_unset_up_big(facts);
    if (is_known(words[0])) {
        status = pick_model_set_tier(facts, table,
                                     strcmp(words[0], "pro") == 0 ? PICK_MODEL_TIER_PRO : PICK_MODEL_TIER_FREE);
    }
    if (status == ROADLAW_STATUS_OK && is_known(words[1])) {
        status = pick_model_set_private(facts, table, is_true(words[1]));
    }
    if (status == ROADLAW_STATUS_OK && is_known(words[2])) {
        status = pick_model_set_up_small(facts, table, is_true(words[2]));
    }
    if (status == ROADLAW_STATUS_OK && is_known(words[3])) {
        status = pick_model_set_up_big(facts, table, is_true(words[3]));
    }
    return status;
}

/* What was decided, and why each road that is closed is closed. */
static void say(const RoadlawTable *table, const RoadlawFacts *facts) {
    RoadlawPick pick = roadlaw_choose(table, PICK_MODEL_CHOOSE_CHOOSE, facts);
    switch (pick.kind) {
    case ROADLAW_PICK_KIND_ROAD:
        printf("%s", pick_model_road_name(pick.index));
        break;
    case ROADLAW_PICK_KIND_EXIT:
        printf("%s", pick_model_node_name(pick.index));
        break;
    default:
        printf("no road");
    }
    for (size_t road = 0; pick_model_road_name(road) != NULL; road++) {
        RoadlawClosed closed = roadlaw_why(table, PICK_MODEL_CHOOSE_CHOOSE, road, facts, NULL);
        if (closed.kind == ROADLAW_CLOSED_KIND_FILTER) {
            size_t reason = (size_t)pick_model_reason_of(closed.filter);
            printf(" %s:%s", pick_model_road_name(road), pick_model_reason_name(reason));
        }
    }
    printf("\n");
}

/* One run to its end, every step answered by `ok` and every obligation met. */
static RoadlawStatus run(const RoadlawTable *table, RoadlawFacts *facts) {
    RoadlawRun *run = roadlaw_run_new(table, PICK_MODEL_FLOW_FLOW);
    RoadlawStep step = {0, false, 0, 0, false};
    RoadlawStatus status = run == NULL ? ROADLAW_STATUS_NO_FLOW : ROADLAW_STATUS_OK;
    while (status == ROADLAW_STATUS_OK && !step.ended) {
        roadlaw_set_epoch(facts, roadlaw_run_epoch(run));
        status = roadlaw_run_advance(run, table, roadlaw_run_generation(run), PICK_MODEL_OUTCOME_OK, facts, &step);
        roadlaw_run_acknowledge(run, step.obligations);
    }
    if (status == ROADLAW_STATUS_OK) {
        printf("a run ends at %s\n", pick_model_node_name(step.node));
    }
    roadlaw_run_free(run);
    return status;
}

int main(void) {
    RoadlawStatus status = ROADLAW_STATUS_OK;
    RoadlawTable *table = pick_model_open(&status);
    RoadlawFacts *facts = roadlaw_facts_new();
    char words[4][16];

    while (status == ROADLAW_STATUS_OK && scanf("%15s %15s %15s %15s", words[0], words[1], words[2], words[3]) == 4) {
        status = tell(facts, table, words);
        if (status == ROADLAW_STATUS_OK) {
            say(table, facts);
        }
    }
    if (status == ROADLAW_STATUS_OK) {
        status = run(table, facts);
    }
    if (status != ROADLAW_STATUS_OK) {
        fprintf(stderr, "error: %s\n", roadlaw_status_text((uint32_t)status));
    }
    roadlaw_facts_free(facts);
    roadlaw_table_free(table);
    return status == ROADLAW_STATUS_OK ? 0 : 2;
}
