/* SPDX-License-Identifier: BSD-3-Clause
 * Sample runs for the tests of trace/: event k of rank r is a fixed function of (r, k), so that whatever a
 * reader returns can be checked without keeping a copy. */
#ifndef CS_TRACE_SAMPLE_H
#define CS_TRACE_SAMPLE_H

#include <stdint.h>

#include "../../trace/trace.h"

#define SAMPLE_FIELDS 1200

uint64_t sample_mix(uint64_t x); /* a good 64-bit scrambler (splitmix64) */

struct sample {
    int nranks;
    long nevents; /* per rank */
    bool with_times;
    uint64_t variety; /* how many different events there are */
    long flush_every; /* 0: only when the writer wants to */
    bool apart;       /* ranks are not joined into classes when the run has ended */
};

/* Fills *e, with its fields in buf. */
void sample_event(const struct sample *s, int rank, long k, struct cs_event *e, int64_t buf[SAMPLE_FIELDS]);
void sample_info(const struct sample *s, struct cs_run_info *info);
/* A writer with the sample's definitions made; NULL and errno on error. */
struct cs_trace_writer *sample_writer(const struct sample *s, const char *path, int rank);
/* The same for a writer that is there already (or NULL). */
struct cs_trace_writer *sample_define(const struct sample *s, struct cs_trace_writer *w);
/* Writes the whole run, the ranks taking turns event by event. 0, or -1 and errno. */
int sample_write(const struct sample *s, const char *path);

/* Reads the file and compares it with the sample. Returns the events read of all ranks, -1 if a reader reported an
 * error (open or iteration), -2 with a line on stderr if anything it returned is wrong. A complete rank must have all
 * its events, any other a prefix of them. */
long sample_check(const struct sample *s, const char *path);

#endif
