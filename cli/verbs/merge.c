/* SPDX-License-Identifier: BSD-3-Clause
 * commslice merge, commslice fold and commslice expand: a trace as one program, as a loop nest, and back.
 * Merging and folding are trace/'s; here are options, files and what is said about them. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "skeleton/skeleton.h"
#include "trace/merge/merge.h"
#include "trace/nest/nest.h"
#include "cli/frame/cli.h"
#include "cli/show/open_trace.h"
#include "cli/frame/json.h"
#include "cli/frame/output.h"
#include "cli/frame/unfinished.h"
#include "cli/verbs/merge_shares.h"

/* What the user asked for. */
struct options {
    struct cs_merge_options merge;
    enum cs_merged_fold method;
    const char *out;
    bool json, check, force;
};

/* What was done, and how long it took. */
struct outcome {
    const struct cs_merged *m;
    bool merged, folded; /* here, not before */
    struct cs_trace *t;  /* that was merged; NULL if it was read merged */
    struct cs_merge_report report;
    double merge_s, fold_s;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- reading ---- */

static struct cs_merged *read_merged(const char *path)
{
    char why[256];
    struct cs_merged *m = cs_merged_open(path, why, sizeof why);
    if (!m)
        cs_error("%s: %s", path, why);
    return m;
}

static struct cs_merged *merge_trace(const char *path, const struct options *o, struct outcome *r)
{
    char why[256];
    struct cs_trace *t = cs_open_trace(path);
    if (!t)
        return NULL;
    double start = now();
    struct cs_merged *m = cs_merge_trace(t, &o->merge, &r->report, why, sizeof why);
    r->merge_s = now() - start;
    r->merged = true;
    cs_progress_end();
    if (!m)
        cs_error("%s: %s", path, why);
    r->t = t;
    return m;
}

/* A trace is merged, a merged one is read. */
static struct cs_merged *open_any(const char *path, const struct options *o, struct outcome *r)
{
    return cs_merged_is(path) ? read_merged(path) : merge_trace(path, o, r);
}

/* ---- saying ---- */

/* What a stretch of the nest holds. lists: of cycles, the entries of those that follow no rule; of counts all but
 * one. */
struct nest_sum {
    int64_t symbols, loops, events, cycles, lists;
};

/* Sums up a stretch of the nest that is come to `times` times. */
static struct nest_sum sum_nest(const struct cs_merged *m, int64_t from, int64_t to, int64_t times)
{
    struct nest_sum s = {0};
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &m->node[i];
        s.cycles += n->ncycle;
        if (n->count == 0) {
            s.symbols++;
            s.events += times;
            s.lists += n->ncycle && !cs_merged_follows_rule(m, n) ? n->ncycle - 1 : 0;
            continue;
        }
        struct nest_sum in = sum_nest(m, i + 1, i + 1 + n->value, cs_nest_iterations(m, n, times));
        s.symbols += in.symbols;
        s.loops += in.loops + 1;
        s.events += in.events;
        s.cycles += in.cycles;
        s.lists += in.lists + (n->ncycle ? n->ncycle - 1 : 0);
        i += n->value;
    }
    return s;
}

/* Does the loop stem from folding alone, not from the program? It then runs once, or joins stretches whose inner loops
 * have different counts in each. */
static bool is_joined(const struct cs_merged *m, int64_t loop)
{
    const struct cs_nest_node *n = &m->node[loop];
    if (n->count == 1)
        return true;
    for (int64_t i = loop + 1; i < loop + 1 + n->value; i += 1 + (m->node[i].count ? m->node[i].value : 0))
        if (m->node[i].count && m->node[i].ncycle)
            return true;
    return false;
}

/* The outermost loop with most events; -1 if there is none. Loops that only join stretches (is_joined) do not count,
 * but loops in them do. *most: its events. */
static int64_t find_main(const struct cs_merged *m, int64_t from, int64_t to, int64_t times, int64_t *most)
{
    int64_t main_loop = -1;
    for (int64_t i = from; i < to; i += 1 + (m->node[i].count ? m->node[i].value : 0)) {
        const struct cs_nest_node *n = &m->node[i];
        int64_t inside = n->count ? cs_nest_iterations(m, n, times) : 0, found = i, events = 0;
        if (n->count && is_joined(m, i))
            found = find_main(m, i + 1, i + 1 + n->value, inside, &events);
        else if (n->count)
            events = sum_nest(m, i + 1, i + 1 + n->value, inside).events;
        if (events > *most) {
            *most = events;
            main_loop = found;
        }
    }
    return main_loop;
}

