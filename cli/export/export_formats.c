/* SPDX-License-Identifier: BSD-3-Clause
 * The formats, each a row of the table below, and how a trace is written in one of them. */
#include <inttypes.h>
#include <string.h>

#include "cli/export/export_internal.h"
#include "cli/frame/cli.h"
#include "cli/frame/output.h"
#include "cli/show/open_trace.h"

static const struct cs_format formats[] = {
    {"csv", &cs_csv_kind, false, cs_export_csv, NULL},
    {"chrome", &cs_chrome_kind, false, cs_export_chrome, NULL},
    {"ti", NULL, true, cs_export_ti,
     "operations that a time-independent trace cannot say exactly (see commslice-export(1))"},
    {"otf2", NULL, false, cs_export_otf2,
     "completions, partners or collectives that the trace or OTF2 has no words for were left out"},
    {"goal", &cs_goal_kind, true, cs_export_goal,
     "calls that a schedule has no words for wait for nothing in it: polls (MPI_Test), collectives of neighbours and "
     "intercommunicators"},
    {"prv", NULL, false, cs_export_prv,
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

int cs_export_trace(struct cs_export *x, const struct cs_format *f)
{
    struct cs_trace *t = cs_open_trace(x->path);
    if (!t)
        return CS_EXIT_ERROR;
    x->view = (struct cs_view){.t = t, .places = cs_locations_new()};
    int code = check_complete(t, x->path, f);
    if (code == CS_EXIT_OK && write_all(x, f) != 0)
        code = CS_EXIT_ERROR;
    cs_progress_end();
    if (x->inexact && code == CS_EXIT_OK)
        cs_note("note: %" PRId64 " %s", x->inexact, f->inexact);
    cs_locations_free(x->view.places);
    cs_trace_free(t);
    return code;
}
