/* SPDX-License-Identifier: BSD-3-Clause
 * A run as one page, as figures in JSON, and as pictures: everything is computed first, then written in any of these
 * forms. */
#ifndef CS_REPORT_H
#define CS_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/file_kind.h"

struct cs_report;
struct cs_prediction_way;

/* How the run is predicted, and the traces of other runs of it, which give its parts formulas. `size`: the sizes of the
 * problem, first of this run, then of each other one; NULL: not given. */
struct cs_report_way {
    const struct cs_prediction_way *way;
    int nothers;
    char **other;
    const long *size;
};

/* Reads the trace, which may be merged or folded, and computes all that a report has. `partial`: of a trace that is cut
 * or lacks ranks, take what is there; it is refused otherwise. `way`: also predict how long the run takes, by a model;
 * NULL: do not. NULL after a message. */
struct cs_report *cs_report_make(const char *path, bool partial, const struct cs_report_way *way);
void cs_report_free(struct cs_report *r);

/* The page, as a file. */
extern const struct cs_file_kind cs_report_page;
/* To a stream; the caller looks for errors of the stream. */
void cs_report_html(FILE *out, const struct cs_report *r);
void cs_report_json(FILE *out, const struct cs_report *r);
/* May cs_report_pictures write into this folder? Not over a file that it did not write, unless `force` says so. 0, or
 * CS_EXIT_ERROR after a message. */
int cs_report_pictures_check(const char *folder, bool force);
/* PNG and CSV of each picture into a folder, which is made. 0, or -1 after a message. */
int cs_report_pictures(const struct cs_report *r, const char *folder);

#endif
