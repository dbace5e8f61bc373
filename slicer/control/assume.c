/* SPDX-License-Identifier: GPL-3.0-or-later
 * Decides branches as the user's assumptions say; assume.h.
 * A condition with && and || is a chain of branches on one line. For never and always, the true side of the last branch
 * is what the condition guards, and all edges of the chain to the dead side are cut. For a trip count, the last branch
 * asks a counter, and the others are cut where they leave the chain. */
#include "slicer/control/assume.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/graph/storage.h"

/* ---- branches of one function ---- */

/* One assumption and one function to which it is applied. */
struct place {
    struct cs_graph *g;
    int func;
    struct cs_func *f;
    const struct cs_assumption *a;
    struct cs_assumed *out;
};

static bool file_matches(const char *have, const char *want)
{
    const char *base = strrchr(want, '/');
    return !strcmp(have, base ? base + 1 : want);
}

/* The COND at the end of the block if it is of the assumption's line, or -1. */
static int branch_of_line(const struct place *p, int block)
{
    int s = block >= 0 ? cs_block_branch(p->g, p->func, block) : -1;
    if (s < 0 || p->g->stmts[s].kind != CS_STMT_COND || p->g->stmts[s].line != p->a->line ||
        p->f->blocks[block].nsuccs != 2)
        return -1;
    return file_matches(cs_graph_str(p->g, p->g->stmts[s].file), p->a->file) ? s : -1;
}

/* ---- values for a condition: (a ? b : c) < d, && and || whose result is compared, ANY and ALL of Fortran ---- */

/* Are all statements of the block, merges aside, of the assumption's line? */
static bool all_of_line(const struct place *p, int block)
{
    const struct cs_block *b = &p->f->blocks[block];
    for (int i = 0; i < b->nstmts; i++) {
        const struct cs_stmt *s = &p->g->stmts[b->stmts[i]];
        if (s->source >= 0 && s->kind != CS_STMT_PHI && s->line != p->a->line)
            return false;
    }
    return true;
}

/* Does every way from one block lead to the other through blocks of the assumption's line only? */
static bool leads_to(const struct place *p, int from, int to)
{
    struct cs_intlist work = {0};
    bool *seen = cs_calloc(p->f->nblocks + 1, 1), only = true;
    seen[from] = seen[to] = true;
    cs_intlist_add(&work, from);
    while (work.n && only) {
        int block = work.a[--work.n], ways = 0;
        const struct cs_block *b = &p->f->blocks[block];
        for (int i = 0; i < b->nsuccs; i++) {
            if (b->eh[i])
                continue;
            ways++;
            only &= b->succs[i] >= 0;
            if (!only || seen[b->succs[i]])
                continue;
            seen[b->succs[i]] = true;
            cs_intlist_add(&work, b->succs[i]);
        }
        only &= ways && (block == from || all_of_line(p, block));
    }
    cs_intlist_free(&work);
    free(seen);
    return only;
}

/* Is the operand computed in this block from a phi at its beginning? `depth`: begin with 0. */
static bool from_merge(const struct place *p, struct cs_operand op, int block, int depth)
{
    enum { MAX_DEPTH = 8 };
    int d = op.kind == CS_OPND_VALUE ? p->g->values[op.id].def : -1;
    if (d < 0 || p->g->stmts[d].block != block || depth == MAX_DEPTH)
        return false;
    if (p->g->stmts[d].kind == CS_STMT_PHI)
        return true;
    for (int i = 0; i < p->g->stmts[d].nuses; i++)
        if (from_merge(p, p->g->stmts[d].uses[i], block, depth + 1))
            return true;
    return false;
}

/* Does the branch only choose a value for another branch of the same line, as a?b:c does in (a ? b : c) < d? */
static bool chooses_value(const struct place *p, int block)
{
    for (int to = 0; to < p->f->nblocks; to++) {
        int s = to == block ? -1 : branch_of_line(p, to);
        bool merged = false;
        for (int i = 0; s >= 0 && i < p->g->stmts[s].nuses; i++)
            merged |= from_merge(p, p->g->stmts[s].uses[i], to, 0);
        if (merged && leads_to(p, block, to))
            return true;
    }
    return false;
}