static int64_t symbols_in(const struct cs_merged *m, int64_t loop)
{
    return sum_nest(m, loop + 1, loop + 1 + m->node[loop].value, 1).symbols;
}

static void calls_of(const struct cs_merged *m, int64_t *most, int64_t *least)
{
    *most = 0;
    *least = INT64_MAX;
    for (int c = 0; c < m->nclasses; c++) {
        *most = m->cls[c].nevents > *most ? m->cls[c].nevents : *most;
        *least = m->cls[c].nevents < *least ? m->cls[c].nevents : *least;
    }
}

/* Symbols that have a cycle. */
static int64_t cycled(const struct cs_merged *m)
{
    int64_t n = 0;
    for (int64_t i = 0; i < m->nnodes; i++)
        n += m->node[i].ncycle > 0;
    return n;
}

static void say_text(const struct outcome *r, const struct nest_sum *s, int64_t main_loop)
{
    const struct cs_merged *m = r->m;
    int64_t most, least;
    calls_of(m, &most, &least);
    printf("%d ranks in %d class%s, %" PRId64 " to %" PRId64 " calls a rank\n", m->info.nranks, m->nclasses,
           m->nclasses == 1 ? "" : "es", least, most);
    printf("merged: %" PRId64 " calls", s->events);
    if (r->merged)
        printf(", in %.2f s", r->merge_s);
    putchar('\n');
    if (r->merged && !r->report.kept_order)
        printf("order: the original, as %s\n", r->report.why);
    if (!m->folded)
        return;
    printf("folded: %" PRId64 " symbols", s->symbols);
    if (s->cycles)
        printf(" (%" PRId64 " with the values that follow a loop)", s->symbols + s->cycles - cycled(m));
    printf(", %" PRId64 " loop%s", s->loops, s->loops == 1 ? "" : "s");
    if (r->folded)
        printf(", in %.2f s", r->fold_s);
    if (main_loop >= 0)
        printf("; main loop (%" PRId64 ")x%" PRId64, symbols_in(m, main_loop), m->node[main_loop].count);
    putchar('\n');
}

static void say_json(const struct outcome *r, const struct nest_sum *s, int64_t main_loop)
{
    const struct cs_merged *m = r->m;
    struct cs_json j = {.out = stdout};
    int64_t most, least;
    calls_of(m, &most, &least);
    cs_json_open(&j, NULL, '{');
    cs_json_int(&j, "ranks", m->info.nranks);
    cs_json_int(&j, "classes", m->nclasses);
    cs_json_int(&j, "most_calls", most);
    cs_json_int(&j, "fewest_calls", least);
    cs_json_int(&j, "merged", s->events);
    if (r->merged) {
        cs_json_int(&j, "merge_us", (int64_t)(r->merge_s * 1e6));
        cs_json_bool(&j, "kept_order", r->report.kept_order);
        cs_json_string(&j, "why", r->report.kept_order ? NULL : r->report.why);
    }
    cs_json_bool(&j, "folded", m->folded);
    cs_json_int(&j, "symbols", s->symbols);
    cs_json_int(&j, "symbols_and_values", s->symbols + s->cycles - cycled(m));
    cs_json_int(&j, "symbols_and_lists", s->symbols + s->lists);
    cs_json_int(&j, "loops", s->loops);
    if (r->folded)
        cs_json_int(&j, "fold_us", (int64_t)(r->fold_s * 1e6));
    if (main_loop >= 0) {
        cs_json_open(&j, "main_loop", '{');
        cs_json_int(&j, "symbols", symbols_in(m, main_loop));
        cs_json_int(&j, "count", m->node[main_loop].count);
        cs_json_close(&j, '}');
    } else {
        cs_json_null(&j, "main_loop");
    }
    cs_json_close(&j, '}');
    cs_json_end(&j);
}

static void say(const struct outcome *r, bool json)
{
    int64_t most = 0;
    struct nest_sum s = sum_nest(r->m, 0, r->m->nnodes, 1);
    (json ? say_json : say_text)(r, &s, find_main(r->m, 0, r->m->nnodes, 1, &most));
}

/* ---- checking ---- */

