/* SPDX-License-Identifier: BSD-3-Clause
 * commslice export: a trace in the formats of other tools.
 * The formats are the rows of the table below; see export.h. */
#define _GNU_SOURCE 1
#include "cli/export/export.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/frame/cli.h"
#include "cli/frame/output.h"

static const struct cs_format formats[] = {
    {"csv", false, false, cs_export_csv, NULL},
    {"chrome", false, false, cs_export_chrome, NULL},
    {"ti", true, true, cs_export_ti,
     "operations that a time-independent trace cannot say exactly (see commslice-export(1))"},
    {"otf2", true, false, cs_export_otf2,
     "completions, partners or collectives that the trace or OTF2 has no words for were left out"},
};
#define NFORMATS (sizeof formats / sizeof *formats)

int64_t cs_export_enter(const struct cs_export *x, const struct cs_event *e, int64_t index)
{
    return cs_trace_info(x->view.t)->with_times ? e->t_enter : index;
}

int64_t cs_export_exit(const struct cs_export *x, const struct cs_event *e, int64_t index)
{
    return cs_trace_info(x->view.t)->with_times ? e->t_exit : index + 1;
}

int cs_export_rank(struct cs_export *x,
                   int (*fn)(struct cs_export *x, const struct cs_event *e, int64_t index, void *arg), void *arg)
{
    struct cs_trace_iter *it = cs_trace_iter_open(x->view.t, x->view.rank);
    struct cs_event e;
    int rc = it ? 1 : -2;
    int64_t written = 0;
    for (int64_t i = 0; rc == 1 && written < x->limit && (rc = cs_trace_iter_next(it, &e)) == 1; i++) {
        if (cs_export_enter(x, &e, i) > x->to)
            break;
        if (cs_export_exit(x, &e, i) < x->from)
            continue;
        written++;
        if (fn(x, &e, i, arg) != 0)
            rc = -3; /* it has said why */
    }
    if (rc == -1)
        cs_error("%s: damaged: %s", x->path, cs_trace_iter_error(it));
    else if (rc == -2)
        cs_error("not enough memory");
    cs_trace_iter_free(it);
    return rc < 0 ? -1 : 0;
}

static const struct cs_format *find_format(const char *name)
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
    if (x->out_path && cs_output_is(x->out_path, x->path))
        return cs_error("%s: is the trace itself; give another -o", x->out_path);
    if (f->many_files)
        return f->write(x);
    x->out = stdout;
    if (!x->out_path)
        return f->write(x) ? -1 : cs_finish_output(0);
    if (cs_output_open(&out, x->out_path))
        return cs_error("%s: %s", x->out_path, strerror(errno));
    x->out = out.f;
    int rc = f->write(x);
    cs_progress_end();
    return cs_output_close(&out, rc == 0);
}

static int export(struct cs_export *x, const struct cs_format *f)
{
    struct cs_trace *t = cs_open_trace(x->path);
    if (!t)
        return CS_EXIT_ERROR;
    x->view = (struct cs_view){.t = t, .places = cs_places_new()};
    int code = check_complete(t, x->path, f);
    if (code == CS_EXIT_OK && write_all(x, f) != 0)
        code = CS_EXIT_ERROR;
    cs_progress_end();
    if (x->inexact && code == CS_EXIT_OK)
        cs_note("note: %" PRId64 " %s", x->inexact, f->inexact);
    cs_places_free(x->view.places);
    cs_trace_free(t);
    return code;
}

/* Seconds of the command line as ns; numbers of events stay what they are. */
static bool parse_moment(const char *text, int64_t *out)
{
    char *end;
    errno = 0;
    double v = strtod(text, &end);
    if (end == text || *end || errno || !(v >= 0) || v > 9e9)
        return false;
    *out = (int64_t)(v * 1e9 + 0.5);
    return true;
}

static bool parse_speed(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && *out > 0 && *out < 1e30;
}

static int check(const struct cs_verb *v, struct cs_export *x, const struct cs_format *f, const char *name, bool part)
{
    if (!name)
        return cs_usage_error(v, "give the format with -f: csv, chrome, ti or otf2");
    if (!f)
        return cs_usage_error(v, "no format %s; there are csv, chrome, ti and otf2", name);
    if (f->many_files && !x->out_path)
        return cs_usage_error(v, "%s makes more than one file: give a name with -o", name);
    if (f->whole && part)
        return cs_usage_error(v, "%s is only of use as a whole: no --from, --to or --limit", name);
    if (x->from > x->to)
        return cs_usage_error(v, "--from is after --to");
    return 0;
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {
        {"format", required_argument, NULL, 'f'}, {"output", required_argument, NULL, 'o'},
        {"from", required_argument, NULL, 'F'},   {"to", required_argument, NULL, 'T'},
        {"limit", required_argument, NULL, 'l'},  {"speed", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},         {0}};
    struct cs_export x = {.to = INT64_MAX, .limit = INT64_MAX, .speed = 1e9};
    const char *name = NULL;
    bool part = false;
    int c, code;
    long limit;
    while ((c = cs_getopt(v, argc, argv, ":f:o:l:h", longs, &code)) >= 0) {
        part |= c == 'F' || c == 'T' || c == 'l';
        if (c == 'f')
            name = optarg;
        if (c == 'o')
            x.out_path = optarg;
        if ((c == 'F' && !parse_moment(optarg, &x.from)) || (c == 'T' && !parse_moment(optarg, &x.to)))
            return cs_usage_error(v, "%s is no time in seconds", optarg);
        if (c == 'l' && !cs_parse_number(optarg, 1, LONG_MAX, &limit))
            return cs_usage_error(v, "--limit %s is no number of events", optarg);
        if (c == 'l')
            x.limit = limit;
        if (c == 's' && !parse_speed(optarg, &x.speed))
            return cs_usage_error(v, "--speed %s is no number of flop/s", optarg);
    }
    if (c == CS_OPT_DONE)
        return code;
    const struct cs_format *f = find_format(name);
    if (argc - optind != 1)
        return cs_usage_error(v, "give one trace");
    if ((code = check(v, &x, f, name, part)) != 0)
        return code;
    x.path = argv[optind];
    return export(&x, f);
}

const struct cs_verb cs_verb_export = {
    .name = "export",
    .summary = "write a trace in another tool's format",
    .run = run,
    .usage =
        "usage: commslice export -f FORMAT [-o OUT] [--from S] [--to S] [--limit N] [--speed F] TRACE\n\n"
        "Formats:\n"
        "  csv      one line an event\n"
        "  chrome   JSON for Perfetto and chrome://tracing, one row a rank\n"
        "  ti       time-independent trace for SimGrid: smpirun -replay OUT\n"
        "  otf2     folder OUT for Vampir, ViTE and otf2-print\n"
        "  -f, --format FORMAT  one of these\n"
        "  -o, --output OUT     file or folder; csv and chrome go to standard output if not given\n"
        "      --from S, --to S only what happens between these seconds since MPI_Init (traces without times: an event "
        "is one ns)\n"
        "  -l, --limit N        at most N events of each rank\n"
        "      --speed F        ti: flop/s that turn recorded computing time into work, 1e9 by default\n",
};