/* The branch at the end of the block if the assumption means it, or -1. FILE:LINE means all branches of the line but
 * those that only choose a value, FILE:LINE.N the Nth branch: compilers keep comparisons in the order of the source. */
static int branch_at(const struct place *p, int block)
{
    int s = branch_of_line(p, block), nth = 1;
    if (!p->a->nth)
        return s >= 0 && !chooses_value(p, block) ? s : -1;
    for (int b = 0; s >= 0 && b < block; b++)
        nth += branch_of_line(p, b) >= 0;
    return s >= 0 && nth == p->a->nth ? s : -1;
}

/* Where control comes from this block, past blocks that do nothing but jump on. */
static int final_target(const struct place *p, int block)
{
    for (int hops = 0; block >= 0 && hops < 8; hops++) {
        const struct cs_block *b = &p->f->blocks[block];
        bool empty = true;
        for (int i = 0; i < b->nstmts; i++)
            empty &= p->g->stmts[b->stmts[i]].source < 0;
        if (!empty || b->nsuccs != 1)
            break;
        block = b->succs[0];
    }
    return block;
}

static int edge_target(const struct place *p, int block, int edge)
{
    return final_target(p, p->f->blocks[block].succs[edge]);
}

/* Records a decision on the branch, with both edges free. `trip`: number of its loop in out->trips, or -1. */
static struct cs_decided *decide(struct place *p, int stmt, int trip)
{
    struct cs_assumed *o = p->out;
    assert(stmt >= 0 && p->g->stmts[stmt].kind == CS_STMT_COND && trip >= -1);
    o->decided = cs_realloc(o->decided, (o->ndecided + 1) * sizeof *o->decided);
    o->decided[o->ndecided] = (struct cs_decided){stmt, {CS_EDGE_FREE, CS_EDGE_FREE}, trip};
    return &o->decided[o->ndecided++];
}

/* Cuts an edge of a branch, and records it. */
static void cut(struct place *p, int block, int edge, enum cs_edge_rule rule, int trip)
{
    struct cs_decided *d = decide(p, branch_at(p, block), trip);
    p->f->blocks[block].never[edge] = true;
    d->rule[edge] = rule;
}

/* ---- never and always ---- */

int cs_assume_true_edge(const struct cs_graph *g, int stmt)
{
    return g->stmts[stmt].flipped ? 1 : 0;
}

/* Does neither edge of the branch lead to another branch of the line? */
static bool ends_chain(const struct place *p, int block)
{
    for (int i = 0; i < 2; i++) {
        int t = edge_target(p, block, i);
        if (t != block && branch_at(p, t) >= 0)
            return false;
    }
    return true;
}

/* Cuts all edges from branches of the line to block `dead`. */
static void cut_to(struct place *p, int dead)
{
    for (int b = 0; b < p->f->nblocks; b++)
        for (int i = 0; i < 2 && branch_at(p, b) >= 0; i++)
            if (edge_target(p, b, i) == dead && !p->f->blocks[b].never[0] && !p->f->blocks[b].never[1])
                cut(p, b, i, CS_EDGE_DEAD, -1);
}

static void cut_function(struct place *p)
{
    for (int last = 0; last < p->f->nblocks; last++) {
        int s = branch_at(p, last);
        if (s < 0 || !ends_chain(p, last))
            continue;
        int holds = cs_assume_true_edge(p->g, s);
        cut_to(p, edge_target(p, last, p->a->kind == CS_ASSUME_ALWAYS ? !holds : holds));
    }
}

/* ---- loops ---- */

/* A natural loop: its blocks (in[b], by block of the function), and the one through which it is entered, -1: none. */
struct loop {
    bool *in;
    int header;
};

/* Adds to `seen` what can be reached from `from` through blocks of `within`, by one edge at least. */
static void spread(const struct cs_func *f, const bool *within, bool *seen, int from)
{
    struct cs_intlist work = {0};
    cs_intlist_add(&work, from);
    while (work.n) {
        const struct cs_block *b = &f->blocks[work.a[--work.n]];
        for (int i = 0; i < b->nsuccs; i++) {
            int t = b->succs[i];
            if (b->never[i] || t < 0 || !within[t] || seen[t])
                continue;
            seen[t] = true;
            cs_intlist_add(&work, t);
        }
    }
    cs_intlist_free(&work);
}

