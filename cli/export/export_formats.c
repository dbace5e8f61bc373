/* SPDX-License-Identifier: BSD-3-Clause
 * The formats, each a row of the table below, and how a trace is written in one of them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/export/export_internal.h"
#include "cli/frame/cli.h"
#include "cli/frame/output.h"
#include "cli/show/open_trace.h"

static const struct cs_format formats[] = {
    {"csv", &cs_csv_kind, false, false, cs_export_csv, NULL},
    {"chrome", &cs_chrome_kind, true, false, cs_export_chrome, NULL},
    {"ti", NULL, false, true, cs_export_ti,
     "operations that a time-independent trace cannot say exactly (see commslice-export(1))"},
    {"otf2", NULL, true, false, cs_export_otf2,
     "completions, partners or collectives that the trace or OTF2 has no words for were left out"},
    {"goal", &cs_goal_kind, false, true, cs_export_goal,
     "calls that a schedule has no words for wait for nothing in it: polls (MPI_Test), collectives of neighbours and "
     "intercommunicators"},
    {"prv", NULL, true, false, cs_export_prv,
     "messages or requests of which the trace does not say with whom, or until when: the first that fits was taken, or "
     "none"},
};
#define NFORMATS (sizeof formats / sizeof *formats)

const struct cs_format *cs_export_format(const char *name)
{
    for (size_t i = 0; name && i < NFORMATS; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

/* Says so if ranks lack something; an error where the format needs all of them. */
static int check_complete(const struct cs_trace *t, const char *path, const struct cs_format *f)
{
    int bad = 0, n = cs_trace_info(t)->nranks;
    for (int r = 0; r < n; r++)
        bad += cs_trace_rank_state(t, r) != CS_RANK_COMPLETE;
    if (bad && f->whole)
        return cs_error(
            "%s: %d of %d ranks are cut or missing; %s needs all ranks from MPI_Init to MPI_Finalize: record again",
            path, bad, n, f->name);
    if (bad)
        cs_note("warning: %s: %d of %d ranks are cut or missing", path, bad, n);
    return CS_EXIT_OK;
}

/* Into a file, onto standard output, or wherever a format of many files puts them. 0, or -1 after a message. */
static int write_all(struct cs_export *x, const struct cs_format *f)
{
    struct cs_output out;
    if (!f->kind)
        return f->write(x);
    x->out = stdout;
    if (!x->out_path)
        return f->write(x) ? -1 : cs_finish_output(0);
    if (cs_output_check(x->out_path, x->path, f->kind, x->force) || cs_output_open(&out, x->out_path))
        return -1;
    x->out = out.f;
    int rc = f->write(x);
    cs_progress_end();
    return cs_output_close(&out, rc == 0);
}

/* What the rank's clock showed at its MPI_Init; -1: it has none; -2 after a message. */
static int64_t clock_of(const struct cs_export *x, int rank)
{
    struct cs_trace_iter *it = cs_trace_iter_open(x->view.t, rank);
    struct cs_event e;
    int rc = it ? cs_trace_iter_next(it, &e) : -2;
    int64_t clock = rc == 1 ? cs_trace_iter_clock(it) : -1;
    if (rc == -1)
        cs_error("%s: damaged: %s", x->path, cs_trace_iter_error(it));
    else if (rc == -2)
        cs_error("not enough memory");
    cs_trace_iter_free(it);
    return rc < 0 ? -2 : clock;
}

/* Sets x->clock, if all ranks that have events have a clock. 0, or an exit code after a message. */
static int read_clocks(struct cs_export *x)
{
    int n = cs_trace_info(x->view.t)->nranks;
    int64_t first = INT64_MAX, *clock = malloc((size_t)n * sizeof *clock);
    bool known = true;
    if (!clock)
        return cs_error("not enough memory");
    for (int r = 0; r < n; r++) {
        if ((clock[r] = clock_of(x, r)) == -2) {
            free(clock);
            return CS_EXIT_ERROR;
        }
        known &= clock[r] >= 0 || !cs_trace_nevents(x->view.t, r);
        first = clock[r] >= 0 && clock[r] < first ? clock[r] : first;
    }
    for (int r = 0; r < n; r++)
        clock[r] = clock[r] >= 0 ? clock[r] - first : 0;
    if (known)
        x->clock = clock;
    else
        free(clock);
    return CS_EXIT_OK;
}

int cs_export_trace(struct cs_export *x, const struct cs_format *f)
{
    struct cs_trace *t = cs_open_trace(x->path);
    if (!t)
        return CS_EXIT_ERROR;
    x->view = (struct cs_view){.t = t, .places = cs_locations_new()};
    int code = check_complete(t, x->path, f);
    if (code == CS_EXIT_OK && f->one_clock && cs_trace_info(t)->with_times)
        code = read_clocks(x);
    if (code == CS_EXIT_OK && write_all(x, f) != 0)
        code = CS_EXIT_ERROR;
    cs_progress_end();
    if (x->inexact && code == CS_EXIT_OK)
        cs_note("note: %" PRId64 " %s", x->inexact, f->inexact);
    free(x->clock);
    x->clock = NULL;
    cs_locations_free(x->view.places);
    cs_trace_free(t);
    return code;
}
