/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs each trial in a process of its own and takes its result from a pipe; see trial.h. */
#define _POSIX_C_SOURCE 200809L
#include "advise/trial.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "advise/unchanged.h"
#include "api/mpi_calls.h"
#include "slicer/control/assume.h"
#include "slicer/control/called.h"
#include "slicer/control/endless.h"
#include "slicer/control/named_values.h"
#include "slicer/graph/storage.h"
#include "slicer/slice.h"

/* ---- in the child ---- */

/* What an assumption has made of the graph: new statements first to end - 1, and branches. */
struct made {
    int first, end;
    struct cs_assumed branches;
};

/* Makes the assumption in the graph; false if it cannot be read, or if it decides no branch and is about no value
 * there. `stored`: those about values are in the stored graph already. */
static bool assume(struct cs_graph *g, const char *text, bool stored, struct made *made)
{
    char err[512];
    struct cs_assumption a;
    made->first = made->end = g->nstmts;
    if (cs_assume_parse(text, &a, err, sizeof err))
        return false;
    if (a.kind == CS_ASSUME_CALLED)
        return stored || cs_called_assume(g, a.file, err, sizeof err) > 0;
    if (a.kind != CS_ASSUME_VALUE)
        return cs_assume_apply(g, &a, &made->branches, err, sizeof err) > 0;
    bool done = stored || cs_named_assume(g, &a) > 0;
    made->end = g->nstmts;
    return done;
}

/* Does nothing that is kept need what the assumption says? Not known of a number in place of a value, and of a branch
 * that is decided once and for all: these are used. */
static bool unused(const struct cs_graph *g, const struct made *made)
{
    const struct cs_assumed *b = &made->branches;
    bool kept = made->first == made->end && !b->nwhens && !b->ntrips;
    for (int s = made->first; s < made->end; s++)
        kept |= g->stmts[s].keep;
    for (int i = 0; i < b->nwhens; i++)
        kept |= g->stmts[b->whens[i].stmt].keep;
    for (int i = 0; i < b->ntrips; i++)
        kept |= g->stmts[b->trips[i].stmt].keep;
    return !kept;
}

/* Would the link refuse the assumption, after the slice was decided? One that leaves a loop no way out is refused here,
 * too. */
static bool unsafe(const struct cs_graph *g, const char *text)
{
    char err[512];
    struct cs_assumption a;
    return !cs_assume_parse(text, &a, err, sizeof err) && a.kind == CS_ASSUME_VALUE && cs_named_unsafe(g, &a);
}

/* The MPI call whose message the branch `stmt` needs, the one with the fewest steps between them; -1 if there is none.
 * `nstmts`: statements of the graph. */
static int source_of(const struct cs_need_graph *ng, int stmt, int nstmts)
{
    char *seen = cs_calloc(ng->n + 1, 1);
    struct cs_intlist queue = {0};
    int found = -1, s;
    if (stmt >= 0)
        cs_intlist_add(&queue, cs_need_graph_node(ng, stmt));
    for (int i = 0; i < queue.n && found < 0; i++)
        for (int v = queue.a[i], k = ng->first[v]; k < ng->first[v + 1] && found < 0; k++) {
            if (cs_need_graph_kind(ng, ng->to[k], &s) == CS_NEED_CONTENT && s < nstmts)
                found = s;
            if (!seen[ng->to[k]])
                cs_intlist_add(&queue, ng->to[k]);
            seen[ng->to[k]] = true;
        }
    cs_intlist_free(&queue);
    free(seen);
    return found;
}

/* A plan that would free less than one in LEAST_PART of the kept statements is not suggested. STEPS: of the search for
 * plans of several assumptions, some tenths of a second. */
enum { LEAST_PART = 50, STEPS = 200000000 };

/* Is something assumed of the same line or value already, or by one of the n texts? */
static bool has_place(const struct cs_trial_job *j, char *const *texts, int n, const char *text)
{
    bool has = false;
    for (int i = 0; i < n; i++)
        has |= cs_unchanged_same_place(texts[i], text);
    for (int i = 0; i < j->n; i++)
        has |= cs_unchanged_same_place(j->assumes[i], text);
    for (int i = 0; i < j->program->nassumes; i++)
        has |= cs_unchanged_same_place(j->program->assumes[i], text);
    return has;
}