#define CHECK_LIMIT 30000000 /* calls of all ranks; above, loops are cut */

/* Plays the calls of all ranks; if they are too many, with loops cut to *iterations (else 0). 1: all ranks come to
 * their end, 0: they do not, -1: error. */
static int play(const struct cs_merged *m, bool buffered, int64_t *iterations, char *why, size_t whylen)
{
    int rc = -1;
    for (*iterations = 0; rc < 0; *iterations = *iterations ? *iterations / 2 : 64) {
        rc = cs_merged_replay(m, buffered, *iterations, CHECK_LIMIT, why, whylen);
        if (rc >= 0 || *iterations == 1)
            break;
    }
    return rc;
}

static int check(const struct cs_merged *m, const char *path)
{
    char why[256];
    int64_t iterations;
    int strict = play(m, false, &iterations, why, sizeof why);
    if (strict < 0)
        return cs_error("%s: cannot be checked: %s", path, why);
    if (!strict)
        cs_note("%s: if MPI_Send waits for its receive: %s", path, why);
    int ends = strict ? 1 : play(m, true, &iterations, why, sizeof why);
    if (ends < 0)
        return cs_error("%s: cannot be checked: %s", path, why);
    if (ends && iterations)
        cs_note("%s: checked with at most %" PRId64 " iterations of each loop, as it is too long", path, iterations);
    if (!ends)
        cs_note("%s: %s", path, why);
    return ends ? CS_EXIT_OK : CS_EXIT_NOT_SO;
}

/* ---- merge and fold ---- */

static int write_form(const struct cs_merged *m, const char *path)
{
    char why[256];
    return cs_merged_write(m, path, why, sizeof why) ? cs_error("%s: %s", path, why) : CS_EXIT_OK;
}

static int fold_it(struct cs_merged *m, const char *path, const struct options *o, struct outcome *r)
{
    char why[256];
    double start = now();
    if (cs_merged_fold(m, o->method, why, sizeof why))
        return cs_error("%s: %s", path, why);
    r->fold_s = now() - start;
    r->folded = true;
    return CS_EXIT_OK;
}

/* Takes over the trace's times, if it has any. Not if calls were moved, or if the folding method cannot keep times. */
static int take_times(struct cs_merged *m, const char *path, const struct options *o, const struct outcome *r)
{
    char why[256];
    if (!r->t || !cs_trace_info(r->t)->with_times || (r->folded && !cs_merged_fold_keeps_times(o->method)) ||
        o->merge.order != CS_ORDER_ORIGINAL)
        return CS_EXIT_OK;
    return cs_merged_times(m, r->t, why, sizeof why) ? cs_error("%s: %s", path, why) : CS_EXIT_OK;
}

static int convert(const char *path, const struct options *o, bool fold)
{
    struct outcome r = {0};
    if (!fold && cs_merged_is(path))
        return cs_error("%s: is merged already; commslice fold takes it as it is", path);
    if (cs_output_check_file(o->out, path, &cs_merged_kind, o->force))
        return CS_EXIT_ERROR;
    struct cs_merged *m = open_any(path, o, &r);
    r.m = m;
    int code = !m ? CS_EXIT_ERROR : fold ? fold_it(m, path, o, &r) : CS_EXIT_OK;
    if (code == CS_EXIT_OK)
        code = take_times(m, path, o, &r);
    if (code == CS_EXIT_OK)
        code = write_form(m, o->out);
    if (code == CS_EXIT_OK)
        say(&r, o->json);
    if (code == CS_EXIT_OK && o->check)
        code = check(m, path);
    cs_merged_free(m);
    cs_trace_free(r.t);
    return cs_finish_output(code);
}

/* The values of --order. */
static const struct {
    const char *name;
    enum cs_call_order order;
} orders[] = {{"original", CS_ORDER_ORIGINAL},
              {"post-first", CS_ORDER_POST_FIRST},
              {"send-first", CS_ORDER_SEND_FIRST},
              {"receive-first", CS_ORDER_RECEIVE_FIRST},
              {"paper", CS_ORDER_PAPER}};

static bool parse_order(const char *name, enum cs_call_order *order)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (strcmp(orders[i].name, name) == 0) {
            *order = orders[i].order;
            return true;
        }
    return false;
}

