/* SPDX-License-Identifier: GPL-3.0-or-later
 * The helper of `commslice advise`: reads a stored program from standard input, looks for assumptions that shrink its
 * slice, and prints what it found, one line a fact, fields separated by tabs.
 *   base KEPT TOTAL SITES CONTENTS
 *   trial KEPT SITES CONTENTS N         what N lines `assume` behind it give
 *   assume TEXT FILE LINE FUNCTION WAY CALL CALL_FILE CALL_LINE
 * WAY is branch, leaves or ends, the last two perhaps with first|later (when an iteration asks) and holds|fails (when
 * the loop is left). Arguments: processor time in seconds, and assumptions that a recorded run bears out. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "advise/trial.h"
#include "api/mpi_calls.h"
#include "slicer/graph/storage.h"

extern const char cs_effects_tab[];

/* Rounds of trials, each with what the best of the last suggest; bytes of an assumption as text. */
enum { ROUNDS = 3, TEXT = 320 };

/* Assumptions that were tried together, and what came of it. */
struct tried {
    int n;
    struct {
        char text[TEXT];
        int stmt, source;
    } a[CS_PLAN_MOST];
    struct cs_trial result;
};

/* The whole search: the program, the trials so far (tried[n]), and what they may cost. */
struct search {
    struct cs_stored_program program;
    struct cs_effects *effects;
    struct cs_trial base;
    struct tried *tried;
    int n, cap;
    double seconds; /* of the processor, for all trials */
    int at_once;
    char **hints;      /* assumptions that hold in a recorded run, NULL at the end */
    const char *trips; /* what stands for N in a trial: no slice depends on it */
};

