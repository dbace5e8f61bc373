/* SPDX-License-Identifier: BSD-3-Clause
 * What the parts of libcommslice share: the open file, and events and places as commslice.h has them.
 * Private to reading/; commslice.h has the way in. */
#ifndef CS_READER_H
#define CS_READER_H

#include "reading/commslice.h"
#include "reading/locations.h"
#include "trace/nest/nest.h"
#include "trace/trace.h"

/* An open trace: t or m is set. `made` is of t, when somebody has asked for its nest or classes; it owns names that
 * were given out. */
struct cs_reader {
    struct cs_trace *t;
    struct cs_merged *m;
    struct cs_merged *made;
    struct cs_locations *places;
};

/* A stream of one rank: it or w is set. */
struct cs_reader_stream {
    const struct cs_reader *r;
    int rank;
    bool unroll;
    struct cs_trace_iter *it;
    struct cs_merged_walk *w;
    int64_t *persistent; /* of each persistent request, in order of creation: bytes that a start of it sends */
    size_t npersistent, persistent_cap;
    const char *error;
};

/* The error of a stream that is not unrolled, of a loop whose turns differ in the numbers of what they make. */
extern const char cs_loop_makes_requests[];

const struct cs_run_info *cs_reader_info(const struct cs_reader *r);
/* The site with a number in the tables of m; NULL: not known. */
const struct cs_site *cs_merged_site(const struct cs_merged *m, int site);
/* Fills in file, function and line. */
void cs_reader_place(const struct cs_reader *r, const struct cs_site *site, struct cs_reader_event *out);
/* The folded form: m, or one made of t, which the reader keeps. NULL and a reason. */
const struct cs_merged *cs_reader_merged(struct cs_reader *r, char *why, size_t whylen);

#endif
