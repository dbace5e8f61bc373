/* SPDX-License-Identifier: BSD-3-Clause
 * commslice diff: are the sequences of communication calls of two runs the same, on every rank?
 * Shows the first difference of each rank with call sites and what came before and after. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/read/trace_diff.h"
#include "cli/frame/cli.h"
#include "cli/show/open_trace.h"
#include "cli/show/events.h"

#define CONTEXT 3
#define SHOWN_RANKS 8 /* ranks whose difference is shown in full, unless --all */

/* What the user asked for. */
struct options {
    struct cs_diff_rules rules;
    bool json, all;
};

/* What all ranks have in common: events that are the same, counts that differ within the tolerance, and the largest
 * share by which one does. */
struct sums {
    int64_t events, counts_off;
    double largest;
};

/* The two traces, the first and the second of the command line, at the rank that is compared. */
struct pair {
    const char *path[2];
    struct cs_view v[2];
};

/* The trace cannot be read on: says so. */
static int damaged(const struct pair *p, int side, const struct cs_trace_iter *it)
{
    return cs_error("%s: rank %d is damaged: %s", p->path[side], p->v[side].rank, cs_trace_iter_error(it));
}

/* Prints the events [from, to) of a side's rank, each with `sign` in front, and where the rank ends. */
static int print_events(const struct pair *p, int side, char sign, int64_t from, int64_t to)
{
    const struct cs_view *v = &p->v[side];
    struct cs_trace_iter *it = cs_trace_iter_open(v->t, v->rank);
    struct cs_event e;
    int rc = 1;
    if (!it)
        return cs_error("not enough memory");
    for (int64_t i = 0; i < to && (rc = cs_trace_iter_next(it, &e)) == 1; i++) {
        if (i < from)
            continue;
        printf("  %c %" PRId64 " ", sign, i);
        cs_event_print(stdout, v, &e);
        putchar('\n');
    }
    if (rc == 0 && to > cs_trace_nevents(v->t, v->rank))
        printf("  %c %s\n", sign, cs_trace_rank_state(v->t, v->rank) == CS_RANK_COMPLETE ? "(end)" : "(cut)");
    int code = rc < 0 ? damaged(p, side, it) : 0;
    cs_trace_iter_free(it);
    return code;
}

static const char *state_word(const struct cs_view *v)
{
    enum cs_rank_state s = cs_trace_rank_state(v->t, v->rank);
    return s == CS_RANK_COMPLETE ? "complete" : s == CS_RANK_CUT ? "cut" : "missing";
}

static void print_headline(const struct pair *p, const struct cs_diff *d)
{
    printf("rank %d: ", p->v[0].rank);
    switch (d->kind) {
    case CS_DIFF_EVENT: printf("event %" PRId64 " differs: %s\n", d->index, d->what); break;
    case CS_DIFF_A_ENDS:
        printf("%s ends after %" PRId64 " events, %s goes on\n", p->path[0], d->index, p->path[1]);
        break;
    case CS_DIFF_B_ENDS:
        printf("%s ends after %" PRId64 " events, %s goes on\n", p->path[1], d->index, p->path[0]);
        break;
    default:
        printf("same for %" PRId64 " events, but %s is %s and %s is %s\n", d->index, p->path[0], state_word(&p->v[0]),
               p->path[1], state_word(&p->v[1]));
    }
}

static int print_difference(const struct pair *p, const struct cs_diff *d)
{
    print_headline(p, d);
    if (d->kind == CS_DIFF_CUT)
        return 0;
    int64_t from = d->index > CONTEXT ? d->index - CONTEXT : 0, to = d->index + 1 + CONTEXT;
    return print_events(p, 0, ' ', from, d->index) || print_events(p, 0, '-', d->index, to) ||
           print_events(p, 1, '+', d->index, to);
}

/* The event number `index` as a JSON object, or null behind the end. */
static int json_event(struct cs_json *j, const char *key, const struct pair *p, int side, int64_t index)
{
    const struct cs_view *v = &p->v[side];
    struct cs_trace_iter *it = cs_trace_iter_open(v->t, v->rank);
    struct cs_event e;
    int rc = 1;
    if (!it)
        return cs_error("not enough memory");
    for (int64_t i = 0; i <= index && rc == 1; i++)
        rc = cs_trace_iter_next(it, &e);
    if (rc == 1) {
        cs_json_open(j, key, '{');
        cs_event_json(j, v, &e);
        cs_json_close(j, '}');
    } else {
        cs_json_null(j, key);
    }
    int code = rc < 0 ? damaged(p, side, it) : 0;
    cs_trace_iter_free(it);
    return code;
}

static int json_difference(struct cs_json *j, const struct pair *p, const struct cs_diff *d)
{
    static const char *const kind[] = {"same", "event", "first_ends", "second_ends", "cut"};
    cs_json_open(j, NULL, '{');
    cs_json_int(j, "rank", p->v[0].rank);
    cs_json_string(j, "kind", kind[d->kind]);
    cs_json_int(j, "index", d->index);
    cs_json_string(j, "what", d->what);
    int rc = json_event(j, "first", p, 0, d->index) || json_event(j, "second", p, 1, d->index);
    cs_json_close(j, '}');
    return rc;
}

static int other_number_of_ranks(const struct pair *p, int a, int b, const struct options *o)
{
    if (o->json)
        printf("{\"same\":false,\"ranks\":[%d,%d]}\n", a, b);
    else
        printf("%s has %d ranks, %s has %d\n", p->path[0], a, p->path[1], b);
    return CS_EXIT_NOT_SO;
}

