/* SPDX-License-Identifier: BSD-3-Clause
 * commslice fit: makes a model file of small runs of the original, which were recorded with times and counters. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/frame/json.h"
#include "cli/frame/output.h"
#include "cli/frame/text.h"
#include "cli/predict/machine_caches.h"
#include "cli/show/extrap_text.h"
#include "cli/show/open_trace.h"
#include "cli/show/segment_table.h"
#include "cli/show/whole_text.h"
#include "predict/methods/segments_method.h"
#include "predict/model/model_file.h"

static const struct cs_file_kind model_kind = {"a model of commslice fit", "commslice-model ",
                                               sizeof "commslice-model " - 1};

static int observe(struct cs_observations *o, const char *path)
{
    char why[512];
    struct cs_trace *t = cs_open_trace(path);
    if (!t)
        return -1;
    int rc = 0;
    if (!cs_trace_info(t)->with_times)
        rc = cs_error("%s: has no times: record the original without --no-times", path);
    else if (cs_observe(o, t, path, why, sizeof why))
        rc = cs_error("%s: %s", path, why);
    cs_trace_free(t);
    return rc ? -1 : 0;
}

static int write_model(const struct cs_observations *o, const char *path)
{
    struct cs_output out;
    if (cs_output_open(&out, path))
        return -1;
    cs_model_write(o, out.f);
    return cs_output_close(&out, true);
}

/* Of all computation in the run with most ranks, each segment's share. */
static int shares(const struct cs_observations *o, struct cs_segment_line *line)
{
    int largest = 0;
    double all = 0;
    for (int i = 1; i < o->nruns; i++)
        largest = o->run[i].nranks > o->run[largest].nranks ? i : largest;
    for (int i = 0; i < o->nsegments; i++) {
        line[i] = (struct cs_segment_line){.segment = i, .after = -1, .outside = 1};
        for (int k = 0; k < o->segment[i].nrows; k++)
            if (o->segment[i].row[k].run == largest)
                line[i].before += o->segment[i].row[k].ns * o->segment[i].row[k].times;
        all += line[i].before;
    }
    for (int i = 0; i < o->nsegments && all > 0; i++)
        line[i].before /= all;
    return 0;
}

/* Begins the object that says what was fitted. */
static void open_json(struct cs_json *j, const struct cs_observations *o, const char *model, int uncounted)
{
    cs_json_open(j, NULL, '{');
    cs_json_string(j, "model", model);
    cs_json_string(j, "method", cs_method_name(o->method));
    cs_json_int(j, "runs", o->nruns);
    cs_json_int(j, "counters", o->ncounters);
    cs_json_int(j, "counters_not_known", uncounted);
}

static int say(const struct cs_observations *o, const char *model, bool json)
{
    struct cs_segments_model m;
    struct cs_segment_line *line = calloc((size_t)o->nsegments + 1, sizeof *line);
    int checked = 0, uncounted = 0;
    if (!line || cs_segments_fit(o, &m)) {
        free(line);
        return cs_error(errno == EDOM ? "the times have no least squares" : "not enough memory");
    }
    shares(o, line);
    for (int i = 0; i < m.n; i++)
        checked += m.fit[i].checked >= 0;
    for (int i = 0; i < o->ncounters; i++)
        uncounted += !o->counter[i].counted;
    if (json) {
        struct cs_json j = {.out = stdout};
        open_json(&j, o, model, uncounted);
        cs_json_bool(&j, "checked", checked > 0);
        cs_segments_json(&j, o, &m, line, o->nsegments);
        cs_json_close(&j, '}');
        cs_json_end(&j);
    } else {
        cs_print_segments(o, &m, line, o->nsegments);
    }
    if (!json && !checked)
        puts("there is one run only: nothing says how well others are predicted");
    if (!json && uncounted)
        printf("%d of %d counters are not known in all runs, and are left out\n", uncounted, o->ncounters);
    free(line);
    cs_segments_free(&m);
    return cs_finish_output(CS_EXIT_OK);
}

/* A method that knows runs as a whole. */
static int say_whole(const struct cs_observations *o, const char *model, bool json)
{
    struct cs_whole_answer a;
    cs_whole_ask(o, o->method, -1, &a);
    if (!a.known)
        return cs_error("%s: %s", cs_method_name(o->method), a.formula);
    if (json) {
        struct cs_json j = {.out = stdout};
        open_json(&j, o, model, 0);
        cs_json_bool(&j, "checked", a.error >= 0);
        if (a.error >= 0)
            cs_json_real(&j, "error", a.error);
        cs_json_string(&j, "time", a.formula);
        cs_json_close(&j, '}');
        cs_json_end(&j);
        return cs_finish_output(CS_EXIT_OK);
    }
    cs_print_plain(stdout, "time = %s", a.formula);
    if (a.error >= 0)
        printf("off by %.1f %% on runs that are left out in turn\n", 100 * a.error);
    else
        puts("there are too few runs: nothing says how well others are predicted");
    return cs_finish_output(CS_EXIT_OK);
}

