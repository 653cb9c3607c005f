// Road tables for C. Written by cbindgen from runtime/ffi/src; a test compares it.
//
// Every pointer may be null: then nothing happens, and the answer is the one that opens nothing. A handle belongs to
// one thread at a time, but for tables, which any number of threads may read.

#ifndef ROADLAW_H
#define ROADLAW_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// What became of a call.
typedef enum {
  // It was done.
  ROADLAW_STATUS_OK = 0,
  // A pointer is null.
  ROADLAW_STATUS_NULL = 1,
  // The bytes are no table, or damaged.
  ROADLAW_STATUS_TABLE = 2,
  // The bytes are a table of another version of the format.
  ROADLAW_STATUS_VERSION = 3,
  // The table has no such fact, or more facts than are held.
  ROADLAW_STATUS_NO_CELL = 4,
  // The fact is of another type.
  ROADLAW_STATUS_TYPE = 5,
  // The fact cannot have this value.
  ROADLAW_STATUS_DOMAIN = 6,
  // The run writes this fact, never the caller.
  ROADLAW_STATUS_LATCH = 7,
  // The outcome belongs to another attempt.
  ROADLAW_STATUS_STALE_ATTEMPT = 8,
  // The facts were read in an older epoch than the node needs.
  ROADLAW_STATUS_STALE_FACTS = 9,
  // Obligations of the last step were not acknowledged.
  ROADLAW_STATUS_UNACKNOWLEDGED = 10,
  // The table is not the one that the run began with.
  ROADLAW_STATUS_PINNED_POLICY_UNAVAILABLE = 11,
  // The node cannot have this outcome.
  ROADLAW_STATUS_OUTCOME = 12,
  // No edge is open for these facts.
  ROADLAW_STATUS_NO_EDGE = 13,
  // The run has ended.
  ROADLAW_STATUS_ENDED = 14,
  // The table has no such flow.
  ROADLAW_STATUS_NO_FLOW = 15,
  // Something else.
  ROADLAW_STATUS_OTHER = 16,
} RoadlawStatus;

// What won.
typedef enum {
  // Every road is closed.
  ROADLAW_PICK_KIND_NONE = 0,
  // `index` is a road.
  ROADLAW_PICK_KIND_ROAD = 1,
  // Every road is closed, and a run goes on to the node `index`.
  ROADLAW_PICK_KIND_EXIT = 2,
} RoadlawPickKind;

// Why a road is closed.
typedef enum {
  // It is open.
  ROADLAW_CLOSED_KIND_OPEN = 0,
  // The question is judged.
  ROADLAW_CLOSED_KIND_JUDGED = 1,
  // The road was tried for this question.
  ROADLAW_CLOSED_KIND_TRIED = 2,
  // The filter `filter` of the table does not hold.
  ROADLAW_CLOSED_KIND_FILTER = 3,
  // The order in force leaves it out.
  ROADLAW_CLOSED_KIND_PROFILE = 4,
  // It is no candidate of this choose, a pointer is null, or the run is another table's.
  ROADLAW_CLOSED_KIND_NO_CANDIDATE = 5,
} RoadlawClosedKind;

// Facts of one table: about 8 KiB. Keep one and change it.
typedef struct RoadlawFacts RoadlawFacts;

// A run of a flow.
typedef struct RoadlawRun RoadlawRun;

// A checked table over the caller's bytes.
typedef struct RoadlawTable RoadlawTable;

// What a choose decided.
typedef struct {
  // What won.
  RoadlawPickKind kind;
  // The road, or the node; else 0.
  size_t index;
} RoadlawPick;

// Why a road is closed.
typedef struct {
  // Why.
  RoadlawClosedKind kind;
  // The filter, counted through the roads of the table; else 0.
  size_t filter;
} RoadlawClosed;

// One step of a run.
typedef struct {
  // The node that was entered.
  size_t node;
  // `road` is the road of the node, or the one that a choose just took.
  bool has_road;
  // The road; else 0.
  size_t road;
  // Obligations to acknowledge before the next step, as bits.
  uint32_t obligations;
  // No step follows.
  bool ended;
} RoadlawStep;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The status in words. The text is static: do not free it. It takes the number of a status, so that no number is wrong.
const char *roadlaw_status_text(uint32_t status);

// Checks bytes and returns a table over them, or null. `status` says why; it may be null.
//
// # Safety
// `bytes` is null or points to `length` bytes, which stay where they are and unchanged until the table is freed. `status` is
// null or may be written.
RoadlawTable *roadlaw_table_new(const uint8_t *bytes,
                                size_t length,
                                RoadlawStatus *status);

// Frees a table. Its bytes stay the caller's.
//
// # Safety
// `table` is null or came from `roadlaw_table_new`, and is not used again.
void roadlaw_table_free(RoadlawTable *table);