/* Adds to `seen` the blocks of `within` from which `to` can be reached. */
static void spread_back(const struct cs_func *f, const bool *within, bool *seen, int to)
{
    for (bool again = true; again;) {
        again = false;
        for (int b = f->nblocks - 1; b >= 0; b--)
            for (int i = 0; within[b] && !seen[b] && i < f->blocks[b].nsuccs; i++) {
                int t = f->blocks[b].succs[i];
                if (!f->blocks[b].never[i] && t >= 0 && (t == to || seen[t]))
                    seen[b] = again = true;
            }
    }
}

/* Blocks of `within` on a way from b to b; false if there is none. */
static bool cycle_of(const struct cs_func *f, const bool *within, int b, bool *in)
{
    bool *to = cs_calloc(f->nblocks + 1, 1);
    memset(in, 0, f->nblocks);
    spread(f, within, in, b);
    spread_back(f, within, to, b);
    for (int i = 0; i < f->nblocks; i++)
        in[i] = in[i] && to[i];
    free(to);
    return in[b];
}

/* The only block through which the set is entered, -1 if there are several. */
static int entry_of(const struct cs_func *f, const bool *there, const bool *in)
{
    int header = in[0] ? 0 : -1;
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->blocks[b].nsuccs; i++) {
            int t = f->blocks[b].succs[i];
            if (!there[b] || in[b] || t < 0 || !in[t] || t == header)
                continue;
            if (header >= 0)
                return -1;
            header = t;
        }
    return header;
}

/* Finds the innermost loop around b. False if there is none, or one with several entries, which goto makes. The caller
 * frees l->in in any case. */
static bool innermost(const struct cs_func *f, int b, struct loop *l)
{
    bool *there = cs_calloc(f->nblocks + 1, 1), *within = cs_calloc(f->nblocks + 1, 1),
         *in = cs_calloc(f->nblocks + 1, 1);
    for (int i = 0; i < f->nblocks; i++)
        within[i] = true;
    there[0] = true;
    spread(f, within, there, 0);
    l->in = cs_calloc(f->nblocks + 1, 1);
    l->header = -1;
    memcpy(within, there, f->nblocks);
    while (there[b] && l->header != b && cycle_of(f, within, b, in)) {
        l->header = entry_of(f, there, in);
        memcpy(l->in, in, f->nblocks);
        if (l->header < 0)
            break;
        memcpy(within, in, f->nblocks);
        within[l->header] = false;
    }
    free(there);
    free(within);
    free(in);
    return l->header >= 0;
}

static bool leaves(const struct place *p, const struct loop *l, int block, int edge)
{
    assert(edge >= 0 && edge < p->f->blocks[block].nsuccs);
    int t = p->f->blocks[block].succs[edge];
    return t < 0 || !l->in[t];
}

/* ---- trip counts ---- */

/* Is the block's branch one of the chain: of the line, with `l` as its innermost loop? */
static bool in_chain(const struct place *p, const struct loop *l, int block)
{
    struct loop own;
    if (block < 0 || !l->in[block] || branch_at(p, block) < 0)
        return false;
    bool same = innermost(p->f, block, &own) && own.header == l->header;
    free(own.in);
    return same;
}

/* Does the edge lead to the next branch of the chain? Not so the edge back to the header: it begins an iteration. */
static bool to_chain(const struct place *p, const struct loop *l, int block, int edge)
{
    int t = edge_target(p, block, edge);
    return !leaves(p, l, block, edge) && t != l->header && in_chain(p, l, t);
}

/* Is the condition looked at before anything else of an iteration, as in `while`? */
static bool tests_first(const struct place *p, const struct loop *l, int last, int stay)
{
    bool at_once = in_chain(p, l, l->header) || leads_to(p, l->header, last);
    return at_once && edge_target(p, last, stay) != l->header && all_of_line(p, l->header);
}

