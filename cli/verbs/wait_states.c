/* SPDX-License-Identifier: BSD-3-Clause
 * commslice waits: which ranks wait for which others in a run with times, what those do meanwhile, and the critical
 * path. */
#include <stdlib.h>

#include "api/mpi_calls.h"
#include "cli/frame/cli.h"
#include "cli/frame/json.h"
#include "cli/show/open_trace.h"
#include "cli/show/wait_words.h"

/* Rows of a table, and room for a sentence. */
enum { DEFAULT_ROWS = 8, TEXT = 800 };

/* ---- text ---- */

static void print_head(const struct cs_waits *w, const char *path)
{
    double computing = 0, delayed = 0, waiting = 0, inside = 0;
    char a[16], b[16], c[16], d[16], t[32];
    for (int i = 0; i < w->nranks; i++) {
        computing += w->rank[i].computing;
        delayed += w->rank[i].delayed;
        waiting += w->rank[i].waiting;
        inside += w->rank[i].inside;
    }
    double all = computing + delayed + inside > 0 ? computing + delayed + inside : 1;
    printf("%s: %d ranks, %s; of their time together %s computing, %s waiting for others, %s else in MPI calls, %s "
           "ready and not running\n",
           path, w->nranks, cs_human_ns(t, w->ns), cs_percent(a, computing / all), cs_percent(b, waiting / all),
           cs_percent(c, (inside - waiting) / all), cs_percent(d, delayed / all));
    if (w->early)
        printf("clocks differ: %lld message%s seen to be received up to %s before %s sent\n", (long long)w->early,
               w->early == 1 ? " is" : "s are", cs_human_ns(t, w->earliest), w->early == 1 ? "it is" : "they are");
}

/* The rank that others wait for longest, beside what each would have if all were alike. */
static void print_culprit(const struct cs_waits *w)
{
    double all = 0;
    int most = 0;
    char t[32], p[16], even[16];
    for (int i = 0; i < w->nranks; i++) {
        all += w->rank[i].caused;
        most = w->rank[i].caused > w->rank[most].caused ? i : most;
    }
    if (all > 0)
        printf("rank %d delays others most: they wait %s for it, %s of all waiting; an even share is %s\n", most,
               cs_human_ns(t, w->rank[most].caused), cs_percent(p, w->rank[most].caused / all),
               cs_percent(even, 1.0 / w->nranks));
}

static void print_causes(const struct cs_waits *w, const struct cs_wait_group *g, size_t n, size_t rows)
{
    double all = 0;
    char text[TEXT], place[400], t[32], p[16];
    for (size_t i = 0; i < n; i++)
        all += g[i].ns;
    puts("\nwhile others wait:");
    if (!n)
        puts("  nobody waits for another rank");
    for (size_t i = 0; i < n && i < rows; i++) {
        const struct cs_wait_cause *c = g[i].first;
        printf("%10s %7s  %s\n", cs_human_ns(t, g[i].ns), cs_percent(p, g[i].ns / all),
               cs_wait_sentence(w, &g[i], text, sizeof text));
        if (c->there != c->place)
            printf("%20sothers wait most at %s\n", "", cs_wait_place_text(&w->place[c->there], place, sizeof place));
    }
    if (n > rows)
        printf("%20s... and %zu more (-n %zu shows all)\n", "", n - rows, n);
}

static const struct cs_waits *sorted_of;

static int more_waiting(const void *a, const void *b)
{
    double x = cs_waiting_at(&sorted_of->place[*(const int *)a]), y = cs_waiting_at(&sorted_of->place[*(const int *)b]);
    return (x < y) - (x > y);
}

static int more_path(const void *a, const void *b)
{
    const struct cs_wait_place *x = &sorted_of->place[*(const int *)a], *y = &sorted_of->place[*(const int *)b];
    double p = x->path_before + x->path_inside, q = y->path_before + y->path_inside;
    return (p < q) - (p > q);
}

static enum cs_wait_kind main_kind(const struct cs_wait_place *p)
{
    enum cs_wait_kind most = 0;
    for (int k = 1; k < CS_WAIT_KINDS; k++)
        if (p->waiting[k] > p->waiting[most])
            most = (enum cs_wait_kind)k;
    return most;
}

