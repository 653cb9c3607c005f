/* Loads tables through the static library, decides and runs, and measures how much of the stack each call has touched. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t link_load(const uint8_t *bytes, size_t length);
int64_t link_pick(const uint8_t *bytes, size_t length, uint8_t value);
int64_t link_choose(const uint8_t *bytes, size_t length, uint8_t value);
int64_t link_run(const uint8_t *bytes, size_t length, uint8_t value, uint8_t outcome, uint32_t steps);

int64_t link_record(const uint8_t *bytes, size_t length, uint8_t value, uint8_t *buffer, size_t size);
int64_t link_read(const uint8_t *bytes, size_t length);

enum { CALLS = 5, RECORD = 496, STACK = 1 << 20, PAINT = 0xa5 };

struct call {
  int what;
  const uint8_t *bytes;
  size_t length;
  int64_t result;
};

static void *work(void *argument) {
  struct call *c = argument;
  int64_t r = 0;
  /* Every value of a fact's lowest bit, greater ones that few domains hold, and unknown. */
  static const uint8_t values[] = {0, 1, 7, 50, 255};
  switch (c->what) {
  case 0: r = link_load(c->bytes, c->length); break;
  case 1: for (size_t i = 0; i < sizeof values; i++) r += link_pick(c->bytes, c->length, values[i]); break;
  case 2: for (size_t i = 0; i < sizeof values; i++) r += link_choose(c->bytes, c->length, values[i]); break;
  case 3:
    for (size_t i = 0; i < sizeof values; i++)
      for (int outcome = 0; outcome < 40; outcome++) r += link_run(c->bytes, c->length, values[i], (uint8_t)outcome, 64);
    break;
  case 4:
    for (size_t i = 0; i < sizeof values; i++) {
      uint8_t record[RECORD + 1];
      if (link_record(c->bytes, c->length, values[i], record, RECORD - 1) != 0) r = -1;
      if (link_record(c->bytes, c->length, values[i], record, sizeof record) == RECORD) {
        /* A record is read back whole, and neither shorter nor with another beginning. */
        if (link_read(record, RECORD) != 1 || link_read(record, RECORD - 1) || link_read(record, RECORD + 1)) r = -1;
        record[0] ^= 1;
        if (link_read(record, RECORD)) r = -1;
        if (r >= 0) r++;
      }
    }
    break;
  }
  c->result = r;
  return NULL;
}

/* Runs a call on a painted stack of its own; how far down the paint is gone. */
static size_t stack_of(struct call *c) {
  static uint8_t *stack;
  if (!stack && posix_memalign((void **)&stack, 4096, STACK)) exit(2);
  memset(stack, PAINT, STACK);
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) || pthread_attr_setstack(&attributes, stack, STACK) ||
      pthread_create(&thread, &attributes, work, c) || pthread_join(thread, NULL))
    exit(2);
  size_t untouched = 0;
  while (untouched < STACK && stack[untouched] == PAINT) untouched++;
  return STACK - untouched;
}

int main(int count, char **arguments) {
  static const char *names[CALLS] = {"load", "pick", "choose", "run", "record"};
  size_t greatest[CALLS] = {0};
  int64_t records = 0;
  int bad = 0;
  /* What a thread that calls nothing touches: thread-local storage and the C library's own frames. */
  struct call nothing = {-1, NULL, 0, 0};
  size_t base = stack_of(&nothing);
  if (count < CALLS + 2) {
    fprintf(stderr, "usage: %s LOAD PICK CHOOSE RUN RECORD TABLE..: the greatest stack of each, in bytes\n", arguments[0]);
    return 2;
  }
  for (int i = CALLS + 1; i < count; i++) {
    FILE *file = fopen(arguments[i], "rb");
    static uint8_t bytes[4 << 20];
    size_t length = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) fclose(file);
    if (link_load(bytes, length) != 1) {
      fprintf(stderr, "%s is no table\n", arguments[i]);
      return 1;
    }
    /* Damage is found and survived, wherever it is, but for the digest: that is for whoever pins a table. */
    for (size_t at = 0; at < length; at += 1 + length / 257) {
      if (at >= 32 && at < 64) continue;
      bytes[at] ^= 0x10;
      if (link_load(bytes, length) != 0 || link_pick(bytes, length, 1) != INT64_MIN) {
        fprintf(stderr, "%s: a bit turned at %zu is not found\n", arguments[i], at);
        return 1;
      }
      bytes[at] ^= 0x10;
    }
    for (int what = 0; what < CALLS; what++) {
      struct call c = {what, bytes, length, 0};
      size_t used = stack_of(&c) - base;
      if (what == 4 && c.result < 0) {
        fprintf(stderr, "%s: a record is not read back as it was written\n", arguments[i]);
        return 1;
      }
      if (what == 4) records += c.result;
      if (used > greatest[what]) greatest[what] = used;
    }
  }
  for (int what = 0; what < CALLS; what++) {
    size_t allowed = strtoul(arguments[1 + what], NULL, 10);
    printf("%-6s touches %6zu bytes of stack, %zu allowed\n", names[what], greatest[what], allowed);
    bad |= greatest[what] > allowed;
  }
  if (records == 0) {
    fprintf(stderr, "no table has a decision on its way: nothing was recorded\n");
    return 1;
  }
  if (bad) fprintf(stderr, "more stack is used than is promised\n");
  return bad;
}
