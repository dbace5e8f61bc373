/* SPDX-License-Identifier: BSD-3-Clause
 * The segments of a program in words: from where to where, how long they take, by which formula. */
#ifndef CS_SEGMENT_TABLE_H
#define CS_SEGMENT_TABLE_H

#include "predict/methods/segments_method.h"

/* A line of a table of segments. */
struct cs_segment_line {
    int segment;
    double before, after; /* its share of all computation: in the largest run that was measured, and at the target;
                             `after` below 0: there is none */
    double mean;          /* s on the mean rank at the target, if there is one */
    double outside;       /* by what factor the target lies outside of what was measured; 1: inside */
    int outside_counter;
    double beyond;          /* share of all computation that it may take more, for caches that it does not fit in */
    double pieces;          /* how often ranks of the target go through it, if there is one */
    double bytes, measured; /* then: what it goes through again, and what measured pieces go through at most */
};

/* Prints the lines, the largest shares first, those below a per cent in one line together. */
void cs_print_segments(const struct cs_observations *o, const struct cs_segments_model *m, struct cs_segment_line *line,
                       int n);
/* The same as members `segments` of a JSON object: an array with an object each. */
struct cs_json;
void cs_segments_json(struct cs_json *j, const struct cs_observations *o, const struct cs_segments_model *m,
                      const struct cs_segment_line *line, int n);
/* "heat.c:40 -> heat.c:52", with "start" and "end". */
void cs_segment_name(const struct cs_observations *o, int segment, char *buf, size_t len);
/* "35.2 ns + 1.08 ns * loop at heat.c:57". */
void cs_segment_formula(const struct cs_observations *o, const struct cs_segment_fit *f, char *buf, size_t len);

#endif
