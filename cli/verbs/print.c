/* SPDX-License-Identifier: BSD-3-Clause
 * commslice print: a trace as lines that a person can read, or as JSON lines.
 * Streams; memory does not grow with the trace. */
#include <inttypes.h>
#include <limits.h>

#include "cli/frame/cli.h"
#include "cli/show/open_trace.h"
#include "cli/show/events.h"
#include "cli/show/print_nest.h"

/* What the user asked for. */
struct options {
    long rank; /* -1: all */
    long limit;
    bool json;
};

static void print_line(const struct cs_view *v, const struct cs_event *e, int64_t index, const struct options *o)
{
    if (o->json) {
        struct cs_json j = {.out = stdout};
        cs_json_open(&j, NULL, '{');
        cs_json_int(&j, "rank", v->rank);
        cs_json_int(&j, "index", index);
        cs_event_json(&j, v, e);
        cs_json_close(&j, '}');
        cs_json_end(&j);
        return;
    }
    printf("%d:%" PRId64 " ", v->rank, index);
    if (cs_trace_info(v->t)->with_times)
        printf("%.9f+%.9f ", (double)e->t_enter * 1e-9, (double)(e->t_exit - e->t_enter) * 1e-9);
    cs_event_print(stdout, v, e);
    putchar('\n');
}

static int print_rank(const struct cs_view *v, const char *path, const struct options *o)
{
    struct cs_trace_iter *it = cs_trace_iter_open(v->t, v->rank);
    struct cs_event e;
    int rc = 0;
    if (!it)
        return cs_error("not enough memory");
    for (int64_t i = 0; i < o->limit && !ferror(stdout) && (rc = cs_trace_iter_next(it, &e)) == 1; i++)
        print_line(v, &e, i, o);
    if (rc < 0)
        cs_error("%s: damaged: %s", path, cs_trace_iter_error(it));
    cs_trace_iter_free(it);
    enum cs_rank_state state = cs_trace_rank_state(v->t, v->rank);
    if (rc == 0 && state != CS_RANK_COMPLETE && !o->json)
        printf("%d: the trace of this rank %s\n", v->rank,
               state != CS_RANK_CUT    ? "is missing"
               : cs_trace_failed(v->t) ? "ends here, and the run failed"
                                       : "was cut here");
    return rc < 0 ? CS_EXIT_ERROR : CS_EXIT_OK;
}

static int print_trace(const char *path, const struct options *o)
{
    int code = CS_EXIT_OK;
    struct cs_trace *t = cs_open_trace(path);
    if (!t)
        return CS_EXIT_ERROR;
    int nranks = cs_trace_info(t)->nranks;
    struct cs_view v = {.t = t, .places = cs_locations_new()};
    if (o->rank >= nranks)
        code = cs_error("%s: no rank %ld, the run had ranks 0 to %d", path, o->rank, nranks - 1);
    for (v.rank = 0; v.rank < nranks && code == CS_EXIT_OK; v.rank++)
        if (o->rank < 0 || o->rank == v.rank)
            code = print_rank(&v, path, o);
    cs_locations_free(v.places);
    cs_trace_free(t);
    return cs_finish_output(code);
}

static int print_merged(const char *path)
{
    char why[256];
    struct cs_merged *m = cs_merged_open(path, why, sizeof why);
    if (!m)
        return cs_error("%s: %s", path, why);
    struct cs_locations *places = cs_locations_new();
    cs_locations_fill(places, m->site, m->nsites);
    cs_print_nest(stdout, m);
    cs_merged_free(m);
    cs_locations_free(places);
    return cs_finish_output(CS_EXIT_OK);
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {{"rank", required_argument, NULL, 'r'},
                                          {"limit", required_argument, NULL, 'l'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    struct options o = {.rank = -1, .limit = LONG_MAX};
    int c, code;
    while ((c = cs_getopt(v, argc, argv, ":r:l:h", longs, &code)) >= 0) {
        if (c == 'r' && !cs_parse_number(optarg, 0, INT_MAX, &o.rank))
            return cs_usage_error(v, "--rank %s is no rank", optarg);
        if (c == 'l' && !cs_parse_number(optarg, 0, LONG_MAX, &o.limit))
            return cs_usage_error(v, "--limit %s is no number of events", optarg);
        o.json |= c == 'j';
    }
    if (c == CS_OPT_DONE)
        return code;
    if (argc - optind != 1)
        return cs_usage_error(v, "give one trace");
    /* A nest is shown as it is, unless events are asked for. */
    bool events = o.rank >= 0 || o.limit != LONG_MAX || o.json;
    return !events && cs_merged_is(argv[optind]) ? print_merged(argv[optind]) : print_trace(argv[optind], &o);
}

const struct cs_verb cs_verb_print = {
    .name = "print",
    .summary = "show the events of a trace",
    .run = run,
    .usage = "usage: commslice print [--rank R] [--limit N] [--json] TRACE\n\n"
             "Prints one event a line: rank:index, entry time + duration in seconds if the trace has times, call, "
             "arguments, call site.\n"
             "Of a merged or folded trace, shows the classes of ranks and the loop nest: me is the rank in the call's "
             "communicator,\n"
             "'one of' lists calls that alternate between iterations.\n\n"
             "  -r, --rank R    only this rank\n"
             "  -l, --limit N   at most N events of each rank\n"
             "      --json      one JSON object a line\n",
};