/* Does every iteration look at the condition? */
static bool always_tested(const struct place *p, const struct loop *l)
{
    if (in_chain(p, l, l->header))
        return true;
    bool *within = cs_calloc(p->f->nblocks + 1, 1), *seen = cs_calloc(p->f->nblocks + 1, 1);
    for (int b = 0; b < p->f->nblocks; b++)
        within[b] = l->in[b] && !in_chain(p, l, b);
    spread(p->f, within, seen, l->header);
    bool skipped = seen[l->header];
    free(within);
    free(seen);
    return !skipped;
}

static void find_entries(const struct place *p, const struct loop *l, struct cs_trip *t)
{
    t->entries = cs_calloc(p->f->nblocks + 1, sizeof *t->entries);
    for (int b = 0; b < p->f->nblocks; b++) {
        bool enters = false;
        for (int i = 0; i < p->f->blocks[b].nsuccs; i++)
            enters |= p->f->blocks[b].succs[i] == l->header;
        if (enters && !l->in[b])
            t->entries[t->nentries++] = b;
    }
}

/* Does a branch of the line lead into the loop from outside, or past it? */
static bool guarded_ahead(const struct place *p, const struct loop *l)
{
    for (int b = 0; b < p->f->nblocks; b++)
        if (!l->in[b] && branch_at(p, b) >= 0)
            return true;
    return false;
}

/* Decides the branch before a DO loop with which gfortran asks whether the loop is entered. True if there is one. */
static bool decide_guards(struct place *p, const struct loop *l)
{
    bool any = false;
    for (int b = 0; b < p->f->nblocks; b++) {
        if (l->in[b] || branch_at(p, b) < 0)
            continue;
        bool in[2];
        for (int i = 0; i < 2; i++) {
            int t = edge_target(p, b, i);
            in[i] = t >= 0 && l->in[t];
        }
        if (in[0] == in[1])
            continue;
        int entering = in[1] ? 1 : 0;
        cut(p, b, p->a->trips ? !entering : entering, CS_EDGE_DEAD, -1);
        any = true;
    }
    return any;
}

/* The block of the chain's last branch, which must leave the loop by one of its edges; -1 if there is no single one. */
static int chain_end(const struct place *p, const struct loop *l)
{
    int last = -1;
    for (int b = 0; b < p->f->nblocks; b++) {
        if (!in_chain(p, l, b) || to_chain(p, l, b, 0) || to_chain(p, l, b, 1))
            continue;
        if (last >= 0)
            return -1;
        last = b;
    }
    return last >= 0 && leaves(p, l, last, 0) != leaves(p, l, last, 1) ? last : -1;
}

static struct cs_expr *copy_of(const struct cs_expr *e)
{
    return memcpy(cs_realloc(NULL, sizeof *e), e, sizeof *e);
}

/* The trip count is an expression: its own copy, and the branch that asks may go another way on each rank. */
static void take_expression(struct place *p, struct cs_trip *t, bool first)
{
    t->limit = 0;
    t->later = !first;
    t->value = copy_of(&p->a->value);
    p->g->stmts[t->stmt].varies = true;
}

/* Removes the operands of the branch: it will ask the counter instead. */
static void take_inputs(struct cs_stmt *s)
{
    for (int i = 0; i < s->nuses; i++)
        s->uses[i] = cs_opnd_none();
}

/* Decides the branches of the chain: edges out of the loop get CS_EDGE_EXIT, edges into its body CS_EDGE_BODY. Both are
 * cut, except at the last branch, which asks the counter. */
static void rule_out(struct place *p, const struct loop *l, int last, int trip)
{
    for (int b = 0; b < p->f->nblocks; b++) {
        if (!in_chain(p, l, b))
            continue;
        struct cs_decided *d = decide(p, branch_at(p, b), trip);
        for (int i = 0; i < 2; i++) {
            if (to_chain(p, l, b, i))
                continue;
            d->rule[i] = leaves(p, l, b, i) ? CS_EDGE_EXIT : CS_EDGE_BODY;
        }
    }
    /* Cut after all are decided: a cut edge would change what belongs to the chain. */
    for (int k = 0; k < p->out->ndecided; k++) {
        const struct cs_decided *d = &p->out->decided[k];
        int b = p->g->stmts[d->stmt].block;
        for (int i = 0; i < 2 && d->trip == trip && b != last; i++)
            if (d->rule[i] != CS_EDGE_FREE)
                p->f->blocks[b].never[i] = true;
    }
}