/* Gives the runs the sizes of the list. 0, or an exit code after a message. */
static int set_sizes(struct cs_observations *o, const char *list)
{
    const char *at = list;
    for (int i = 0; i < o->nruns; i++) {
        char *end;
        double size = strtod(at, &end);
        if (end == at || !(size > 0) || !isfinite(size) || *end != (i + 1 < o->nruns ? ',' : 0))
            return cs_error("--sizes %s: give one number above 0 for each of %d traces, with commas between", list,
                            o->nruns);
        o->run[i].size = size;
        at = end + 1;
    }
    return CS_EXIT_OK;
}

/* What is asked beside the method. */
struct fitting {
    const char *out, *sizes, *caches, *extrap;
    bool force, json;
};

static const struct cs_file_kind extrap_kind = {"input for Extra-P of commslice", CS_EXTRAP_BEGINS,
                                                sizeof CS_EXTRAP_BEGINS - 1};

static int write_extrap(const struct cs_observations *o, const char *path)
{
    char why[512];
    struct cs_output out;
    if (cs_output_open(&out, path))
        return -1;
    int rc = cs_extrap_write(o, out.f, why, sizeof why);
    if (rc)
        cs_error("%s: %s", path, why);
    return cs_output_close(&out, rc == 0) ? -1 : rc;
}

static int fit(struct cs_observations *o, const struct fitting *g, char **trace, int n)
{
    int code = CS_EXIT_OK;
    for (int i = 0; i < n && !code; i++) {
        code = cs_output_check(g->out, trace[i], &model_kind, g->force);
        if (!code && g->extrap)
            code = cs_output_check(g->extrap, trace[i], &extrap_kind, g->force);
    }
    for (int i = 0; i < n && !code; i++)
        code = observe(o, trace[i]) ? CS_EXIT_ERROR : CS_EXIT_OK;
    cs_observed_join_replays(o);
    if (!code && g->sizes)
        code = set_sizes(o, g->sizes);
    if (!code && g->caches)
        code = cs_caches_parse(o, g->caches);
    else if (!code)
        cs_caches_of_machine(o);
    if (!code && ((g->extrap && write_extrap(o, g->extrap)) || write_model(o, g->out)))
        code = CS_EXIT_ERROR;
    if (code)
        return code;
    return o->method == CS_METHOD_SEGMENTS ? say(o, g->out, g->json) : say_whole(o, g->out, g->json);
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {{"output", required_argument, NULL, 'o'},
                                          {"method", required_argument, NULL, 'm'},
                                          {"sizes", required_argument, NULL, 's'},
                                          {"caches", required_argument, NULL, 'c'},
                                          {"extra-p", required_argument, NULL, 'e'},
                                          {"force", no_argument, NULL, 'f'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    struct fitting g = {0};
    struct cs_observations o = {0};
    int c, code;
    while ((c = cs_getopt(v, argc, argv, "o:h", longs, &code)) >= 0) {
        if (c == 'o')
            g.out = optarg;
        if (c == 's')
            g.sizes = optarg;
        if (c == 'c')
            g.caches = optarg;
        if (c == 'e')
            g.extrap = optarg;
        if (c == 'm' && (o.method = cs_method_find(optarg)) == CS_METHODS)
            return cs_usage_error(v, "--method %s: there are segments, counters and analytic", optarg);
        g.force |= c == 'f';
        g.json |= c == 'j';
    }
    if (c == CS_OPT_DONE)
        return code;
    if (!g.out || optind == argc)
        return cs_usage_error(v, g.out ? "give the traces of small runs" : "give the model file, -o MODEL");
    code = fit(&o, &g, argv + optind, argc - optind);
    cs_observations_free(&o);
    return code;
}

const struct cs_verb cs_verb_fit = {
    .name = "fit",
    .summary = "learn from small runs what computation costs",
    .run = run,
    .usage =
        "usage: commslice fit -o MODEL [--method M] [--sizes N,...] [--caches SIZE,...] [--extra-p FILE]\n"
        "                     [--force] TRACE...\n"
        "\n"
        "Learns from recorded runs of the original, with times and counters, what each piece of computation\n"
        "between two MPI calls costs for each turn of its loops, and writes a model file. commslice predict\n"
        "--model MODEL TRACE then predicts a run of the slice of any size. Give runs of several sizes, such that\n"
        "what one rank computes there brackets what it computes in the run to be predicted; all on one machine.\n"
        "\n"
        "  -o, --output MODEL  where the model goes\n"
        "      --method M      what predict takes if it is given no other: segments (one formula for each piece of\n"
        "                      computation, and a simulated network); of whole runs, network and all: counters\n"
        "                      (the few counters that matter most), analytic (size and number of ranks)\n"
        "      --sizes N,...   the size of the problem in each trace, for analytic; if not given, it is the turns of\n"
        "                      all loops\n"
        "      --caches SIZE,...  what a core can count on of each cache of the machine that was measured, as in\n"
        "                      32KiB,512KiB,8MiB, or none; if not given, that of this machine\n"
        "      --json          what is printed, as one JSON object\n"
        "      --force         replace MODEL even if it is no model\n"
        "\n"
        "Prints a line for each piece: its share of all computation in the run with most ranks, the error (on\n"
        "runs that are left out in turn), from where to where, and the formula.\n",
};
