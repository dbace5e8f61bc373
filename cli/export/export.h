/* SPDX-License-Identifier: BSD-3-Clause
 * What the writers of other tools' formats share: the trace, where the output goes, and which part is wanted.
 * A format is one file and one row in export.c. All of them stream: memory does not grow with the trace. */
#ifndef CS_EXPORT_H
#define CS_EXPORT_H

#include "trace/analyse/args.h"
#include "cli/show/events.h"

struct cs_export {
    struct cs_view view; /* of the rank that is being written */
    const char *path;    /* of the trace, for messages */
    const char *out_path;
    FILE *out;        /* NULL for formats that make more than one file */
    int64_t from, to; /* window in ns since MPI_Init; by event number if the trace has no times */
    int64_t limit;    /* at most so many events of each rank */
    double speed;     /* flop/s that turn computing time into work */
    int64_t inexact;  /* operations that the format or the trace cannot tell exactly; the writer says what */
};

struct cs_format {
    const char *name;
    bool many_files;                   /* writes its files itself */
    bool whole;                        /* makes no sense in part: refuses a window or a limit */
    int (*write)(struct cs_export *x); /* 0, or -1 after a message */
    const char *inexact;               /* what x->inexact counts, "%lld ..." */
};

int cs_export_csv(struct cs_export *x);
int cs_export_chrome(struct cs_export *x);
int cs_export_ti(struct cs_export *x);
int cs_export_otf2(struct cs_export *x);

/* When an event began and how long it took, in ns; without times its number and one. */
int64_t cs_export_enter(const struct cs_export *x, const struct cs_event *e, int64_t index);
int64_t cs_export_exit(const struct cs_export *x, const struct cs_event *e, int64_t index);

/* Calls fn for each event of rank x->view.rank inside the window, with its number. Prints the error of a damaged trace.
 * 0 or -1. */
int cs_export_rank(struct cs_export *x,
                   int (*fn)(struct cs_export *x, const struct cs_event *e, int64_t index, void *arg), void *arg);

#endif