static int refuse(const struct cs_assumption *a, const char *why, char *err, size_t errlen)
{
    if (a->trips < 0)
        snprintf(err, errlen, "assumption about the iterations at %s:%d: %s", a->file, a->line, why);
    else
        snprintf(err, errlen, "assumption '%s:%d=%lld': %s", a->file, a->line, (long long)a->trips, why);
    return -1;
}

/* Gives one loop the trip count. 0, or -1 with a message in err if no single condition is asked in each iteration. */
static int count_loop(struct place *p, const struct loop *l, char *err, size_t errlen)
{
    int last = chain_end(p, l);
    if (last < 0)
        return refuse(p->a, "more than one condition of this line leaves the loop", err, errlen);
    int out = leaves(p, l, last, 0) ? 0 : 1;
    if (!always_tested(p, l))
        return refuse(p->a, "the loop has iterations that do not come to this condition", err, errlen);
    if (l->header == 0)
        return refuse(p->a, "the function begins inside the loop", err, errlen);
    bool first = tests_first(p, l, last, !out), expression = p->a->trips < 0;
    if (expression && guarded_ahead(p, l))
        return refuse(p->a, "the line also asks before the loop, so that the count must be a number", err, errlen);
    bool guarded = !expression && decide_guards(p, l);
    if (guarded && p->a->trips == 0)
        return 0;
    if (!first && p->a->trips == 0)
        return refuse(p->a, "the condition is looked at after an iteration, so there is at least one", err, errlen);
    struct cs_assumed *o = p->out;
    o->trips = cs_realloc(o->trips, (o->ntrips + 1) * sizeof *o->trips);
    struct cs_trip *t = &o->trips[o->ntrips];
    *t = (struct cs_trip){.func = p->func, .header = l->header, .stmt = branch_at(p, last), .exit_edge = out};
    t->limit = first ? p->a->trips : p->a->trips - 1;
    if (expression)
        take_expression(p, t, first);
    assert(t->limit >= 0);
    find_entries(p, l, t);
    assert(t->nentries > 0); /* the header is not the function's first block */
    rule_out(p, l, last, o->ntrips);
    take_inputs(&p->g->stmts[t->stmt]);
    o->ntrips++;
    return 0;
}

/* Gives the trip count to each loop that a branch of the line leaves. */
static int count_function(struct place *p, char *err, size_t errlen)
{
    bool *done = cs_calloc(p->f->nblocks + 1, 1);
    int rc = 0;
    for (int b = 0; b < p->f->nblocks && rc == 0; b++) {
        struct loop l;
        if (branch_at(p, b) < 0)
            continue;
        if (innermost(p->f, b, &l) && !done[l.header] && (leaves(p, &l, b, 0) || leaves(p, &l, b, 1))) {
            done[l.header] = true;
            rc = count_loop(p, &l, err, errlen);
        }
        free(l.in);
    }
    free(done);
    return rc;
}

/* ---- when ---- */

/* The line's only branch asks the expression. 0, or -1 with a message in err. */
static int ask_function(struct place *p, char *err, size_t errlen)
{
    struct cs_assumed *o = p->out;
    int before = o->nwhens;
    for (int b = 0; b < p->f->nblocks; b++) {
        int s = p->a->nth ? branch_at(p, b) : branch_of_line(p, b);
        if (s < 0)
            continue;
        if (o->nwhens > before) {
            snprintf(err, errlen, "assumption about when '%s:%d' holds: the line has several comparisons", p->a->file,
                     p->a->line);
            return -1;
        }
        o->whens = cs_realloc(o->whens, (o->nwhens + 1) * sizeof *o->whens);
        o->whens[o->nwhens++] = (struct cs_when){p->func, s, cs_assume_true_edge(p->g, s), copy_of(&p->a->value)};
        decide(p, s, -1);
        take_inputs(&p->g->stmts[s]);
        p->g->stmts[s].varies = true;
    }
    return 0;
}

