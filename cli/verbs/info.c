/* SPDX-License-Identifier: BSD-3-Clause
 * commslice info: what a trace, or a slice, is and holds.
 * Which of both the file is shows in its first bytes. */
#define _GNU_SOURCE 1
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/shown.h"
#include "api/mpi_calls.h"
#include "cli/show/approximation.h"
#include "cli/show/loop_counters.h"
#include "cli/frame/cli.h"
#include "cli/show/open_trace.h"
#include "cli/frame/json.h"
#include "cli/show/readable.h"
#include "cli/show/site_table.h"
#include "cli/show/slice_info.h"
#include "cli/frame/text.h"
#include "trace/analyse/traffic.h"

/* Lines of a long list, and call sites, unless --all. */
enum { SHOWN = 20, SITES = 8 };

/* ---- traces: what all ranks define, each content once ---- */

/* Lines of text, each owned, in the order of coming until make_unique sorts them. */
struct names {
    char **line;
    size_t n, cap;
};

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_name(struct names *s, char *line)
{
    if (line && CS_MAKE_ROOM(s->line, s->n, s->cap))
        s->line[s->n++] = line;
    else
        free(line);
}

static void make_unique(struct names *s)
{
    size_t out = 0;
    if (s->n)
        qsort(s->line, s->n, sizeof *s->line, by_text);
    for (size_t i = 0; i < s->n; i++) {
        if (out && strcmp(s->line[out - 1], s->line[i]) == 0)
            free(s->line[i]);
        else
            s->line[out++] = s->line[i];
    }
    s->n = out;
}

static void free_names(struct names *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->line[i]);
    free(s->line);
}

static char *comm_line(const struct cs_comm_def *d)
{
    char *line;
    int first = d->nranks ? d->world_ranks[0] : -1, last = d->nranks ? d->world_ranks[d->nranks - 1] : -1;
    if (strcmp(d->path ? d->path : "", "self") == 0)
        return strdup("self");
    return asprintf(&line, "%s (%d rank%s, first %d, last %d)", d->path ? d->path : "?", d->nranks,
                    d->nranks == 1 ? "" : "s", first, last) < 0
               ? NULL
               : line;
}

static char *type_line(const struct cs_type_def *d)
{
    char *line;
    char pieces[48] = "";
    if (d->pieces > 1)
        snprintf(pieces, sizeof pieces, ", %" PRId64 " pieces", d->pieces);
    return asprintf(&line, "%s: %" PRId64 " bytes, extent %" PRId64 "%s", d->signature ? d->signature : "?", d->size,
                    d->extent, pieces) < 0
               ? NULL
               : line;
}

static void collect(const struct cs_trace *t, struct names *comms, struct names *types, struct names *ops)
{
    int nranks = cs_trace_info(t)->nranks;
    for (int r = 0; r < nranks; r++) {
        const struct cs_comm_def *c;
        const struct cs_type_def *d;
        const char *op;
        for (int i = 0; (c = cs_trace_comm(t, r, i)); i++)
            add_name(comms, comm_line(c));
        for (int i = 0; (d = cs_trace_type(t, r, i)); i++)
            add_name(types, type_line(d));
        for (int i = 0; (op = cs_trace_op(t, r, i)); i++)
            add_name(ops, strdup(op));
        if (r % 64 == 63) { /* thousands of ranks define the same */
            make_unique(comms);
            make_unique(types);
            make_unique(ops);
        }
    }
    make_unique(comms);
    make_unique(types);
    make_unique(ops);
}

/* ---- traces: text ---- */

static void print_names(const char *title, const struct names *s, bool all)
{
    if (s->n)
        printf("%s:\n", title);
    for (size_t i = 0; i < s->n && (all || i < SHOWN); i++)
        cs_print_plain(stdout, "  %s", s->line[i]);
    if (!all && s->n > SHOWN)
        printf("  ... %zu more (--all)\n", s->n - SHOWN);
}

static void print_text(const char *label, const char *text)
{
    if (!text || !*text)
        return;
    printf("%-12s ", label);
    cs_put_plain(stdout, text);
    putchar('\n');
}

static void print_lines(const char *title, const char *text)
{
    if (!text || !*text)
        return;
    printf("%s:\n", title);
    for (const char *s = text; *s;) {
        int n = (int)strcspn(s, "\n");
        cs_print_plain(stdout, "  %.*s", n, s);
        s += n + (s[n] == '\n');
    }
}