static double used(void)
{
    struct rusage r;
    getrusage(RUSAGE_CHILDREN, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + 1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

static char *read_input(size_t *size)
{
    size_t cap = 0, n = 0;
    char *text = NULL;
    do {
        if (n == cap)
            text = cs_realloc(text, cap = cap ? 2 * cap : 1 << 20);
        size_t got = fread(text + n, 1, cap - n, stdin);
        n += got;
        *size = n;
        if (!got)
            return text;
    } while (true);
}

/* ---- trials ---- */

/* The text with a number for the N of a trip count. */
static const char *with_number(const struct search *s, const char *text, char *buf)
{
    size_t n = strlen(text);
    bool trips = n > 2 && !strcmp(text + n - 2, "=N");
    snprintf(buf, TEXT + 16, "%.*s%s", (int)(trips ? n - 1 : n), text, trips ? s->trips : "");
    return buf;
}

/* Tries each of these sets; the results stand in *t. */
static void try_all(struct search *s, struct tried *t, int n)
{
    struct cs_trial_job *jobs = cs_calloc(n + 1, sizeof *jobs);
    char(*texts)[CS_PLAN_MOST][TEXT + 16] = cs_calloc(n + 1, sizeof *texts);
    for (int i = 0; i < n; i++) {
        jobs[i] = (struct cs_trial_job){.program = &s->program, .effects = s->effects, .n = t[i].n, .hints = s->hints};
        for (int k = 0; k < t[i].n; k++)
            jobs[i].assumes[k] = with_number(s, t[i].a[k].text, texts[i][k]);
    }
    cs_trials_run(jobs, n, s->at_once);
    for (int i = 0; i < n; i++)
        t[i].result = jobs[i].result;
    free(texts);
    free(jobs);
}

/* Is there an assumption about this branch's line already? */
static bool assumed(const struct search *s, const struct tried *t, int stmt)
{
    const struct cs_stmt *st = &s->program.graph->stmts[stmt];
    struct cs_assumption a;
    char err[512];
    for (int i = 0; i < t->n; i++)
        if (s->program.graph->stmts[t->a[i].stmt].file == st->file &&
            s->program.graph->stmts[t->a[i].stmt].line == st->line)
            return true;
    for (int i = 0; i < s->program.nassumes; i++)
        if (!cs_assume_parse(s->program.assumes[i], &a, err, sizeof err) && a.line == st->line &&
            !strcmp(a.file, cs_graph_str(s->program.graph, st->file)))
            return true;
    return false;
}

/* What was tried, and one plan more. False if that is too much for one suggestion, or says the same again. */
static bool extend(const struct search *s, const struct tried *from, const struct cs_trial *at, int plan,
                   struct tried *to)
{
    const struct cs_plan *p = &at->plans[plan];
    *to = from ? *from : (struct tried){0};
    if (to->n + p->n > CS_PLAN_MOST)
        return false;
    for (int k = 0; k < p->n; k++)
        if (assumed(s, to, p->c[k].stmt))
            return false;
    for (int k = 0; k < p->n; k++) {
        cs_candidate_text(s->program.graph, &p->c[k], to->a[to->n].text, TEXT);
        to->a[to->n].stmt = p->c[k].stmt;
        to->a[to->n++].source = at->source[plan][k];
    }
    return true;
}

/* Is it better than `than`: a smaller slice that loses no call? */
static bool better(const struct search *s, const struct cs_trial *t, const struct cs_trial *than)
{
    enum { LEAST_GAIN = 100 }; /* a hundredth of the program */
    return t->status == 0 && t->sites >= s->base.sites && t->kept + t->total / LEAST_GAIN < than->kept;
}

/* Tries the plans that follow from `from`. The number of the best set in s->tried, -1 if none is better. */
static int round_of_trials(struct search *s, int from, int most)
{
    const struct cs_trial at = from < 0 ? s->base : s->tried[from].result;
    int begin = s->n, best = -1;
    for (int i = 0; i < at.nplans && s->n - begin < most; i++) {
        CS_GROW(s->tried, s->n, s->cap);
        if (extend(s, from < 0 ? NULL : &s->tried[from], &at, i, &s->tried[s->n]))
            s->n++;
    }
    try_all(s, s->tried + begin, s->n - begin);
    for (int i = begin; i < s->n; i++)
        if (better(s, &s->tried[i].result, best < 0 ? &at : &s->tried[best].result))
            best = i;
    return best;
}

static void search(struct search *s)
{
    double first = used();
    int best = -1;
    for (int round = 0; round < ROUNDS; round++) {
        double left = s->seconds - used();
        int most = first > 0 ? (int)(left / first) : CS_TRIAL_PLANS;
        int next = round_of_trials(s, best, most < CS_TRIAL_PLANS >> round ? most : CS_TRIAL_PLANS >> round);
        if (next < 0)
            return;
        best = next;
    }
}

/* ---- what was found ---- */

static const char *call_name(const struct cs_graph *g, int stmt)
{
    enum cs_binding b;
    const struct cs_stmt *s = &g->stmts[stmt];
    if (s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_ADDR || g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return "a call by pointer";
    const struct cs_mpi_call *c = cs_mpi_by_symbol(cs_obj_name(g, s->callee.id), &b);
    return c ? c->name : cs_obj_name(g, s->callee.id);
}

static void print_assumption(const struct search *s, const char *text, int stmt, int source)
{
    static const char *const ways[] = {
        [CS_LEAVES_NONE] = "branch", [CS_LEAVES_ONE_WAY] = "leaves", [CS_LEAVES_ONLY_WAY] = "ends"};
    struct cs_graph *g = s->program.graph;
    const struct cs_stmt *st = &g->stmts[stmt];
    int edge;
    enum cs_leaving leaving = cs_assume_line_leaves(g, &stmt, &edge);
    printf("assume\t%s\t%s\t%d\t%s\t%s", text, cs_graph_str(g, st->file), st->line, cs_func_name(g, st->func),
           ways[leaving]);
    int first = leaving == CS_LEAVES_NONE ? -1 : cs_assume_asked_first(g, stmt);
    if (first >= 0)
        printf(" %s %s", first ? "first" : "later", edge == cs_assume_true_edge(g, stmt) ? "holds" : "fails");
    if (source >= 0)
        printf("\t%s\t%s\t%d", call_name(g, source), cs_graph_str(g, g->stmts[source].file), g->stmts[source].line);
    putchar('\n');
}

static void print_all(const struct search *s)
{
    printf("base\t%d\t%d\t%d\t%d\n", s->base.kept, s->base.total, s->base.sites, s->base.contents);
    for (int i = 0; i < s->n; i++) {
        const struct tried *t = &s->tried[i];
        if (t->result.status || t->result.kept >= s->base.kept)
            continue;
        printf("trial\t%d\t%d\t%d\t%d\n", t->result.kept, t->result.sites, t->result.contents, t->n);
        for (int k = 0; k < t->n; k++)
            print_assumption(s, t->a[k].text, t->a[k].stmt, t->a[k].source);
    }
}

static int complain(const char *what)
{
    fprintf(stderr, "%s\n", what);
    return 2;
}

int main(int argc, char **argv)
{
    char err[512];
    size_t size;
    struct search s = {.seconds = argc > 1 ? atof(argv[1]) : 1e9, .at_once = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    char *text = read_input(&size);
    s.trips = "17";
    s.hints = argv + (argc > 1 ? 2 : 1);
    s.effects = cs_effects_new();
    if (!s.effects)
        return complain("not enough memory");
    if (cs_stored_read(text, size, &s.program, err, sizeof err) ||
        cs_effects_add_text(s.effects, cs_effects_tab, "effects.tab", err, sizeof err) ||
        (s.program.effects && cs_effects_add_text(s.effects, s.program.effects, "stored effects", err, sizeof err)))
        return complain(err);
    free(text);
    struct tried nothing = {0};
    try_all(&s, &nothing, 1);
    s.base = nothing.result;
    if (s.base.status)
        return complain("the stored program cannot be sliced again: link it again");
    search(&s);
    print_all(&s);
    cs_stored_free(&s.program);
    cs_effects_free(s.effects);
    free(s.tried);
    return fflush(stdout) ? complain("cannot write the result") : 0;
}
