/* SPDX-License-Identifier: BSD-3-Clause
 * Makes the file of a skeleton from a trace or its merged form, for `commslice skeleton` and `commslice predict`.
 * The file appears whole or not at all, and replaces nothing but a skeleton or an empty file, unless forced to. */
#ifndef CS_MAKE_SKELETON_H
#define CS_MAKE_SKELETON_H

#include "skeleton/skeleton.h"

/* A skeleton to make; the last two members are what came of it. */
struct cs_make_skeleton {
    const char *input, *out;
    int64_t scale;
    bool force; /* K may be larger than any trip count, and any file may be replaced */
    bool no_work;
    bool means;          /* gaps are as long as their mean: no lists of gaps */
    const char *times;   /* a trace with times of another run of the program; NULL: the input's own */
    bool per_rank;       /* computation that `times` gives stays the same on every rank, else in sum over all ranks */
    double work_rate;    /* of the machine of the recording, in turns a second; 0: measured here */
    const char *program; /* name in its messages */
    /* results */
    struct cs_skeleton_report report;
    int nranks;
};

/* CS_EXIT_OK, or prints the reason. */
int cs_make_skeleton(struct cs_make_skeleton *k);
/* The value of --work-rate, in turns a second; false if the text is no rate. */
bool cs_parse_work_rate(const char *text, double *rate);

#endif