/* The values of --method. */
static const struct {
    const char *name;
    enum cs_merged_fold how;
} methods[] = {{"best", CS_MERGED_FOLD_BEST},
               {"records", CS_MERGED_FOLD_RECORDS},
               {"calls", CS_MERGED_FOLD_CALLS},
               {"paper", CS_MERGED_FOLD_PAPER}};

/* True if the option was taken; else *code. */
static bool take_option(const struct cs_verb *v, int c, struct options *o, int *code)
{
    long n = 0;
    switch (c) {
    case 'o': o->out = optarg; return true;
    case 'j': o->json = true; return true;
    case 'c': o->check = true; return true;
    case 'F': o->force = true; return true;
    case 'm':
        if (!cs_parse_number(optarg, 1, INT_MAX, &n))
            return *code = cs_usage_error(v, "--lookahead %s is no number of calls", optarg), false;
        o->merge.lookahead = (int)n;
        return true;
    case 'l':
        if (!cs_parse_number(optarg, 1, LONG_MAX, &n))
            return *code = cs_usage_error(v, "--unroll %s is no number of calls", optarg), false;
        o->merge.symbols_max = n;
        return true;
    case 'r':
        if (!parse_order(optarg, &o->merge.order))
            return *code = cs_usage_error(v, "no order %s", optarg), false;
        return true;
    default:
        for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
            if (strcmp(methods[i].name, optarg) == 0)
                return o->method = methods[i].how, true;
        return *code = cs_usage_error(v, "no method %s", optarg), false;
    }
}

static int run_form(const struct cs_verb *v, int argc, char **argv, bool fold)
{
    static const struct option longs[] = {{"output", required_argument, NULL, 'o'},
                                          {"order", required_argument, NULL, 'r'},
                                          {"lookahead", required_argument, NULL, 'm'},
                                          {"unroll", required_argument, NULL, 'l'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"check", no_argument, NULL, 'c'},
                                          {"force", no_argument, NULL, 'F'},
                                          {"help", no_argument, NULL, 'h'},
                                          {"method", required_argument, NULL, 'M'},
                                          {0}};
    struct option mine[sizeof longs / sizeof *longs];
    struct options o = {.merge.progress = cs_progress};
    int c, code;
    memcpy(mine, longs, sizeof longs);
    if (!fold)
        mine[sizeof longs / sizeof *longs - 2] = (struct option){0};
    while ((c = cs_getopt(v, argc, argv, ":o:h", mine, &code)) >= 0)
        if (!take_option(v, c, &o, &code))
            return code;
    if (c == CS_OPT_DONE)
        return code;
    if (argc - optind < 1 || (fold && argc - optind > 1))
        return cs_usage_error(v, "give one trace");
    if (!o.out)
        return cs_usage_error(v, "give the file to write: -o OUT");
    if (argc - optind > 1)
        return cs_merge_shares(argv + optind, argc - optind, o.out, o.force);
    return convert(argv[optind], &o, fold);
}

static int run_merge(const struct cs_verb *v, int argc, char **argv)
{
    return run_form(v, argc, argv, false);
}
static int run_fold(const struct cs_verb *v, int argc, char **argv)
{
    return run_form(v, argc, argv, true);
}

/* ---- expand ---- */

/* The trace is written beside `out` and then takes its name. */
static int expand_to(const struct cs_merged *m, const char *path, const char *out)
{
    char why[256], name[PATH_MAX];
    int n = snprintf(name, sizeof name, "%s.expand.%ld", out, (long)getpid());
    if (n < 0 || n >= (int)sizeof name)
        return cs_error("%s: name too long", out);
    cs_unfinished(name);
    int rc = cs_merged_expand(m, name, cs_progress, why, sizeof why);
    cs_progress_end();
    if (rc)
        cs_error("%s: %s: %s", path, out, why);
    else if ((rc = rename(name, out)))
        cs_error("%s: %s", out, strerror(errno));
    if (rc)
        unlink(name);
    cs_finished(name);
    return rc ? CS_EXIT_ERROR : CS_EXIT_OK;
}

/* Is there a trace with times? An expanded one has none. */
static bool has_times(const char *out)
{
    char why[256];
    struct cs_trace *t = cs_trace_open(out, why, sizeof why);
    bool timed = t && cs_trace_info(t)->with_times;
    cs_trace_free(t);
    return timed;
}