static int compare_ranks(struct pair *p, const struct options *o, struct cs_json *j, struct sums *s, int *differing)
{
    int nranks = cs_trace_info(p->v[0].t)->nranks;
    for (int r = 0; r < nranks; r++) {
        cs_progress("comparing", r, nranks);
        struct cs_diff d = cs_diff_rank(p->v[0].t, p->v[1].t, r, &o->rules);
        p->v[0].rank = p->v[1].rank = r;
        s->events += d.index;
        s->counts_off += d.counts_off;
        s->largest = d.largest > s->largest ? d.largest : s->largest;
        if (d.kind == CS_DIFF_ERROR)
            return cs_error("%s, %s: rank %d: %s", p->path[0], p->path[1], r, d.reason);
        if (d.kind == CS_DIFF_SAME)
            continue;
        cs_progress_end();
        int bad = o->json                              ? json_difference(j, p, &d)
                  : o->all || *differing < SHOWN_RANKS ? print_difference(p, &d)
                                                       : 0;
        if (bad)
            return CS_EXIT_ERROR;
        ++*differing;
    }
    cs_progress_end();
    return CS_EXIT_OK;
}

/* The verdict as text. */
static void print_verdict(const struct sums *s, int nranks, int differing, const struct options *o)
{
    if (differing)
        printf("different: %d of %d ranks%s\n", differing, nranks,
               !o->all && differing > SHOWN_RANKS ? " (--all shows every one)" : "");
    else
        printf("same: %" PRId64 " events on %d rank%s\n", s->events, nranks, nranks == 1 ? "" : "s");
    if (s->counts_off)
        printf("%" PRId64 " counts differ, by at most %.3g %%\n", s->counts_off, 100 * s->largest);
}

static int compare(struct pair *p, const struct options *o)
{
    int a = cs_trace_info(p->v[0].t)->nranks, b = cs_trace_info(p->v[1].t)->nranks, differing = 0;
    struct sums s = {0};
    struct cs_json j = {.out = stdout};
    if (a != b)
        return other_number_of_ranks(p, a, b, o);
    if (o->json) {
        cs_json_open(&j, NULL, '{');
        cs_json_open(&j, "differences", '[');
    }
    int code = compare_ranks(p, o, &j, &s, &differing);
    if (o->json) {
        cs_json_close(&j, ']');
        cs_json_bool(&j, "same", code == CS_EXIT_OK && !differing);
        cs_json_int(&j, "ranks", a);
        cs_json_int(&j, "events", s.events);
        if (o->rules.tolerance > 0) {
            cs_json_int(&j, "counts_off", s.counts_off);
            cs_json_int(&j, "largest_difference_ppm", (int64_t)(1e6 * s.largest + 0.5));
        }
        cs_json_close(&j, '}');
        cs_json_end(&j);
    }
    if (code)
        return code;
    if (!o->json)
        print_verdict(&s, a, differing, o);
    return differing ? CS_EXIT_NOT_SO : CS_EXIT_OK;
}

/* A share from 0 to 1. */
static bool parse_share(const char *text, double *share)
{
    char *end;
    *share = strtod(text, &end);
    return end != text && !*end && *share >= 0 && *share <= 1;
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {
        {"allow-cut", no_argument, NULL, 'c'},       {"all", no_argument, NULL, 'a'},  {"json", no_argument, NULL, 'j'},
        {"tolerance", required_argument, NULL, 't'}, {"help", no_argument, NULL, 'h'}, {0}};
    struct options o = {0};
    int c, code;
    while ((c = cs_getopt(v, argc, argv, ":ah", longs, &code)) >= 0) {
        o.rules.allow_cut |= c == 'c';
        o.all |= c == 'a';
        o.json |= c == 'j';
        if (c == 't' && !parse_share(optarg, &o.rules.tolerance))
            return cs_usage_error(v, "%s is not a share from 0 to 1", optarg);
    }
    if (c == CS_OPT_DONE)
        return code;
    if (argc - optind != 2)
        return cs_usage_error(v, "give two traces");
    struct pair p = {.path = {argv[optind], argv[optind + 1]}};
    p.v[0].t = cs_open_trace(p.path[0]);
    p.v[1].t = p.v[0].t ? cs_open_trace(p.path[1]) : NULL;
    p.v[0].places = p.v[1].places = cs_locations_new();
    code = p.v[1].t ? compare(&p, &o) : CS_EXIT_ERROR;
    cs_locations_free(p.v[0].places);
    cs_trace_free((struct cs_trace *)p.v[0].t);
    cs_trace_free((struct cs_trace *)p.v[1].t);
    return cs_finish_output(code);
}

const struct cs_verb cs_verb_diff = {
    .name = "diff",
    .summary = "compare the communication of two traces",
    .run = run,
    .usage =
        "usage: commslice diff [--allow-cut] [--all] [--json] [--tolerance X] TRACE TRACE\n\n"
        "Says for each rank the first place where the two sequences of calls differ. Call sites, marks and times are "
        "not compared;\n"
        "datatypes, communicators and operations are compared by content. Exit code 0: same, 1: different, 2: error.\n"
        "\n"
        "      --allow-cut  a rank whose trace was cut off need only agree as far as it goes\n"
        "  -a, --all        show the difference of every rank, not only of the first 8\n"
        "      --json       one JSON object\n"
        "      --tolerance X  counts may differ by the share X (0 to 1) of the larger one, all else must be equal\n",
};
