/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of ranks as arithmetic progressions: nearly every communicator is one or a few of them, so that it costs a rank
 * a few words and not a word for each member. */
#ifndef CS_RANGES_H
#define CS_RANGES_H

/* start, start + stride, ... : len ranks, at least one. The stride may be negative; of a single rank it is 0. */
struct cs_range {
    int start, stride, len;
};

/* The progressions one after the other, as they were added: {0 1 2 3 8 10 12} is {0,1,4} {8,2,3}. range[] has n entries
 * and room for cap, and belongs to the list. All zero is the empty list. */
struct cs_ranges {
    struct cs_range *range;
    int n, cap;
    int total; /* ranks in all */
};

/* Appends one rank, or the ranks start to start + len - 1. 0, or -1 with errno ENOMEM. */
int cs_ranges_add(struct cs_ranges *r, int rank);
int cs_ranges_add_run(struct cs_ranges *r, int start, int len);
/* The rank at place i, -1 if there is none. */
int cs_ranges_at(const struct cs_ranges *r, int i);
/* The place of the rank, -1 if it is not in the list. */
int cs_ranges_find(const struct cs_ranges *r, int rank);
/* Leaves the empty list. */
void cs_ranges_free(struct cs_ranges *r);

#endif
