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

#include "slicer/control/natural_loop.h"
#include "slicer/graph/branch_lines.h"
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

/* The file's name without folders. */
static const char *name_of(const char *file)
{
    const char *base = strrchr(file, '/');
    return base ? base + 1 : file;
}

static bool file_matches(const char *have, const char *want)
{
    return !strcmp(have, name_of(want));
}

/* The first function behind `func` (-1: of all) with a body and a branch of the assumption's line; -1: none. */
static int next_func(const struct cs_graph *g, const struct cs_assumption *a, int func)
{
    do
        func = cs_branches_func(g, name_of(a->file), a->line, func);
    while (func >= 0 && !g->funcs[func].defined);
    return func;
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

/* Does every way from one block lead to the other through blocks of the assumption's line only, and not through `but`
 * (-1: through any)? */
static bool leads_without(const struct place *p, int from, int to, int but)
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
            only &= b->succs[i] >= 0 && (but < 0 || b->succs[i] != but);
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

static bool leads_to(const struct place *p, int from, int to)
{
    return leads_without(p, from, to, -1);
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

/* The number of the branch at the end of the block among those of its line, from 1: compilers begin with the
 * comparisons in the order of the source. */
static int number_of(const struct place *p, int block)
{
    int s = branch_of_line(p, block), nth = 1;
    assert(s >= 0);
    for (int b = 0; b < block; b++)
        nth += branch_of_line(p, b) >= 0;
    return p->g->stmts[s].nth ? p->g->stmts[s].nth : nth;
}

/* The branch at the end of the block if the assumption means it, or -1. FILE:LINE means all branches of the line but
 * those that only choose a value, FILE:LINE.N the Nth comparison. */
static int branch_at(const struct place *p, int block)
{
    int s = branch_of_line(p, block);
    if (!p->a->nth)
        return s >= 0 && !chooses_value(p, block) ? s : -1;
    return s >= 0 && number_of(p, block) == p->a->nth ? s : -1;
}

/* Where an edge leads: to a block, and from which other one it is entered. Merges there tell by the latter which side
 * was taken: both sides of `c ? 4 : 6` lead to one block. */
struct side {
    int block, from;
};

/* Where control comes by this edge, past blocks that do nothing but jump on. */
static struct side side_of(const struct place *p, int block, int edge)
{
    struct side s = {p->f->blocks[block].succs[edge], block};
    for (int hops = 0; s.block >= 0 && hops < 8; hops++) {
        const struct cs_block *b = &p->f->blocks[s.block];
        bool empty = true;
        for (int i = 0; i < b->nstmts; i++)
            empty &= p->g->stmts[b->stmts[i]].source < 0;
        if (!empty || b->nsuccs != 1)
            break;
        s = (struct side){b->succs[0], s.block};
    }
    return s;
}

static int edge_target(const struct place *p, int block, int edge)
{
    return side_of(p, block, edge).block;
}

/* What the merge takes where control comes from this block. */
static struct cs_operand merged_from(const struct cs_stmt *phi, int from)
{
    for (int i = 0; i < phi->nuses; i++)
        if (phi->phi_preds[i] == from)
            return phi->uses[i];
    return cs_opnd_none();
}

/* Does it make no difference by which of the two control comes? */
static bool same_side(const struct place *p, struct side a, struct side b)
{
    if (a.block != b.block || a.block < 0)
        return a.block == b.block;
    for (int i = 0; i < p->f->blocks[a.block].nstmts; i++) {
        const struct cs_stmt *s = &p->g->stmts[p->f->blocks[a.block].stmts[i]];
        bool merges = s->kind == CS_STMT_PHI && a.from != b.from;
        if (merges && !cs_opnd_same(merged_from(s, a.from), merged_from(s, b.from)))
            return false;
    }
    return true;
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

int cs_assume_true_edge(const struct cs_graph *g, int stmt, int nth)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    return s->flipped != (nth && s->turned);
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

/* Cuts this edge of the last branch of a chain, and all edges from branches of the line that lead to the same side. */
static void cut_side(struct place *p, int last, int edge)
{
    const struct side dead = side_of(p, last, edge);
    for (int b = 0; b < p->f->nblocks; b++)
        for (int i = 0; i < 2 && branch_at(p, b) >= 0; i++) {
            bool is = b == last ? i == edge : same_side(p, side_of(p, b, i), dead);
            if (is && !p->f->blocks[b].never[0] && !p->f->blocks[b].never[1])
                cut(p, b, i, CS_EDGE_DEAD, -1);
        }
}

static void cut_function(struct place *p)
{
    for (int last = 0; last < p->f->nblocks; last++) {
        int s = branch_at(p, last);
        if (s < 0 || !ends_chain(p, last))
            continue;
        int holds = cs_assume_true_edge(p->g, s, p->a->nth);
        cut_side(p, last, p->a->kind == CS_ASSUME_ALWAYS ? !holds : holds);
    }
}

/* ---- trip counts ---- */

/* Do both sides of the branch come to another one of the line in the same iteration? Then it is no part of the
 * condition by which the loop ends: `do { if (n & 1) ones++; n >>= 1; } while (n);`. */
static bool rejoins(const struct place *p, const struct cs_natural_loop *l, int block)
{
    for (int to = 0; to < p->f->nblocks; to++)
        if (to != block && l->in[to] && branch_at(p, to) >= 0 && leads_without(p, block, to, l->header))
            return true;
    return false;
}

/* Is the block's branch one of the chain: of the line, with `l` as its innermost loop? */
static bool in_chain(const struct place *p, const struct cs_natural_loop *l, int block)
{
    struct cs_natural_loop own;
    if (block < 0 || !l->in[block] || branch_at(p, block) < 0 || (!p->a->nth && rejoins(p, l, block)))
        return false;
    bool same = cs_natural_loop_find(p->g, p->func, block, &own) && own.header == l->header;
    free(own.in);
    return same;
}

/* Does an iteration begin with this block? */
static bool begins(const struct cs_natural_loop *l, int block)
{
    return block == l->header || block == l->body;
}

/* Does the edge lead to the next branch of the chain? Not so the edge back to the header: it begins an iteration. */
static bool to_chain(const struct place *p, const struct cs_natural_loop *l, int block, int edge)
{
    int t = edge_target(p, block, edge);
    return !cs_natural_loop_left(p->g, p->func, l, block, edge) && !begins(l, t) && in_chain(p, l, t);
}

/* Is the condition looked at before anything else of an iteration, as in `while`? */
static bool tests_first(const struct place *p, const struct cs_natural_loop *l, int last, int stay)
{
    bool at_once = in_chain(p, l, l->body) || leads_to(p, l->body, last);
    return at_once && !begins(l, edge_target(p, last, stay)) && all_of_line(p, l->body);
}

/* Does every iteration look at the condition? */
static bool always_tested(const struct place *p, const struct cs_natural_loop *l)
{
    if (in_chain(p, l, l->body))
        return true;
    bool *within = cs_calloc(p->f->nblocks + 1, 1), *seen = cs_calloc(p->f->nblocks + 1, 1);
    for (int b = 0; b < p->f->nblocks; b++)
        within[b] = l->in[b] && !in_chain(p, l, b);
    cs_flow_spread(p->f, within, seen, l->body);
    bool skipped = seen[l->body];
    free(within);
    free(seen);
    return !skipped;
}

static void find_entries(const struct place *p, const struct cs_natural_loop *l, struct cs_trip *t)
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
static bool guarded_ahead(const struct place *p, const struct cs_natural_loop *l)
{
    for (int b = 0; b < p->f->nblocks; b++)
        if (!l->in[b] && branch_at(p, b) >= 0)
            return true;
    return false;
}

/* Decides the branch before a DO loop with which gfortran asks whether the loop is entered. True if there is one. */
static bool decide_guards(struct place *p, const struct cs_natural_loop *l)
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
static int chain_end(const struct place *p, const struct cs_natural_loop *l)
{
    int last = -1;
    for (int b = 0; b < p->f->nblocks; b++) {
        if (!in_chain(p, l, b) || to_chain(p, l, b, 0) || to_chain(p, l, b, 1))
            continue;
        if (last >= 0)
            return -1;
        last = b;
    }
    return last >= 0 &&
                   cs_natural_loop_left(p->g, p->func, l, last, 0) != cs_natural_loop_left(p->g, p->func, l, last, 1)
               ? last
               : -1;
}

/* The side to which the last branch of the chain leaves the loop. */
static struct side exit_of(const struct place *p, const struct cs_natural_loop *l, int last)
{
    return side_of(p, last, cs_natural_loop_left(p->g, p->func, l, last, 0) ? 0 : 1);
}

/* Do all comparisons leave the loop to one side? Not so if what follows asks which of them ended it, and GCC has seen
 * that: it goes to other places, or merges what it knows there. */
static bool one_exit(const struct place *p, const struct cs_natural_loop *l, int last)
{
    const struct side to = exit_of(p, l, last);
    for (int b = 0; b < p->f->nblocks; b++)
        for (int i = 0; i < 2 && in_chain(p, l, b); i++)
            if (cs_natural_loop_left(p->g, p->func, l, b, i) && !same_side(p, side_of(p, b, i), to))
                return false;
    return true;
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

/* Decides the branches of the chain: edges out of the loop, to where the last one leaves it, get CS_EDGE_EXIT, others
 * out of it CS_EDGE_DEAD, edges into its body CS_EDGE_BODY. All are cut, except at the last branch, which asks the
 * counter. */
static void rule_out(struct place *p, const struct cs_natural_loop *l, int last, int trip)
{
    const struct side to = exit_of(p, l, last);
    for (int b = 0; b < p->f->nblocks; b++) {
        if (!in_chain(p, l, b))
            continue;
        struct cs_decided *d = decide(p, branch_at(p, b), trip);
        for (int i = 0; i < 2; i++) {
            if (to_chain(p, l, b, i))
                continue;
            bool out = cs_natural_loop_left(p->g, p->func, l, b, i);
            d->rule[i] = !out ? CS_EDGE_BODY : same_side(p, side_of(p, b, i), to) ? CS_EDGE_EXIT : CS_EDGE_DEAD;
        }
    }
    /* Cut after all are decided: a cut edge would change what belongs to the chain. That a branch goes on says nothing
     * of what it compares, as the count decides. */
    for (int k = 0; k < p->out->ndecided; k++) {
        const struct cs_decided *d = &p->out->decided[k];
        int b = p->g->stmts[d->stmt].block;
        if (d->trip != trip)
            continue;
        take_inputs(&p->g->stmts[d->stmt]);
        for (int i = 0; i < 2 && b != last; i++)
            p->f->blocks[b].never[i] |= d->rule[i] != CS_EDGE_FREE;
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
static int count_loop(struct place *p, const struct cs_natural_loop *l, char *err, size_t errlen)
{
    int last = chain_end(p, l);
    if (last < 0)
        return refuse(p->a, "more than one condition of this line leaves the loop", err, errlen);
    int out = cs_natural_loop_left(p->g, p->func, l, last, 0) ? 0 : 1;
    if (!always_tested(p, l))
        return refuse(p->a, "the loop has iterations that do not come to this condition", err, errlen);
    if (l->header == 0)
        return refuse(p->a, "the function begins inside the loop", err, errlen);
    bool first = tests_first(p, l, last, !out), expression = p->a->trips < 0;
    if (expression && !one_exit(p, l, last))
        return refuse(p->a,
                      "its comparisons end the loop for different places, so that the count must be that of one, "
                      "as in FILE:LINE.2=COUNT",
                      err, errlen);
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
    *t = (struct cs_trip){.func = p->func, .header = l->body, .stmt = branch_at(p, last), .exit_edge = out};
    t->limit = first ? p->a->trips : p->a->trips - 1;
    if (expression)
        take_expression(p, t, first);
    assert(t->limit >= 0);
    find_entries(p, l, t);
    assert(t->nentries > 0); /* the header is not the function's first block */
    rule_out(p, l, last, o->ntrips);
    o->ntrips++;
    return 0;
}

/* Gives the trip count to each loop that a branch of the line leaves. */
static int count_function(struct place *p, char *err, size_t errlen)
{
    bool *done = cs_calloc(p->f->nblocks + 1, 1);
    int rc = 0;
    for (int b = 0; b < p->f->nblocks && rc == 0; b++) {
        struct cs_natural_loop l;
        if (branch_at(p, b) < 0)
            continue;
        if (cs_natural_loop_find(p->g, p->func, b, &l) && !done[l.header] &&
            (cs_natural_loop_left(p->g, p->func, &l, b, 0) || cs_natural_loop_left(p->g, p->func, &l, b, 1))) {
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
        o->whens[o->nwhens++] =
            (struct cs_when){p->func, s, cs_assume_true_edge(p->g, s, p->a->nth), copy_of(&p->a->value)};
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

/* Is the Kth comparison of the line another one in the source, perhaps? The compiler may have joined it, or others
 * before it. */
static bool joined_before(const struct place *p)
{
    for (int b = 0; b < p->f->nblocks; b++) {
        int s = branch_of_line(p, b);
        if (s >= 0 && p->g->stmts[s].joined && number_of(p, b) <= p->a->nth)
            return true;
    }
    return false;
}

static int refuse_joined(const struct cs_assumption *a, char *err, size_t errlen)
{
    snprintf(err, errlen,
             "assumption about '%s:%d.%d': the compiler has joined comparisons of this line (as of 0 <= i && i < 10), "
             "so that the one of this number may not be the source's: say it of the whole condition, or give these "
             "comparisons lines of their own, or compile the file with -O0",
             a->file, a->line, a->nth);
    return -1;
}

/* Is it not known whether the branch that the assumption names asks the opposite of its comparison? */
static bool is_unsure(const struct place *p)
{
    for (int b = 0; p->a->nth && b < p->f->nblocks; b++) {
        int s = branch_at(p, b);
        if (s >= 0 && p->g->stmts[s].unsure)
            return true;
    }
    return false;
}

static int refuse_unsure(const struct cs_assumption *a, char *err, size_t errlen)
{
    snprintf(
        err, errlen,
        "assumption about '%s:%d.%d': the line negates several comparisons (as !(a || b) does) in a way in which it "
        "is not known which of them the compiler has turned: say it of the whole condition, or write it without "
        "that negation, or on one line without macros",
        a->file, a->line, a->nth);
    return -1;
}

int cs_assume_apply(struct cs_graph *g, const struct cs_assumption *a, struct cs_assumed *out, char *err, size_t errlen)
{
    int before = out->ndecided;
    if (a->kind == CS_ASSUME_NO_READ_BACK) {
        g->no_read_back = true; /* slicer/live/live_files.c */
        return 1;
    }
    if (a->kind == CS_ASSUME_NO_MPI_ERRORS) {
        g->no_mpi_errors = true; /* slicer/model/mpi_model.c */
        return 1;
    }
    assert(a->line > 0 && a->nth >= 0 && a->kind != CS_ASSUME_VALUE);
    bool seen = false;
    for (int f = next_func(g, a, -1); f >= 0; f = next_func(g, a, f)) {
        struct place p = {g, f, &g->funcs[f], a, out};
        if (joined_before(&p))
            return refuse_joined(a, err, errlen);
        if (is_unsure(&p))
            return refuse_unsure(a, err, errlen);
        if (!has_branch(&p))
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

bool cs_assume_has_line(struct cs_graph *g, const struct cs_assumption *a)
{
    struct cs_assumption line = *a;
    line.nth = 0;
    for (int f = next_func(g, a, -1); f >= 0; f = next_func(g, a, f)) {
        struct place p = {g, f, &g->funcs[f], &line, NULL};
        if (has_branch(&p))
            return true;
    }
    return false;
}

/* ---- what can be said of a branch ---- */

static bool same_line(const struct cs_stmt *a, const struct cs_stmt *b)
{
    return a->line == b->line && a->file == b->file;
}

/* Has the loop a way out on another line than that of the branch? */
static bool other_way_out(const struct place *p, const struct cs_natural_loop *l, int stmt)
{
    const struct cs_stmt *s = &p->g->stmts[stmt];
    for (int b = 0; b < p->f->nblocks; b++) {
        int br = l->in[b] ? cs_block_branch(p->g, p->func, b) : -1;
        for (int i = 0; l->in[b] && i < p->f->blocks[b].nsuccs; i++)
            if ((br < 0 || !same_line(&p->g->stmts[br], s)) && cs_natural_loop_left(p->g, p->func, l, b, i) &&
                !p->f->blocks[b].never[i] && !p->f->blocks[b].eh[i])
                return true;
    }
    return false;
}

enum cs_leaving cs_assume_leaving(struct cs_graph *g, int stmt, int *edge)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    struct place p = {g, s->func, &g->funcs[s->func], NULL, NULL};
    struct cs_natural_loop l = {NULL, -1, -1};
    enum cs_leaving found = CS_LEAVES_NONE;
    if (p.f->blocks[s->block].nsuccs == 2 && cs_natural_loop_find(g, s->func, s->block, &l) &&
        cs_natural_loop_left(g, s->func, &l, s->block, 0) != cs_natural_loop_left(g, s->func, &l, s->block, 1)) {
        *edge = cs_natural_loop_left(g, s->func, &l, s->block, 0) ? 0 : 1;
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
    struct cs_natural_loop l;
    int first = -1;
    snprintf(a.file, sizeof a.file, "%s", cs_graph_str(g, s->file));
    if (cs_natural_loop_find(g, s->func, s->block, &l)) {
        int last = chain_end(&p, &l);
        if (last >= 0 && always_tested(&p, &l))
            first = tests_first(&p, &l, last, cs_natural_loop_left(g, s->func, &l, last, 0));
        if (guarded_ahead(&p, &l))
            first = -1;
    }
    free(l.in);
    return first;
}

bool cs_assume_one_function(const struct cs_graph *g, int stmt)
{
    int n;
    const int *b = cs_branches_at(g, g->stmts[stmt].line, &n);
    for (int i = 0; i < n; i++)
        if (g->funcs[g->stmts[b[i]].func].source != g->funcs[g->stmts[stmt].func].source &&
            same_line(&g->stmts[b[i]], &g->stmts[stmt]))
            return false;
    return true;
}

bool cs_assume_only_when(struct cs_graph *g, int stmt, int *nth)
{
    int edge;
    *nth = cs_assume_nth(g, stmt);
    return *nth >= 0 && cs_assume_one_function(g, stmt) && cs_assume_leaving(g, stmt, &edge) == CS_LEAVES_NONE;
}

/* Are all branches of the line parts of the condition that ends this loop? */
static bool all_in_chain(const struct place *p, const struct cs_natural_loop *l, int stmt)
{
    for (int b = 0; b < p->f->nblocks; b++)
        if (branch_of_line(p, b) >= 0 && !in_chain(p, l, b))
            return false;
    return cs_assume_one_function(p->g, stmt);
}

/* Notes the branches of the chain, and by which edges they leave the loop. */
static void find_asks(const struct place *p, const struct cs_natural_loop *l, struct cs_trip *t)
{
    t->asks = cs_calloc(p->f->nblocks + 1, sizeof *t->asks);
    for (int b = 0; b < p->f->nblocks; b++) {
        if (!in_chain(p, l, b))
            continue;
        struct cs_decided *d = &t->asks[t->nasks++];
        *d = (struct cs_decided){.stmt = branch_at(p, b), .trip = -1};
        for (int i = 0; i < 2; i++)
            d->rule[i] = cs_natural_loop_left(p->g, p->func, l, b, i) ? CS_EDGE_EXIT : CS_EDGE_FREE;
    }
}

bool cs_assume_only_trip(struct cs_graph *g, int stmt, struct cs_trip *t)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    struct cs_assumption a = {.line = s->line};
    struct place p = {g, s->func, &g->funcs[s->func], &a, NULL};
    struct cs_natural_loop l;
    int first = cs_assume_asked_first(g, stmt);
    snprintf(a.file, sizeof a.file, "%s", cs_graph_str(g, s->file));
    if (first < 0)
        return false;
    bool can = cs_natural_loop_find(g, s->func, s->block, &l) && l.header > 0 && all_in_chain(&p, &l, stmt);
    int last = can ? chain_end(&p, &l) : -1;
    if (last >= 0 && one_exit(&p, &l, last)) {
        *t = (struct cs_trip){.func = s->func, .header = l.body, .stmt = branch_at(&p, last), .later = !first};
        t->exit_edge = cs_natural_loop_left(g, s->func, &l, last, 0) ? 0 : 1;
        find_entries(&p, &l, t);
        find_asks(&p, &l, t);
    } else
        last = -1;
    free(l.in);
    return last >= 0;
}

int cs_assume_nth(struct cs_graph *g, int stmt)
{
    const struct cs_stmt *c = &g->stmts[stmt];
    struct cs_assumption a = {.line = c->line};
    struct place p = {g, c->func, &g->funcs[c->func], &a, NULL};
    snprintf(a.file, sizeof a.file, "%s", cs_graph_str(g, c->file));
    int nth = number_of(&p, c->block), n = 0, same = 0;
    bool known = !c->unsure;
    for (int b = 0; b < p.f->nblocks; b++) {
        int s = branch_of_line(&p, b), number = s >= 0 ? number_of(&p, b) : 0;
        n += number > 0;
        same += number == nth;
        known &= !number || number > nth || !g->stmts[s].joined;
    }
    return n <= 1 ? 0 : known && same == 1 ? nth : -1;
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