static bool has_branch(const struct place *p)
{
    for (int b = 0; b < p->f->nblocks; b++)
        if (branch_at(p, b) >= 0)
            return true;
    return false;
}

int cs_assume_apply(struct cs_graph *g, const struct cs_assumption *a, struct cs_assumed *out, char *err, size_t errlen)
{
    int before = out->ndecided;
    if (a->kind == CS_ASSUME_NO_READ_BACK) {
        g->no_read_back = true; /* slicer/live/live_files.c */
        return 1;
    }
    assert(a->line > 0 && a->nth >= 0 && a->kind != CS_ASSUME_VALUE);
    bool seen = false;
    for (int f = 0; f < g->nfuncs; f++) {
        struct place p = {g, f, &g->funcs[f], a, out};
        if (!g->funcs[f].defined || !has_branch(&p))
            continue;
        seen = true;
        if (a->kind == CS_ASSUME_NEVER || a->kind == CS_ASSUME_ALWAYS)
            cut_function(&p);
        else if (a->kind == CS_ASSUME_WHEN && ask_function(&p, err, errlen))
            return -1;
        else if (a->kind == CS_ASSUME_TRIPS && count_function(&p, err, errlen))
            return -1;
    }
    if (seen && a->kind == CS_ASSUME_TRIPS && out->ndecided == before)
        return refuse(a, "no condition of this line leaves a loop", err, errlen);
    return out->ndecided - before;
}

/* ---- what can be said of a branch ---- */

static bool same_line(const struct cs_stmt *a, const struct cs_stmt *b)
{
    return a->line == b->line && a->file == b->file;
}

/* Has the loop a way out on another line than that of the branch? */
static bool other_way_out(const struct place *p, const struct loop *l, int stmt)
{
    const struct cs_stmt *s = &p->g->stmts[stmt];
    for (int b = 0; b < p->f->nblocks; b++) {
        int br = l->in[b] ? cs_block_branch(p->g, p->func, b) : -1;
        for (int i = 0; l->in[b] && i < p->f->blocks[b].nsuccs; i++)
            if ((br < 0 || !same_line(&p->g->stmts[br], s)) && leaves(p, l, b, i) && !p->f->blocks[b].never[i] &&
                !p->f->blocks[b].eh[i])
                return true;
    }
    return false;
}

enum cs_leaving cs_assume_leaving(struct cs_graph *g, int stmt, int *edge)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    struct place p = {g, s->func, &g->funcs[s->func], NULL, NULL};
    struct loop l = {NULL, -1};
    enum cs_leaving found = CS_LEAVES_NONE;
    if (p.f->blocks[s->block].nsuccs == 2 && innermost(p.f, s->block, &l) &&
        leaves(&p, &l, s->block, 0) != leaves(&p, &l, s->block, 1)) {
        *edge = leaves(&p, &l, s->block, 0) ? 0 : 1;
        found = other_way_out(&p, &l, stmt) ? CS_LEAVES_ONE_WAY : CS_LEAVES_ONLY_WAY;
    }
    free(l.in);
    return found;
}

/* The next branch of the same line and function, in the order of blocks from `block` on; -1 if there is no more. */
static int next_of_line(const struct cs_graph *g, int stmt, int block)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    const struct cs_func *f = &g->funcs[s->func];
    for (int b = block; b < f->nblocks; b++) {
        int br = f->blocks[b].nsuccs == 2 ? cs_block_branch(g, s->func, b) : -1;
        if (br >= 0 && g->stmts[br].kind == CS_STMT_COND && same_line(&g->stmts[br], s))
            return br;
    }
    return -1;
}

enum cs_leaving cs_assume_line_leaves(struct cs_graph *g, int *stmt, int *edge)
{
    for (int s = next_of_line(g, *stmt, 0); s >= 0; s = next_of_line(g, *stmt, g->stmts[s].block + 1)) {
        enum cs_leaving found = cs_assume_leaving(g, s, edge);
        if (found == CS_LEAVES_NONE)
            continue;
        *stmt = s;
        return found;
    }
    return CS_LEAVES_NONE;
}