static int expand(const char *path, const char *out, bool force)
{
    if (access(path, R_OK))
        return cs_error("%s: %s", path, strerror(errno));
    if (!cs_merged_is(path))
        return cs_error("%s: not a merged trace; commslice merge and fold write these", path);
    if (cs_output_check_file(out, path, &cs_trace_kind, force))
        return CS_EXIT_ERROR;
    if (!force && has_times(out))
        return cs_error("%s: has times, which an expanded trace has not; give another name, or --force to replace it",
                        out);
    struct cs_merged *m = read_merged(path);
    if (!m)
        return CS_EXIT_ERROR;
    int code = expand_to(m, path, out);
    if (code == CS_EXIT_OK) {
        int64_t events = 0;
        for (int c = 0; c < m->nclasses; c++)
            events += m->cls[c].nevents * m->cls[c].ranks.total;
        printf("%d rank%s, %" PRId64 " events in %s\n", m->info.nranks, m->info.nranks == 1 ? "" : "s", events, out);
    }
    cs_merged_free(m);
    return cs_finish_output(code);
}

static int run_expand(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {{"output", required_argument, NULL, 'o'},
                                          {"force", no_argument, NULL, 'F'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    const char *out = NULL;
    bool force = false;
    int c, code;
    while ((c = cs_getopt(v, argc, argv, ":o:h", longs, &code)) >= 0) {
        force |= c == 'F';
        if (c == 'o')
            out = optarg;
    }
    if (c == CS_OPT_DONE)
        return code;
    if (argc - optind != 1)
        return cs_usage_error(v, "give one merged trace");
    if (!out)
        return cs_usage_error(v, "give the trace to write: -o OUT");
    return expand(argv[optind], out, force);
}

#define COMMON_OPTIONS \
    "      --order ORDER   of a rank's own calls: original (default), post-first, send-first, receive-first,\n" \
    "                      or paper: that of [Skel10]\n" \
    "      --lookahead M   how far to look for a call that matches (default 1000 calls)\n" \
    "      --unroll N      keep loops where unrolling would give more than N calls (default 40000000)\n" \
    "      --check         replay the calls of all ranks, without data; exit code 1 if a call does not meet its " \
    "partner\n" \
    "      --json          one JSON object\n" \
    "      --force         replace OUT even if it is not a merged trace\n"

const struct cs_verb cs_verb_merge = {
    .name = "merge",
    .summary = "merge the ranks of a trace into one program",
    .run = run_merge,
    .usage = "usage: commslice merge [OPTIONS] TRACE -o OUT\n"
             "       commslice merge [--force] SHARE... -o TRACE\n\n"
             "Finds the classes of ranks (those that make the same calls in the same order), and puts the calls of all "
             "classes into\n"
             "one sequence. No call is lost, and commslice expand gives the trace again, in its original order.\n\n"
             "Several traces are taken for the shares of one run (commslice run --share), and become the trace that a "
             "run of all\n"
             "ranks would have left.\n\n"
             "  -o, --output OUT    the merged trace to write\n" COMMON_OPTIONS,
};

const struct cs_verb cs_verb_fold = {
    .name = "fold",
    .summary = "fold a trace into a loop nest",
    .run = run_fold,
    .usage =
        "usage: commslice fold [OPTIONS] TRACE -o OUT\n\n"
        "Merges the trace, unless it is merged, and folds the sequence of calls into nested loops with the fewest "
        "symbols\n"
        "(a symbol is a distinct call).\n\n"
        "  -o, --output OUT    the folded trace to write\n" COMMON_OPTIONS
        "      --method NAME   best (default): fewest symbols, each of which is one place in the source; values may "
        "follow loops\n"
        "                      records: compare calls as in [Skel10]; for comparison with published results\n"
        "                      calls: several places in the source may become one symbol\n"
        "                      paper: the folding of [Skel10], longest repeat first\n\n"
        "[Skel10]: Journal of Software (China) 21, supplement, December 2010, p. 239.\n",
};

const struct cs_verb cs_verb_expand = {
    .name = "expand",
    .summary = "make a trace of a merged or folded one",
    .run = run_expand,
    .usage = "usage: commslice expand MERGED -o TRACE [--force]\n\n"
             "Writes the trace that was merged: every rank's calls, in their original order, without times.\n\n"
             "  -o, --output TRACE  the trace to write\n"
             "      --force         replace TRACE even if it is no trace, or has times\n",
};