static void print_places(const struct cs_waits *w, int *order, size_t rows)
{
    char a[32], b[32], most[32], place[400];
    sorted_of = w;
    qsort(order, (size_t)w->nplaces, sizeof *order, more_waiting);
    printf("\n%10s %10s %18s  %-17s %s\n", "waiting", "in call", "most, by rank", "mostly for", "where");
    for (int i = 0; i < w->nplaces && (size_t)i < rows; i++) {
        const struct cs_wait_place *p = &w->place[order[i]];
        if (cs_waiting_at(p) <= 0)
            break;
        printf("%10s %10s %9s %8d  %-17s %s\n", cs_human_ns(a, cs_waiting_at(p)), cs_human_ns(b, p->inside),
               cs_human_ns(most, p->most), p->most_rank, cs_wait_kind_words(main_kind(p)),
               cs_wait_place_text(p, place, sizeof place));
    }
}

static void print_path(const struct cs_waits *w, int *order, size_t rows)
{
    char a[32], b[16], place[400];
    int ranks = 0, most = 0;
    sorted_of = w;
    for (int i = 0; i < w->nranks; i++) {
        ranks += w->rank[i].path > 0;
        most = w->rank[i].path > w->rank[most].path ? i : most;
    }
    double all = w->ns > 0 ? w->ns : 1;
    printf("\ncritical path: over %d rank%s, %s of it on rank %d", ranks, ranks == 1 ? "" : "s",
           cs_percent(b, w->rank[most].path / all), most);
    printf("; %s of it nobody ran\n", cs_percent(b, w->path_delayed / all));
    qsort(order, (size_t)w->nplaces, sizeof *order, more_path);
    for (int i = 0; i < w->nplaces && (size_t)i < rows; i++) {
        const struct cs_wait_place *p = &w->place[order[i]];
        bool computes = p->path_before >= p->path_inside;
        double ns = computes ? p->path_before : p->path_inside;
        if (ns > 0)
            printf("%10s %7s  %s %s\n", cs_human_ns(a, ns), cs_percent(b, ns / all),
                   computes ? "computing before" : "in", cs_wait_place_text(p, place, sizeof place));
    }
}

static int print(const struct cs_waits *w, const char *path, size_t rows)
{
    size_t n;
    struct cs_wait_group *g = cs_wait_groups(w, &n);
    int *order = malloc(((size_t)w->nplaces + 1) * sizeof *order);
    if (!g || !order) {
        free(g);
        free(order);
        return cs_error("not enough memory");
    }
    for (int i = 0; i < w->nplaces; i++)
        order[i] = i;
    print_head(w, path);
    print_culprit(w);
    print_causes(w, g, n, rows);
    if (n)
        print_places(w, order, rows);
    print_path(w, order, rows);
    free(g);
    free(order);
    return CS_EXIT_OK;
}

/* ---- JSON ---- */

static void put_ns(struct cs_json *j, const char *key, double ns)
{
    cs_json_int(j, key, (int64_t)(ns + 0.5));
}

static void put_place(struct cs_json *j, const char *key, const struct cs_wait_place *p)
{
    cs_json_open(j, key, '{');
    cs_json_string(j, "file", p->at.file);
    cs_json_int(j, "line", p->at.line);
    cs_json_string(j, "func", p->at.func);
    cs_json_string(j, "call", cs_mpi_call(p->call)->name);
    if (key) {
        cs_json_close(j, '}');
        return;
    }
    cs_json_int(j, "calls", p->calls);
    cs_json_int(j, "ranks", p->ranks);
    put_ns(j, "computing_before_ns", p->before);
    put_ns(j, "longest_before_ns", p->longest);
    cs_json_int(j, "longest_rank", p->longest_rank);
    put_ns(j, "in_call_ns", p->inside);
    cs_json_open(j, "waiting_ns", '{');
    for (int k = 0; k < CS_WAIT_KINDS; k++)
        put_ns(j, cs_wait_kind_name((enum cs_wait_kind)k), p->waiting[k]);
    cs_json_close(j, '}');
    put_ns(j, "most_waiting_ns", p->most);
    cs_json_int(j, "most_rank", p->most_rank);
    put_ns(j, "path_before_ns", p->path_before);
    put_ns(j, "path_in_call_ns", p->path_inside);
    cs_json_close(j, '}');
}