int cs_assume_asked_first(struct cs_graph *g, int stmt)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    struct cs_assumption a = {.line = s->line};
    struct place p = {g, s->func, &g->funcs[s->func], &a, NULL};
    struct loop l;
    int first = -1;
    snprintf(a.file, sizeof a.file, "%s", cs_graph_str(g, s->file));
    if (innermost(p.f, s->block, &l)) {
        int last = chain_end(&p, &l);
        if (last >= 0 && always_tested(&p, &l))
            first = tests_first(&p, &l, last, leaves(&p, &l, last, 0));
        if (guarded_ahead(&p, &l))
            first = -1;
    }
    free(l.in);
    return first;
}

/* Has another function a branch of the line? */
static bool only_function_of_line(const struct cs_graph *g, int stmt)
{
    for (int i = 0; i < g->nstmts; i++)
        if (g->stmts[i].func != g->stmts[stmt].func && g->stmts[i].kind == CS_STMT_COND &&
            same_line(&g->stmts[i], &g->stmts[stmt]))
            return false;
    return true;
}

bool cs_assume_only_when(struct cs_graph *g, int stmt, int *nth)
{
    int edge;
    *nth = cs_assume_nth(g, stmt);
    return only_function_of_line(g, stmt) && cs_assume_leaving(g, stmt, &edge) == CS_LEAVES_NONE;
}

/* Are all branches of the line parts of the condition that ends this loop? */
static bool all_in_chain(const struct place *p, const struct loop *l, int stmt)
{
    for (int b = 0; b < p->f->nblocks; b++)
        if (branch_of_line(p, b) >= 0 && !in_chain(p, l, b))
            return false;
    return only_function_of_line(p->g, stmt);
}

/* Notes the branches of the chain, and by which edges they leave the loop. */
static void find_asks(const struct place *p, const struct loop *l, struct cs_trip *t)
{
    t->asks = cs_calloc(p->f->nblocks + 1, sizeof *t->asks);
    for (int b = 0; b < p->f->nblocks; b++) {
        if (!in_chain(p, l, b))
            continue;
        struct cs_decided *d = &t->asks[t->nasks++];
        *d = (struct cs_decided){.stmt = branch_at(p, b), .trip = -1};
        for (int i = 0; i < 2; i++)
            d->rule[i] = leaves(p, l, b, i) ? CS_EDGE_EXIT : CS_EDGE_FREE;
    }
}

bool cs_assume_only_trip(struct cs_graph *g, int stmt, struct cs_trip *t)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    struct cs_assumption a = {.line = s->line};
    struct place p = {g, s->func, &g->funcs[s->func], &a, NULL};
    struct loop l;
    int first = cs_assume_asked_first(g, stmt);
    snprintf(a.file, sizeof a.file, "%s", cs_graph_str(g, s->file));
    if (first < 0)
        return false;
    bool can = innermost(p.f, s->block, &l) && l.header > 0 && all_in_chain(&p, &l, stmt);
    int last = can ? chain_end(&p, &l) : -1;
    if (last >= 0) {
        *t = (struct cs_trip){.func = s->func, .header = l.header, .stmt = branch_at(&p, last), .later = !first};
        t->exit_edge = leaves(&p, &l, last, 0) ? 0 : 1;
        find_entries(&p, &l, t);
        find_asks(&p, &l, t);
    }
    free(l.in);
    return last >= 0;
}

int cs_assume_nth(struct cs_graph *g, int stmt)
{
    int nth = 0, n = 0;
    for (int s = next_of_line(g, stmt, 0); s >= 0; s = next_of_line(g, stmt, g->stmts[s].block + 1)) {
        n++;
        if (s == stmt)
            nth = n;
    }
    return n > 1 ? nth : 0;
}

void cs_assumed_free(struct cs_assumed *out)
{
    for (int i = 0; i < out->ntrips; i++) {
        free(out->trips[i].entries);
        free(out->trips[i].asks);
        free(out->trips[i].value);
    }
    for (int i = 0; i < out->nwhens; i++)
        free(out->whens[i].value);
    free(out->whens);
    free(out->trips);
    free(out->decided);
}