/* Chooses of the list, beside n texts that are assumed in any case. About how many statements would stay. */
static int choose(const struct cs_trial_job *j, const struct cs_need_graph *ng, struct cs_graph *g, char *const *texts,
                  int n, bool *chosen)
{
    char none[] = "", **all = cs_calloc(n + j->nlist + 1, sizeof *all);
    bool *in = cs_calloc(n + j->nlist + 1, sizeof *in);
    for (int i = 0; i < n; i++)
        all[i] = texts[i];
    for (int i = 0; i < j->nlist; i++)
        all[n + i] = has_place(j, texts, n, j->list[i]) ? none : j->list[i];
    int may_keep = cs_choice_make(ng, g, all, n + j->nlist, n, j->any_size, in);
    memcpy(chosen, in + n, (size_t)j->nlist * sizeof *in);
    free(in);
    free(all);
    return may_keep;
}

/* What to choose of the list, by itself and beside the first plan. */
static void choose_both(const struct cs_trial_job *j, const struct cs_need_graph *ng, struct cs_graph *g,
                        struct cs_trial *t)
{
    enum { TEXT = 400 };
    char text[CS_PLAN_MOST][TEXT], *texts[CS_PLAN_MOST];
    int n = t->nplans ? t->plans[0].n : 0;
    for (int i = 0; i < n; i++) {
        cs_candidate_text(g, &t->plans[0].c[i], texts[i] = text[i], TEXT);
        size_t length = strlen(text[i]);
        if (length > 2 && !strcmp(text[i] + length - 2, "=N"))
            text[i][length - 1] = '7'; /* any number */
    }
    t->may_keep = choose(j, ng, g, NULL, 0, t->chosen);
    t->may_keep_with_plan = n ? choose(j, ng, g, texts, n, t->chosen_with_plan) : t->may_keep;
}

/* Sets t->plans, t->source and what is chosen, after t->kept is known: what to try next on top of the job's
 * assumptions. */
static void find_plans(const struct cs_trial_job *j, struct cs_graph *g, const struct cs_needs *needs,
                       struct cs_trial *t)
{
    struct cs_need_graph ng;
    cs_need_graph_build(&ng, g, needs, true);
    t->nplans = cs_candidates_find(&ng, g, j->hints, t->kept / LEAST_PART + 1, t->plans, CS_TRIAL_PLANS, STEPS);
    assert(t->nplans >= 0 && t->nplans <= CS_TRIAL_PLANS);
    for (int i = 0; i < t->nplans; i++)
        for (int k = 0; k < t->plans[i].n; k++)
            t->source[i][k] = source_of(&ng, t->plans[i].c[k].stmt, j->program->graph->nstmts);
    choose_both(j, &ng, g, t);
    cs_need_graph_free(&ng);
}

/* May the MPI call be an event of a trace? Not so MPI_Wtime or MPI_Comm_rank, which a slice may do without. */
static bool communicates(const struct cs_graph *g, int stmt)
{
    enum cs_binding b;
    const struct cs_operand *to = &g->stmts[stmt].callee;
    const struct cs_mpi_call *c = to->kind == CS_OPND_ADDR ? cs_mpi_by_symbol(cs_obj_name(g, to->id), &b) : NULL;
    return !c || (c->flags & CS_MPI_EVENT);
}

static void refuse(struct cs_trial *t, int nr)
{
    if (t->nrefused < CS_REFUSED_MOST)
        t->refused[t->nrefused++] = nr;
}

/* About the processor seconds of a trial, by what it counts, so that how far a search comes does not depend on the
 * machine and what else that does. As measured, LULESH to Quicksilver. */
static double seconds_of(const struct cs_trial_job *j, const struct cs_trial *t, int64_t steps, int nedges)
{
    const double begin = 2e-3, statement = 5e-6, step = 1e-7, edge = 2e-6;
    const double plan_edge = 1e-6, listed_edge = 4e-9, most = 0.8; /* for plans, whose search has a budget */
    double seconds = begin + statement * t->total + step * (double)steps + edge * nedges;
    double look = (plan_edge + listed_edge * j->nlist) * nedges;
    return seconds + (!j->look || t->status ? 0 : look < most ? look : most);
}

/* Slices the program under its own assumptions and the job's, and sets *t, which is all 0 on entry. Changes the
 * program's graph, so a process calls it once only. */
