/* SPDX-License-Identifier: BSD-3-Clause
 * From a trace (or its merged form) to the file of a skeleton: what `commslice skeleton` and `commslice predict` share.
 * The file appears whole or not at all, and takes the place of nothing but an older skeleton. */
#ifndef CS_MAKE_SKELETON_H
#define CS_MAKE_SKELETON_H

#include "skeleton/skeleton.h"

struct cs_make_skeleton {
    const char *input, *out;
    int64_t scale;
    bool force, no_work;
    bool means;        /* gaps of a trace do not vary */
    const char *times; /* a trace with times of another run of the program; NULL: the input's own */
    bool per_rank; /* ... whose computation between two sites is the same on every rank; else the sum over all ranks is
                    */
    double work_rate;    /* of the recorded machine; 0: as this one */
    const char *program; /* name in its messages */
    /* answers */
    struct cs_skeleton_report report;
    int nranks;
};

/* CS_EXIT_OK, or prints the reason. */
int cs_make_skeleton(struct cs_make_skeleton *k);
/* The value of --work-rate, in turns a second; false if the text is no rate. */
bool cs_parse_work_rate(const char *text, double *rate);

#endif
