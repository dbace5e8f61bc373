/* SPDX-License-Identifier: BSD-3-Clause
 * A trace in the formats of other tools: where the output goes, and which part is wanted.
 * A format is one file and one row in export_formats.c. All of them stream: memory does not grow with the trace. */
#ifndef CS_EXPORT_H
#define CS_EXPORT_H

#include "base/file_kind.h"
#include "trace/analyse/args.h"
#include "cli/show/events.h"

/* One export: what is written, from which trace, and how much of it. The verb sets it up; the format's writer moves
 * `view` from rank to rank. */
struct cs_export {
    struct cs_view view; /* of the rank that is being written */
    const char *path;    /* of the trace, for messages */
    const char *out_path;
    FILE *out;        /* NULL for formats that make more than one file */
    int64_t from, to; /* window in ns since MPI_Init; by event number if the trace has no times */
    int64_t limit;    /* at most so many events of each rank */
    int64_t *clock;   /* ns from the first rank's MPI_Init to that of each rank; NULL: times are those of each rank */
    bool force;       /* replace out_path even if it is no file of the format */
    double speed;     /* flop/s that turn computing time into work */
    /* ti: ns that a rank computes before the event, `from` being the site of the event before; NULL: as recorded */
    double (*computation)(void *arg, int rank, int from, const struct cs_event *e);
    void *arg;
    int64_t inexact; /* operations that the format or the trace cannot tell exactly; the writer says what */
};

/* A format: a row of the table in export_formats.c. */
struct cs_format {
    const char *name;
    const struct cs_file_kind *kind;   /* of its file; NULL: it makes many files, and writes them itself */
    bool one_clock;                    /* times of all ranks are put together by their clocks */
    bool whole;                        /* makes no sense in part: refuses a window or a limit */
    int (*write)(struct cs_export *x); /* 0, or -1 after a message */
    const char *inexact; /* what x->inexact counts, as it follows the number in a message; NULL: nothing */
};

/* A GOAL schedule, which predict writes, too. */
extern const struct cs_file_kind cs_goal_kind;

/* The format of this name, or NULL. */
const struct cs_format *cs_export_format(const char *name);
/* Writes the trace x->path in a format; the other members of x are set, but view and out. An exit code, after a message
 * if it is none of success. */
int cs_export_trace(struct cs_export *x, const struct cs_format *f);

#endif
