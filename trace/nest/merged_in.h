/* SPDX-License-Identifier: BSD-3-Clause
 * What the parts of the merged form's reader share: the position in the file, and the functions that take numbers and
 * strings from there. Private to trace/nest/merged_read*.c. Functions that fail return -1 and say why in `what`. */
#ifndef CS_MERGED_IN_H
#define CS_MERGED_IN_H

#include "trace/format/bytes.h"
#include "trace/nest/nest.h"

/* A merged form while it is read: m has what has come so far. */
struct cs_merged_in {
    struct cs_cursor c;
    struct cs_merged *m;
    uint64_t tables;  /* entries of all tables of values so far */
    bool counts;      /* loops may have a cycle of counts */
    const char *what; /* what is wrong with the file; NULL after a failure: no memory */
};

/* Sets `what`; returns -1. */
int cs_in_bad(struct cs_merged_in *in, const char *what);
/* The next number; signed ones are stored zigzag. A number that is cut off or too large makes in->c bad. */
uint64_t cs_in_get(struct cs_merged_in *in);
int64_t cs_in_signed(struct cs_merged_in *in);
/* A number that must be `max` or INT32_MAX at most. */
int cs_in_below(struct cs_merged_in *in, uint64_t max);
/* A number of entries that follow. As each takes a byte at least, it must not exceed the bytes that are left. */
int cs_in_number(struct cs_merged_in *in);
/* *out gets the next string, which m's pool owns, or NULL. 0, or -1: no memory. */
int cs_in_string(struct cs_merged_in *in, const char **out);

/* Sections of the file, in their order. */
int cs_in_definitions(struct cs_merged_in *in);
int cs_in_classes(struct cs_merged_in *in);
int cs_in_records(struct cs_merged_in *in);
int cs_in_symbols(struct cs_merged_in *in);

#endif