static void put_causes(struct cs_json *j, const struct cs_waits *w)
{
    static const char *const doing[] = {"computes", "delayed", "in_call"};
    cs_json_open(j, "causes", '[');
    for (size_t i = 0; i < w->ncauses; i++) {
        const struct cs_wait_cause *c = &w->cause[i];
        cs_json_open(j, NULL, '{');
        cs_json_int(j, "rank", c->rank);
        cs_json_string(j, "does", doing[c->doing]);
        put_place(j, "at", &w->place[c->place]);
        put_ns(j, "others_wait_ns", c->ns);
        put_place(j, "most_wait_at", &w->place[c->there]);
        put_ns(j, "there_ns", c->ns_there);
        put_ns(j, "own_ns", c->own);
        put_ns(j, "mean_ns", c->mean);
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
}

static void put_ranks(struct cs_json *j, const struct cs_waits *w)
{
    cs_json_open(j, "ranks", '[');
    for (int i = 0; i < w->nranks; i++) {
        const struct cs_wait_rank *r = &w->rank[i];
        cs_json_open(j, NULL, '{');
        cs_json_int(j, "rank", i);
        put_ns(j, "computing_ns", r->computing);
        put_ns(j, "delayed_ns", r->delayed);
        put_ns(j, "mpi_ns", r->inside);
        put_ns(j, "waiting_ns", r->waiting);
        put_ns(j, "others_wait_ns", r->caused);
        put_ns(j, "path_ns", r->path);
        put_ns(j, "end_ns", r->end);
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
}

static void print_json(const struct cs_waits *w)
{
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    put_ns(&j, "ns", w->ns);
    put_ns(&j, "path_delayed_ns", w->path_delayed);
    cs_json_int(&j, "early_messages", w->early);
    put_ns(&j, "earliest_ns", w->earliest);
    put_causes(&j, w);
    cs_json_open(&j, "places", '[');
    for (int i = 0; i < w->nplaces; i++)
        put_place(&j, NULL, &w->place[i]);
    cs_json_close(&j, ']');
    put_ranks(&j, w);
    cs_json_close(&j, '}');
    cs_json_end(&j);
}

/* ---- the verb ---- */

static int waits(const char *path, long rows, bool json)
{
    struct cs_trace *t = cs_open_trace(path);
    struct cs_locations *places = t ? cs_locations_new() : NULL;
    struct cs_waits *w = NULL;
    int code = CS_EXIT_ERROR;
    if (t && !cs_trace_info(t)->with_times)
        cs_error("%s: has no times, so who waits is not known; commslice record makes a trace with times", path);
    else if (t && !places)
        cs_error("not enough memory");
    else if (t && (w = cs_waits_of(path, t, places)))
        code = CS_EXIT_OK;
    if (w && json)
        print_json(w);
    else if (w)
        code = print(w, path, (size_t)rows);
    cs_waits_free(w);
    cs_locations_free(places);
    cs_trace_free(t);
    return cs_finish_output(code);
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    struct cs_table_options o = {.rows = DEFAULT_ROWS};
    int code;
    if (!cs_table_options(v, argc, argv, &o, &code))
        return code;
    if (argc - optind != 1)
        return cs_usage_error(v, "give one trace");
    return waits(argv[optind], o.rows, o.json);
}

const struct cs_verb cs_verb_waits = {
    .name = "waits",
    .summary = "say which ranks wait, for whom, and why",
    .run = run,
    .usage = "usage: commslice waits [-n ROWS] [--json] TRACE\n\n"
             "Of a run with times (commslice record): what ranks do while others wait for them, largest first; where "
             "ranks wait, and for\n"
             "what; and the critical path, along which less work would have made the run shorter.\n\n"
             "  -n, --rows ROWS  rows of each table; default: 8\n"
             "      --json       everything, also by rank\n"
             "  -h, --help       show this help\n",
};