static void slice(const struct cs_trial_job *j, struct cs_trial *t)
{
    struct cs_graph *g = j->program->graph;
    struct cs_slice_result res;
    struct cs_needs needs = {.brief = true};
    struct cs_slice_options so = {
        .keep_errors = j->program->keep_errors, .budget = j->program->budget, .needs = &needs, .learnt = j->learnt};
    t->status = -1;
    t->seconds = seconds_of(j, t, 0, 0);
    assert(j->n >= 0 && t->kept == 0 && t->nplans == 0);
    struct made own = {0}, *made = cs_calloc(j->n + 1, sizeof *made);
    for (int i = 0; i < j->program->nassumes; i++)
        if (!assume(g, j->program->assumes[i], true, &own))
            return;
    for (int i = 0; i < j->n; i++)
        if (!assume(g, j->assumes[i], false, &made[i]))
            refuse(t, i);
    if (t->nrefused)
        return;
    t->status = cs_slice(g, j->effects, &so, &res);
    t->kept = res.kept;
    t->total = res.total;
    t->kept_all = res.kept_all;
    t->seconds = seconds_of(j, t, res.steps, needs.nedges);
    for (int s = 0; s < g->nstmts; s++)
        t->sites += g->stmts[s].site >= 0 && communicates(g, s);
    for (int s = 0; s < g->nstmts; s++)
        t->contents += g->stmts[s].keep && g->stmts[s].mark == CS_MARK_CONTENT;
    assert(t->kept >= 0 && t->kept <= t->total);
    for (int i = 0; i < j->n && t->status == 0; i++)
        if (unsafe(g, j->assumes[i]) || cs_endless_by(g, &made[i].branches) >= 0)
            refuse(t, i);
    if (t->nrefused)
        t->status = -1;
    for (int i = 0; i < j->n && i < CS_CHOICE_MOST; i++)
        t->unused[i] = unused(g, &made[i]);
    if (t->status == 0 && j->look)
        find_plans(j, g, &needs, t);
}

/* ---- in the parent ---- */

/* Writes all `size` bytes, in several calls if need be; false on an error. */
static bool write_all(int fd, const void *data, size_t size)
{
    for (const char *p = data; size > 0;) {
        ssize_t n = write(fd, p, size);
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

/* What the child has to say: the result, and what it has learnt if that is wanted. */
static bool tell(const struct cs_trial_job *j, const struct cs_trial *t, int fd)
{
    const struct cs_learnt *l = j->learnt;
    return write_all(fd, t, sizeof *t) &&
           (!j->learn || (write_all(fd, l, sizeof *l) && write_all(fd, l->fact, (size_t)l->n * sizeof *l->fact) &&
                          write_all(fd, l->lost, (size_t)l->nlost * sizeof *l->lost)));
}

/* Starts a trial in a child process and sets *child to its id. Returns the end of the pipe from which the child's
 * struct cs_trial comes, for finish() to close; -1 if there is no child. */
static int start(struct cs_trial_job *j, pid_t *child)
{
    int ends[2];
    if (pipe(ends))
        return -1;
    *child = fork();
    if (*child == 0) {
        struct cs_trial *t = cs_calloc(1, sizeof *t);
        close(ends[0]);
        slice(j, t);
        _exit(tell(j, t, ends[1]) ? 0 : 1);
    }
    close(ends[1]);
    if (*child > 0)
        return ends[0];
    close(ends[0]);
    return -1;
}

/* Reads all `size` bytes, in several calls if need be; false if they do not come. */
static bool read_all(int fd, void *data, size_t size)
{
    for (char *p = data; size > 0;) {
        ssize_t n = read(fd, p, size);
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

/* Takes what the child has learnt from the pipe; nothing, if it does not come whole. */
static void take_learnt(struct cs_learnt *l, int fd)
{
    struct cs_learnt now;
    free(l->fact);
    free(l->lost);
    *l = (struct cs_learnt){0};
    if (!read_all(fd, &now, sizeof now))
        return;
    now.fact = cs_calloc(now.n + 1, sizeof *now.fact);
    now.lost = cs_calloc(now.nlost + 1, sizeof *now.lost);
    now.cap = now.n;
    now.alost = now.nlost;
    if (read_all(fd, now.fact, (size_t)now.n * sizeof *now.fact) &&
        read_all(fd, now.lost, (size_t)now.nlost * sizeof *now.lost)) {
        *l = now;
        return;
    }
    free(now.fact);
    free(now.lost);
}

/* Takes the result of the job from the pipe, closes it and waits for the child. A result that does not come whole has
 * status -1. */
static void finish(struct cs_trial_job *j, int fd, pid_t child)
{
    if (!read_all(fd, &j->result, sizeof j->result))
        j->result = (struct cs_trial){.status = -1};
    else if (j->learn)
        take_learnt(j->learnt, fd);
    close(fd);
    waitpid(child, NULL, 0);
}

void cs_trials_run(struct cs_trial_job *jobs, int n, int at_once)
{
    assert(n >= 0 && at_once >= 1);
    int *fd = cs_calloc(n + 1, sizeof *fd), begun = 0;
    pid_t *child = cs_calloc(n + 1, sizeof *child);
    for (int i = 0; i < n; i++) {
        for (; begun < n && begun < i + at_once; begun++)
            fd[begun] = start(&jobs[begun], &child[begun]);
        if (fd[i] >= 0)
            finish(&jobs[i], fd[i], child[i]);
        else
            jobs[i].result = (struct cs_trial){.status = -1};
    }
    free(fd);
    free(child);
}