/* Long assumptions are cut, but not what they were in the run, which others read here. */
static void print_assumptions(const char *text)
{
    char shown[CS_SHOWN_SIZE];
    if (text && *text)
        puts("assumptions:");
    for (const char *s = text; s && *s;) {
        int n = (int)strcspn(s, "\n");
        const char *violated = strstr(s, " violated ");
        int head = violated && violated < s + n ? (int)(violated - s) : 0;
        cs_shown(shown, s, head);
        cs_print_plain(stdout, "  %s%.*s", shown, n - head, s + head);
        s += n + (s[n] == '\n');
    }
}

/* Ranks in each state (by enum cs_rank_state), and events of all of them. */
struct state_sum {
    int count[3];
    int64_t events;
};

static struct state_sum sum_states(const struct cs_trace *t)
{
    struct state_sum s = {{0}, 0};
    for (int r = 0; r < cs_trace_info(t)->nranks; r++) {
        s.count[cs_trace_rank_state(t, r)]++;
        s.events += cs_trace_nevents(t, r);
    }
    return s;
}

static void print_states(const struct cs_trace *t, const struct state_sum *s, bool all)
{
    int shown = 0, nranks = cs_trace_info(t)->nranks;
    printf("%-12s %d, %d of them complete", "ranks", nranks, s->count[CS_RANK_COMPLETE]);
    printf(s->count[CS_RANK_CUT] ? ", %d cut" : "", s->count[CS_RANK_CUT]);
    printf(s->count[CS_RANK_MISSING] ? ", %d missing\n" : "\n", s->count[CS_RANK_MISSING]);
    if (cs_trace_failed(t))
        printf("%-12s the run failed: none of its ranks counts as complete\n", "");
    for (int r = 0; r < nranks; r++) {
        enum cs_rank_state state = cs_trace_rank_state(t, r);
        if (state == CS_RANK_COMPLETE)
            continue;
        if (!all && shown++ == SHOWN) {
            printf("%-12s ... more (--all)\n", "");
            break;
        }
        if (state == CS_RANK_CUT)
            printf("%-12s rank %d %s %" PRId64 " events\n", "", r, cs_trace_failed(t) ? "has" : "was cut after",
                   cs_trace_nevents(t, r));
        else
            printf("%-12s rank %d wrote nothing that can be read\n", "", r);
    }
}

static void print_calls(const struct cs_traffic *s)
{
    char buf[32];
    puts("calls:");
    for (int c = 0; c < cs_mpi_ncalls(); c++) {
        if (!s->call[c].calls)
            continue;
        printf("  %-28s %12" PRIu64, cs_mpi_call(c)->name, s->call[c].calls);
        if (s->call[c].bytes)
            printf("  %s", cs_human_bytes(buf, s->call[c].bytes));
        putchar('\n');
    }
}

static int print_trace(const char *path, const struct cs_trace *t, const struct cs_traffic *traffic,
                       const struct names *comms, const struct names *types, const struct names *ops, bool all)
{
    const struct cs_run_info *i = cs_trace_info(t);
    struct state_sum s = sum_states(t);
    print_text("program", i->program);
    print_text("arguments", i->args);
    print_text("kind", i->kind);
    print_text("engine", i->engine);
    print_text("versions", i->versions);
    printf("%-12s %s\n", "times", i->with_times ? "yes" : "no");
    print_states(t, &s, all);
    if (cs_trace_damaged(t))
        printf("%-12s %" PRId64 " bytes of the file belong to no sound block\n", "damage", cs_trace_damaged(t));
    printf("%-12s %" PRId64 "\n", "events", s.events);
    if (cs_is_approximation(i))
        printf("%-12s %s\n", "note", CS_APPROXIMATION_NOTE);
    print_assumptions(i->assumptions);
    print_lines("not recorded, and in no figure below", i->unrecorded);
    print_calls(traffic);
    int code = cs_site_table_print(path, all ? SIZE_MAX : SITES);
    print_names("communicators", comms, all);
    print_names("datatypes", types, all);
    print_names("operations", ops, all);
    return code;
}

/* ---- traces: JSON ---- */

static void json_lines(struct cs_json *j, const char *key, const char *text)
{
    cs_json_open(j, key, '[');
    for (const char *s = text ? text : ""; *s;) {
        size_t n = strcspn(s, "\n");
        char *line = strndup(s, n);
        cs_json_string(j, NULL, line);
        free(line);
        s += n + (s[n] == '\n');
    }
    cs_json_close(j, ']');
}

static void json_names(struct cs_json *j, const char *key, const struct names *s)
{
    cs_json_open(j, key, '[');
    for (size_t i = 0; i < s->n; i++)
        cs_json_string(j, NULL, s->line[i]);
    cs_json_close(j, ']');
}

