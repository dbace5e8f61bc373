/* SPDX-License-Identifier: BSD-3-Clause
 * commslice export: a trace in the formats of other tools; see cli/export/export.h. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "cli/export/export.h"
#include "cli/frame/cli.h"
#include "cli/frame/json.h"

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
        return cs_usage_error(v, "give the format with -f: csv, chrome, ti, otf2, goal or prv");
    if (!f)
        return cs_usage_error(v, "no format %s; there are csv, chrome, ti, otf2, goal and prv", name);
    if (!f->kind && !x->out_path)
        return cs_usage_error(v, "%s makes more than one file: give a name with -o", name);
    if (f->whole && part)
        return cs_usage_error(v, "%s is only of use as a whole: no --from, --to or --limit", name);
    if (x->from > x->to)
        return cs_usage_error(v, "--from is after --to");
    return 0;
}

static int print_json(const struct cs_export *x, const struct cs_format *f)
{
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_json_string(&j, "trace", x->path);
    cs_json_string(&j, "format", f->name);
    cs_json_string(&j, "output", x->out_path);
    cs_json_int(&j, "inexact", x->inexact);
    cs_json_string(&j, "inexact_are", f->inexact);
    cs_json_close(&j, '}');
    cs_json_end(&j);
    return cs_finish_output(CS_EXIT_OK);
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {
        {"format", required_argument, NULL, 'f'}, {"output", required_argument, NULL, 'o'},
        {"from", required_argument, NULL, 'F'},   {"to", required_argument, NULL, 'T'},
        {"limit", required_argument, NULL, 'l'},  {"speed", required_argument, NULL, 's'},
        {"force", no_argument, NULL, 'r'},        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},         {0}};
    struct cs_export x = {.to = INT64_MAX, .limit = INT64_MAX, .speed = 1e9};
    const char *name = NULL;
    bool part = false, json = false;
    int c, code;
    long limit;
    while ((c = cs_getopt(v, argc, argv, ":f:o:l:h", longs, &code)) >= 0) {
        x.force |= c == 'r';
        json |= c == 'j';
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
    const struct cs_format *f = cs_export_format(name);
    if (argc - optind != 1)
        return cs_usage_error(v, "give one trace");
    if ((code = check(v, &x, f, name, part)) != 0)
        return code;
    if (json && !x.out_path)
        return cs_usage_error(v, "--json says what was written: give a name with -o");
    x.path = argv[optind];
    code = cs_export_trace(&x, f);
    return json && code == CS_EXIT_OK ? print_json(&x, f) : code;
}

const struct cs_verb cs_verb_export = {
    .name = "export",
    .summary = "write a trace in another tool's format",
    .run = run,
    .usage =
        "usage: commslice export -f FORMAT [-o OUT] [--from S] [--to S] [--limit N] [--speed F] [--force] "
        "[--json] TRACE\n\n"
        "Formats:\n"
        "  csv      one line an event\n"
        "  chrome   JSON for Perfetto and chrome://tracing, one row a rank\n"
        "  ti       time-independent trace for SimGrid, and a platform on which it can be played at once\n"
        "  otf2     folder OUT for Vampir, ViTE and otf2-print\n"
        "  goal     schedule for LogGOPSim and ATLAHS; memory grows with the trace\n"
        "  prv      OUT.prv, OUT.pcf and OUT.row for Paraver\n"
        "  -f, --format FORMAT  one of these\n"
        "  -o, --output OUT     file or folder; csv, chrome and goal go to standard output if not given\n"
        "      --from S, --to S only what happens between these seconds since MPI_Init (traces without times: an event "
        "is one ns)\n"
        "  -l, --limit N        at most N events of each rank\n"
        "      --speed F        ti: flop/s that turn recorded computing time into work, 1e9 by default\n"
        "      --json           what was written where, as one JSON object; with -o\n"
        "      --force          replace files that commslice export did not write, too\n",
};