// Writes the table's digest: 32 bytes, to be compared with those that were pinned. False, and nothing written, if a pointer
// is null.
//
// # Safety
// `table` is null or a live table; `digest` is null or 32 bytes that may be written.
bool roadlaw_table_digest(const RoadlawTable *table,
                          uint8_t *digest);

// Facts that are all unknown.
RoadlawFacts *roadlaw_facts_new(void);

// Frees facts.
//
// # Safety
// `facts` is null or came from `roadlaw_facts_new`, and is not used again.
void roadlaw_facts_free(RoadlawFacts *facts);

// Sets a bool. A value that is refused leaves the fact unknown.
//
// # Safety
// Each pointer is null or live, and nobody else uses `facts` meanwhile.
RoadlawStatus roadlaw_set_bool(RoadlawFacts *facts, const RoadlawTable *table, size_t cell, bool value);

// Sets an enum or a level to its value number, from 0 in declared order. A value that is refused leaves the fact unknown.
//
// # Safety
// Each pointer is null or live, and nobody else uses `facts` meanwhile.
RoadlawStatus roadlaw_set_value(RoadlawFacts *facts,
                                const RoadlawTable *table,
                                size_t cell,
                                uint32_t value);

// Sets an int. A value that is refused leaves the fact unknown.
//
// # Safety
// Each pointer is null or live, and nobody else uses `facts` meanwhile.
RoadlawStatus roadlaw_set_int(RoadlawFacts *facts, const RoadlawTable *table, size_t cell, int32_t value);

// Sets a set to a mask of its labels, bit 0 being the first declared. A value that is refused leaves the fact unknown.
//
// # Safety
// Each pointer is null or live, and nobody else uses `facts` meanwhile.
RoadlawStatus roadlaw_set_labels(RoadlawFacts *facts, const RoadlawTable *table, size_t cell, uint64_t labels);

// Makes a fact unknown again.
//
// # Safety
// `facts` is null or live, and nobody else uses it meanwhile.
void roadlaw_unset(RoadlawFacts *facts, size_t cell);

// Says in which epoch of a run the volatile facts were read.
//
// # Safety
// `facts` is null or live, and nobody else uses it meanwhile.
void roadlaw_set_epoch(RoadlawFacts *facts, uint32_t epoch);

// Decides a choose where nothing was tried or judged before.
//
// # Safety
// Each pointer is null or live.
RoadlawPick roadlaw_choose(const RoadlawTable *table, size_t choose, const RoadlawFacts *facts);

// Decides a choose with what a run remembers: roads that were tried, verdicts that were given. What a run of another table
// remembers is of other roads: then nothing is open.
//
// # Safety
// Each pointer is null or live.
RoadlawPick roadlaw_choose_in_run(const RoadlawTable *table,
                                  size_t choose,
                                  const RoadlawFacts *facts,
                                  const RoadlawRun *run);

// Why a road is closed at a choose, where nothing was tried or judged before (`run` is null) or with what a run remembers.
//
// # Safety
// Each pointer is null or live.
RoadlawClosed roadlaw_why(const RoadlawTable *table,
                          size_t choose,
                          size_t road,
                          const RoadlawFacts *facts,
                          const RoadlawRun *run);

// Starts a flow (0 is the policy's own), or returns null: the table has no such flow, or is null.
//
// # Safety
// `table` is null or live.
RoadlawRun *roadlaw_run_new(const RoadlawTable *table, size_t flow);

// Frees a run.
//
// # Safety
// `run` is null or came from `roadlaw_run_new`, and is not used again.
void roadlaw_run_free(RoadlawRun *run);

// Moves a run along the port of an outcome; at a choose the outcome is `ok`, and the facts decide. Any status but
// `ROADLAW_STATUS_OK` leaves the run and `step` unchanged.
//
// # Safety
// Each pointer is null or live, `step` may be written, and nobody else uses `run` meanwhile.
RoadlawStatus roadlaw_run_advance(RoadlawRun *run,
                                  const RoadlawTable *table,
                                  uint32_t generation,
                                  uint32_t outcome,
                                  const RoadlawFacts *facts,
                                  RoadlawStep *step);

// Says that obligations were met.
//
// # Safety
// `run` is null or live, and nobody else uses it meanwhile.
void roadlaw_run_acknowledge(RoadlawRun *run, uint32_t obligations);

// The generation of a run, which an outcome must name; 0 for null.
//
// # Safety
// `run` is null or live.
uint32_t roadlaw_run_generation(const RoadlawRun *run);

// The epoch that facts must be of; 0 for null.
//
// # Safety
// `run` is null or live.
uint32_t roadlaw_run_epoch(const RoadlawRun *run);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ROADLAW_H */