static void json_ranks(struct cs_json *j, const struct cs_trace *t)
{
    static const char *const word[] = {"missing", "cut", "complete"};
    cs_json_open(j, "rank_states", '[');
    for (int r = 0; r < cs_trace_info(t)->nranks; r++) {
        cs_json_open(j, NULL, '{');
        cs_json_int(j, "rank", r);
        cs_json_string(j, "state", word[cs_trace_rank_state(t, r)]);
        cs_json_int(j, "events", cs_trace_nevents(t, r));
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
}

static int json_trace(const char *path, const struct cs_trace *t, const struct cs_traffic *traffic,
                      const struct names *comms, const struct names *types, const struct names *ops)
{
    const struct cs_run_info *i = cs_trace_info(t);
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_json_string(&j, "file", "trace");
    cs_json_string(&j, "program", i->program);
    cs_json_string(&j, "arguments", i->args);
    cs_json_string(&j, "kind", i->kind);
    cs_json_string(&j, "engine", i->engine);
    cs_json_string(&j, "versions", i->versions);
    cs_json_bool(&j, "times", i->with_times);
    cs_json_int(&j, "ranks", i->nranks);
    cs_json_int(&j, "events", sum_states(t).events);
    cs_json_bool(&j, "failed", cs_trace_failed(t));
    cs_json_int(&j, "damaged_bytes", cs_trace_damaged(t));
    cs_json_bool(&j, "approximation", cs_is_approximation(i));
    json_lines(&j, "assumptions", i->assumptions);
    if (i->unrecorded)
        json_lines(&j, "unrecorded", i->unrecorded);
    json_ranks(&j, t);
    cs_json_open(&j, "calls", '[');
    for (int c = 0; c < cs_mpi_ncalls(); c++) {
        if (!traffic->call[c].calls)
            continue;
        cs_json_open(&j, NULL, '{');
        cs_json_string(&j, "call", cs_mpi_call(c)->name);
        cs_json_int(&j, "calls", (int64_t)traffic->call[c].calls);
        cs_json_int(&j, "bytes", (int64_t)traffic->call[c].bytes);
        cs_json_close(&j, '}');
    }
    cs_json_close(&j, ']');
    int code = cs_site_table_json(&j, path);
    json_names(&j, "communicators", comms);
    json_names(&j, "datatypes", types);
    json_names(&j, "operations", ops);
    cs_json_close(&j, '}');
    cs_json_end(&j);
    return code;
}

static int trace_info(const char *path, bool json, bool all)
{
    struct cs_traffic traffic = {0};
    struct names comms = {0}, types = {0}, ops = {0};
    struct cs_trace *t = cs_open_trace(path);
    if (!t)
        return CS_EXIT_ERROR;
    char why[256];
    int code = CS_EXIT_OK;
    if (cs_traffic_sum(t, &traffic, cs_progress, why, sizeof why))
        code = cs_error("%s: %s", path, why);
    cs_progress_end();
    if (code == CS_EXIT_OK) {
        collect(t, &comms, &types, &ops);
        if (json)
            code = json_trace(path, t, &traffic, &comms, &types, &ops);
        else
            code = print_trace(path, t, &traffic, &comms, &types, &ops, all);
    }
    free_names(&comms);
    free_names(&types);
    free_names(&ops);
    cs_traffic_free(&traffic);
    cs_trace_free(t);
    return code;
}

static int trace_counters(const char *path, bool json)
{
    struct cs_trace *t = cs_open_trace(path);
    int code = t ? cs_counters_print(t, path, json) : CS_EXIT_ERROR;
    cs_trace_free(t);
    return code;
}

/* ---- slices ---- */

static double percent(long part, long whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static int more_kept(const void *a, const void *b)
{
    const struct cs_slice_func *f = *(struct cs_slice_func *const *)a, *g = *(struct cs_slice_func *const *)b;
    if (f->kept != g->kept)
        return f->kept > g->kept ? -1 : 1;
    return f < g ? -1 : f > g;
}

static void print_func(const struct cs_slice_func *f)
{
    printf("  %6ld of %-6ld %5.1f %%  ", f->kept, f->total, percent(f->kept, f->total));
    cs_put_name(stdout, f->name);
    cs_print_plain(stdout, " at %s:%d", f->file, f->line);
}

/* What keeps most comes first. */
static void print_funcs(const struct cs_slice_info *s, bool all)
{
    size_t gone = 0;
    const struct cs_slice_func **order = malloc((s->nfuncs + 1) * sizeof *order);
    if (!order)
        return;
    for (size_t i = 0; i < s->nfuncs; i++)
        order[i] = &s->func[i];
    qsort(order, s->nfuncs, sizeof *order, more_kept);
    puts("statements kept, of all:");
    for (size_t i = 0; i < s->nfuncs; i++) {
        if (order[i]->kept || all)
            print_func(order[i]);
        else
            gone++;
    }
    free(order);
    if (gone)
        printf("  and %zu function%s of which nothing was kept (--all)\n", gone, gone == 1 ? "" : "s");
}

static void print_sites(const struct cs_slice_info *s, bool all)
{
    int count[4] = {0};
    for (size_t i = 0; i < s->nsites; i++)
        count[s->site[i].mark >= 0 && s->site[i].mark < 3 ? s->site[i].mark : 3]++;
    printf("calls of MPI: %zu; content is sent by %d, the envelope by %d, nothing by %d\n", s->nsites,
           count[CS_MARK_CONTENT], count[CS_MARK_ENVELOPE], count[CS_MARK_NONE]);
    for (size_t i = 0; i < s->nsites; i++)
        if (all || s->site[i].mark != CS_MARK_NONE) {
            printf("  %-8s ", cs_mark_name(s->site[i].mark));
            cs_put_plain(stdout, s->site[i].call);
            fputs(" in ", stdout);
            cs_put_name(stdout, s->site[i].func);
            cs_print_plain(stdout, " at %s:%d", s->site[i].file, s->site[i].line);
        }
}

/* Does one turn of the loop show all? */
static bool is_one_turn(const struct cs_slice_loop *l)
{
    return !*l->why && !*l->once;
}

static void print_loop(const struct cs_slice_loop *l)
{
    const char *what = is_one_turn(l) ? "one turn for all" : *l->why ? "" : "turns are compared: ";
    fputs("  ", stdout);
    cs_put_name(stdout, l->func);
    if (l->at_line > 0)
        cs_print_plain(stdout, " at %s:%d: %s%s%s, at %s:%d", l->file, l->line, what, l->why, l->once, l->at_file,
                       l->at_line);
    else
        cs_print_plain(stdout, " at %s:%d: %s%s%s", l->file, l->line, what, l->why, l->once);
}

/* Which loops run one turn for all, or compare turns, and why the others do not. */
static void print_loops(const struct cs_slice_info *s)
{
    size_t alike = 0, compared = 0;
    for (size_t i = 0; i < s->nloops; i++) {
        alike += is_one_turn(&s->loop[i]);
        compared += *s->loop[i].once != 0;
    }
    if (s->nloops)
        printf("loops with recorded calls: %zu, of which %zu run one turn for all, %zu compare turns\n", s->nloops,
               alike, compared);
    for (size_t i = 0; i < s->nloops; i++)
        print_loop(&s->loop[i]);
}

static void print_slice(const char *path, const struct cs_slice_info *s, bool all)
{
    bool original = strcmp(s->mode, "original") == 0;
    cs_print_plain(stdout, "%s: %s", path, original ? "instrumented original" : "slice");
    printf("%ld of %ld statements kept, %.1f %%\n", s->kept, s->total, percent(s->kept, s->total));
    print_funcs(s, all);
    print_sites(s, all);
    cs_counters_print_slice(s, all);
    print_loops(s);
    if (s->nopaques)
        puts("external functions without a model (treated conservatively):");
    for (size_t i = 0; i < s->nopaques; i++)
        cs_print_plain(stdout, "  %s, called at %s:%d", s->opaque[i].name, s->opaque[i].file, s->opaque[i].line);
    if (s->nassumes)
        puts("assumptions that hold it up:");
    for (size_t i = 0; i < s->nassumes; i++) {
        char shown[CS_SHOWN_SIZE];
        cs_shown(shown, s->assume[i].text, (int)strlen(s->assume[i].text));
        cs_print_plain(stdout, "  %s", shown);
    }
    if (s->nwarns)
        puts("warnings of the link:");
    for (size_t i = 0; i < s->nwarns; i++)
        cs_print_plain(stdout, "  %s", s->warn[i]);
}

static void json_funcs(struct cs_json *j, const struct cs_slice_info *s)
{
    cs_json_open(j, "functions", '[');
    for (size_t i = 0; i < s->nfuncs; i++) {
        cs_json_open(j, NULL, '{');
        cs_json_string(j, "name", s->func[i].name);
        cs_json_string(j, "file", s->func[i].file);
        cs_json_int(j, "line", s->func[i].line);
        cs_json_int(j, "statements", s->func[i].total);
        cs_json_int(j, "kept", s->func[i].kept);
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
}

static void json_sites(struct cs_json *j, const struct cs_slice_info *s)
{
    cs_json_open(j, "sites", '[');
    for (size_t i = 0; i < s->nsites; i++) {
        cs_json_open(j, NULL, '{');
        cs_json_int(j, "id", s->site[i].id);
        cs_json_string(j, "file", s->site[i].file);
        cs_json_int(j, "line", s->site[i].line);
        cs_json_string(j, "func", s->site[i].func);
        cs_json_string(j, "call", s->site[i].call);
        cs_json_string(j, "mark", cs_mark_name(s->site[i].mark));
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
}

static void json_loops(struct cs_json *j, const struct cs_slice_info *s)
{
    cs_json_open(j, "loops", '[');
    for (size_t i = 0; i < s->nloops; i++) {
        const struct cs_slice_loop *l = &s->loop[i];
        cs_json_open(j, NULL, '{');
        cs_json_string(j, "file", l->file);
        cs_json_int(j, "line", l->line);
        cs_json_string(j, "func", l->func);
        cs_json_bool(j, "one_turn", is_one_turn(l));
        cs_json_bool(j, "compared", *l->once != 0);
        if (!is_one_turn(l))
            cs_json_string(j, "why", *l->why ? l->why : l->once);
        if (l->at_line > 0) {
            cs_json_string(j, "at_file", l->at_file);
            cs_json_int(j, "at_line", l->at_line);
        }
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
}

static void json_slice(const struct cs_slice_info *s)
{
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_json_string(&j, "file", "slice");
    cs_json_string(&j, "mode", s->mode);
    cs_json_bool(&j, "order_matters", !s->unordered);
    cs_json_int(&j, "statements", s->total);
    cs_json_int(&j, "kept", s->kept);
    json_funcs(&j, s);
    json_sites(&j, s);
    json_loops(&j, s);
    cs_json_open(&j, "opaque", '[');
    for (size_t i = 0; i < s->nopaques; i++) {
        cs_json_open(&j, NULL, '{');
        cs_json_string(&j, "name", s->opaque[i].name);
        cs_json_string(&j, "file", s->opaque[i].file);
        cs_json_int(&j, "line", s->opaque[i].line);
        cs_json_close(&j, '}');
    }
    cs_json_close(&j, ']');
    cs_json_open(&j, "assumptions", '[');
    for (size_t i = 0; i < s->nassumes; i++)
        cs_json_string(&j, NULL, s->assume[i].text);
    cs_json_close(&j, ']');
    cs_json_open(&j, "warnings", '[');
    for (size_t i = 0; i < s->nwarns; i++)
        cs_json_string(&j, NULL, s->warn[i]);
    cs_json_close(&j, ']');
    cs_json_close(&j, '}');
    cs_json_end(&j);
}

static int slice_info(const char *path, bool json, bool all)
{
    struct cs_slice_info s;
    if (!cs_slice_need(path, &s))
        return CS_EXIT_ERROR;
    if (json)
        json_slice(&s);
    else
        print_slice(path, &s, all);
    cs_slice_free(&s);
    return CS_EXIT_OK;
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {{"json", no_argument, NULL, 'j'},
                                          {"all", no_argument, NULL, 'a'},
                                          {"counters", no_argument, NULL, 'c'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    bool json = false, all = false, counters = false;
    int c, code;
    while ((c = cs_getopt(v, argc, argv, ":ah", longs, &code)) >= 0) {
        json |= c == 'j';
        all |= c == 'a';
        counters |= c == 'c';
    }
    if (c == CS_OPT_DONE)
        return code;
    if (argc - optind != 1)
        return cs_usage_error(v, "give one trace or one slice");
    const char *path = argv[optind];
    if (counters)
        return cs_finish_output(trace_counters(path, json));
    return cs_finish_output(cs_is_elf(path) ? slice_info(path, json, all) : trace_info(path, json, all));
}

const struct cs_verb cs_verb_info = {
    .name = "info",
    .summary = "say what a trace or a slice is and holds",
    .run = run,
    .usage =
        "usage: commslice info [--all] [--json] TRACE|SLICE\n"
        "       commslice info --counters [--json] TRACE\n\n"
        "Of a trace: the run, the state of its ranks, calls and bytes, communicators, datatypes, assumptions. Of a "
        "slice: how many\n"
        "statements each function kept, which calls of MPI send content, which external functions have no model, "
        "assumptions, warnings.\n\n"
        "  -a, --all   long lists in full; also functions and calls of which nothing is left\n"
        "      --counters  how often the loops of a trace with counters went round, on all ranks; with --json also\n"
        "              between any two calls\n"
        "      --json  one JSON object\n",
};
