/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pruning of error exits, post-dominators and control dependence; cfg.h.
 * Post-dominators by Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", 2001, on the reversed graph. */
#include "slicer/control/cfg.h"

#include <stdlib.h>
#include <string.h>

#include "slicer/control/phase.h"
#include "slicer/control/throws.h"

int cs_block_ways(const struct cs_block *b)
{
    int n = 0;
    for (int i = 0; i < b->nsuccs; i++)
        n += !b->never[i];
    return n;
}

void cs_cfg_reach(struct cs_graph *g, int func)
{
    struct cs_func *f = &g->funcs[func];
    struct cs_intlist work = {0};
    for (int i = 0; i < f->nblocks; i++)
        f->blocks[i].reachable = false;
    if (f->nblocks) {
        f->blocks[0].reachable = true;
        cs_intlist_add(&work, 0);
    }
    while (work.n) {
        struct cs_block *b = &f->blocks[work.a[--work.n]];
        for (int i = 0; i < b->nsuccs; i++) {
            int t = b->succs[i];
            if (b->never[i] || t < 0 || f->blocks[t].reachable)
                continue;
            f->blocks[t].reachable = true;
            cs_intlist_add(&work, t);
        }
    }
    cs_intlist_free(&work);
}

/* ---- error exits ---- */

struct fate {
    bool returns, exits;
}; /* of a function, in a normal run */

struct prune {
    struct cs_graph *g;
    const struct cs_effects *fx;
    struct fate *fate;
    unsigned char *phase; /* of calls that end the program */
    bool *taken;          /* functions whose address is taken */
    struct cs_catching catching;
    bool taken_exits; /* one of those may end the program, or leave by a jump */
};

enum block_end { END_NONE, END_ERROR, END_EXIT };

static enum block_end end_of_noret(struct prune *p, int stmt, enum cs_effect_noret n)
{
    bool inside = p->phase[stmt] == CS_PHASE_INSIDE;
    if (n == CS_NORET_RETURNS)
        return END_NONE;
    if (n == CS_NORET_ERROR || (n == CS_NORET_EXIT && inside) || (n == CS_NORET_JUMP && !p->catching.any))
        return END_ERROR;
    return END_EXIT;
}

static bool calls_back(const struct cs_effect *fx)
{
    for (int i = 0; fx && i < fx->nops; i++)
        if (fx->ops[i].kind == CS_EFFECT_CALLBACK || fx->ops[i].kind == CS_EFFECT_CALL_DEEP ||
            fx->ops[i].kind == CS_EFFECT_HIDDEN_CALL)
            return true;
    return false;
}

/* How a call may end. *may: it may end the run well, or leave by a jump, though it need not. */
static enum block_end call_end(struct prune *p, int stmt, bool *may)
{
    const struct cs_stmt *s = &p->g->stmts[stmt];
    *may = p->taken_exits;
    if (s->callee.kind != CS_OPND_ADDR || p->g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return END_NONE;
    int func = p->g->objs[s->callee.id].func;
    const struct fate *f = &p->fate[func];
    if (p->g->funcs[func].defined) {
        *may = f->exits;
        if (f->returns)
            return END_NONE;
        return f->exits ? END_EXIT : END_ERROR;
    }
    const struct cs_effect *fx = cs_effects_find(p->fx, cs_func_name(p->g, func));
    *may = (calls_back(fx) && p->taken_exits) || cs_model_throws(p->catching, fx);
    return end_of_noret(p, stmt, cs_model_noret(p->fx, p->g, stmt, func));
}

/* A function that is not known, behind which the compiler sees no way on: it may end the run well. */
static bool opaque_end(struct prune *p, const struct cs_block *b)
{
    enum cs_binding bind;
    if (b->nsuccs || !b->nstmts)
        return false;
    const struct cs_stmt *s = &p->g->stmts[b->stmts[b->nstmts - 1]];
    if (s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_ADDR || p->g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return false;
    int func = p->g->objs[s->callee.id].func;
    const char *name = cs_func_name(p->g, func);
    return !p->g->funcs[func].defined && !cs_effects_find(p->fx, name) && !cs_mpi_by_symbol(name, &bind);
}

/* Does the block end the run before its end? */
static enum block_end block_end(struct prune *p, const struct cs_block *b)
{
    bool may = false;
    for (int i = 0; i < b->nstmts; i++) {
        bool here;
        if (p->g->stmts[b->stmts[i]].kind != CS_STMT_CALL)
            continue;
        enum block_end end = call_end(p, b->stmts[i], &here);
        may |= here;
        if (end == END_ERROR && may)
            return END_EXIT;
        if (end != END_NONE)
            return end;
    }
    return opaque_end(p, b) ? END_EXIT : END_NONE;
}

static bool block_may_exit(struct prune *p, const struct cs_block *b)
{
    bool may = false;
    for (int i = 0; i < b->nstmts && !may; i++)
        if (p->g->stmts[b->stmts[i]].kind == CS_STMT_CALL)
            call_end(p, b->stmts[i], &may);
    return may;
}

/* Which blocks can reach a normal end; sets fate of the function. */
static void good_blocks(struct prune *p, int func, bool *good)
{
    struct cs_func *f = &p->g->funcs[func];
    enum block_end *end = cs_calloc(f->nblocks + 1, sizeof *end);
    bool *returns = cs_calloc(f->nblocks + 1, sizeof *returns);
    struct fate fate = {false, false};
    for (int b = 0; b < f->nblocks; b++) {
        end[b] = block_end(p, &f->blocks[b]);
        good[b] = end[b] == END_EXIT || (end[b] != END_ERROR && block_may_exit(p, &f->blocks[b]));
        if (good[b] && f->blocks[b].reachable)
            fate.exits = true;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = f->nblocks - 1; b >= 0; b--) {
            if (end[b] != END_NONE)
                continue;
            for (int i = 0; i < f->blocks[b].nsuccs; i++) {
                int t = f->blocks[b].succs[i];
                if (f->blocks[b].never[i])
                    continue;
                bool r = t == CS_BLOCK_EXIT || (t >= 0 && returns[t]), gd = t == CS_BLOCK_EXIT || (t >= 0 && good[t]);
                if (r && !returns[b])
                    returns[b] = changed = true;
                if (gd && !good[b])
                    good[b] = changed = true;
            }
        }
    }
    fate.returns = f->nblocks > 0 && returns[0];
    p->fate[func] = fate;
    free(end);
    free(returns);
}

static void drop_exception_edges(struct cs_graph *g)
{
    for (int i = 0; i < g->nfuncs; i++)
        for (int b = 0; b < g->funcs[i].nblocks; b++)
            for (int k = 0; k < g->funcs[i].blocks[b].nsuccs; k++)
                if (g->funcs[i].blocks[b].eh[k])
                    g->funcs[i].blocks[b].never[k] = true;
}

/* Fates of functions whose address is taken hold for calls of which the callee is not seen. */
static bool find_taken_exits(struct prune *p)
{
    for (int f = 0; f < p->g->nfuncs; f++) {
        const struct cs_effect *fx = p->g->funcs[f].defined ? NULL : cs_effects_find(p->fx, cs_func_name(p->g, f));
        bool jumps = fx && (fx->noret == CS_NORET_EXIT || (fx->noret == CS_NORET_JUMP && p->catching.any));
        if (p->taken[f] && (p->fate[f].exits || jumps))
            return true;
    }
    return false;
}

static void prune_function(struct prune *p, int func)
{
    struct cs_func *f = &p->g->funcs[func];
    bool *good = cs_calloc(f->nblocks + 1, sizeof *good);
    bool *bad_end = cs_calloc(f->nblocks + 1, sizeof *bad_end);
    good_blocks(p, func, good);
    /* A block that can end neither well nor badly (an endless loop) is left alone. */
    for (int b = 0; b < f->nblocks; b++)
        bad_end[b] = block_end(p, &f->blocks[b]) == END_ERROR || cs_block_ways(&f->blocks[b]) == 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = f->nblocks - 1; b >= 0; b--)
            for (int i = 0; i < f->blocks[b].nsuccs && !bad_end[b]; i++) {
                int t = f->blocks[b].succs[i];
                if (t >= 0 && bad_end[t] && !good[b])
                    bad_end[b] = changed = true;
            }
    }
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->blocks[b].nsuccs; i++) {
            int t = f->blocks[b].succs[i];
            if (t >= 0 && !good[t] && bad_end[t] && good[b])
                f->blocks[b].never[i] = true;
        }
    free(good);
    free(bad_end);
}

void cs_cfg_prune(struct cs_graph *g, const struct cs_effects *fx, bool keep_errors)
{
    struct prune p = {.g = g,
                      .fx = fx,
                      .fate = cs_calloc(g->nfuncs + 1, sizeof *p.fate),
                      .phase = cs_phase_compute(g, fx),
                      .taken = cs_calloc(g->nfuncs + 1, 1),
                      .catching = cs_model_catching(fx, g)};
    /* Fates grow from "neither": a recursion that never ends does not count as a return. */
    for (int i = 0; i < g->nfuncs; i++)
        cs_cfg_reach(g, i);
    if (p.catching.any)
        cs_throws_prune(g, fx, keep_errors);
    else
        drop_exception_edges(g);
    cs_phase_taken(g, p.taken);
    if (!keep_errors) {
        for (bool changed = true; changed;) {
            bool exits = find_taken_exits(&p);
            changed = exits != p.taken_exits;
            p.taken_exits = exits;
            for (int i = 0; i < g->nfuncs; i++) {
                if (!g->funcs[i].defined)
                    continue;
                struct fate before = p.fate[i];
                bool *good = cs_calloc(g->funcs[i].nblocks + 1, sizeof *good);
                good_blocks(&p, i, good);
                free(good);
                changed |= before.returns != p.fate[i].returns || before.exits != p.fate[i].exits;
            }
        }
        for (int i = 0; i < g->nfuncs; i++)
            if (g->funcs[i].defined)
                prune_function(&p, i);
    }
    for (int i = 0; i < g->nfuncs; i++)
        cs_cfg_reach(g, i);
    free(p.fate);
    free(p.phase);
    free(p.taken);
}

/* ---- post-dominators ---- */

/* Node n is the exit; edges only between reachable blocks. */
struct rev {
    int n;
    struct cs_intlist *preds, *succs;
    int *order, *num;
    int count;
};

static void reverse_dfs(struct rev *r, int root)
{
    struct cs_intlist stack = {0}, pos = {0};
    cs_intlist_add(&stack, root);
    cs_intlist_add(&pos, 0);
    r->num[root] = -2;
    while (stack.n) {
        int b = stack.a[stack.n - 1], i = pos.a[pos.n - 1]++;
        if (i < r->preds[b].n) {
            int t = r->preds[b].a[i];
            if (r->num[t] != -1)
                continue;
            r->num[t] = -2;
            cs_intlist_add(&stack, t);
            cs_intlist_add(&pos, 0);
            continue;
        }
        r->num[b] = r->count;
        r->order[r->count++] = b;
        stack.n--;
        pos.n--;
    }
    cs_intlist_free(&stack);
    cs_intlist_free(&pos);
}

/* Adds to `seen` what can be reached from `root` over these edges. */
static void spread(const struct cs_intlist *edges, bool *seen, int root)
{
    struct cs_intlist work = {0};
    cs_intlist_add(&work, root);
    seen[root] = true;
    while (work.n) {
        int b = work.a[--work.n];
        for (int i = 0; i < edges[b].n; i++)
            if (!seen[edges[b].a[i]]) {
                seen[edges[b].a[i]] = true;
                cs_intlist_add(&work, edges[b].a[i]);
            }
    }
    cs_intlist_free(&work);
}

static void link_blocks(const struct cs_graph *g, int func, struct rev *r)
{
    const struct cs_func *f = &g->funcs[func];
    for (int b = 0; b < f->nblocks; b++) {
        if (!f->blocks[b].reachable)
            continue;
        int ways = 0;
        for (int i = 0; i < f->blocks[b].nsuccs; i++) {
            if (f->blocks[b].never[i])
                continue;
            int t = f->blocks[b].succs[i] < 0 ? r->n : f->blocks[b].succs[i];
            cs_intlist_add(&r->preds[t], b);
            cs_intlist_add(&r->succs[b], t);
            ways++;
        }
        if (ways == 0) {
            cs_intlist_add(&r->preds[r->n], b);
            cs_intlist_add(&r->succs[b], r->n);
        }
    }
}

/* Blocks in reverse postorder from the entry: the header of a loop comes before its body. */
static int forward_order(const struct rev *r, int *order)
{
    struct cs_intlist stack = {0}, pos = {0};
    bool *seen = cs_calloc(r->n + 1, sizeof *seen);
    int at = r->n;
    if (r->n) {
        cs_intlist_add(&stack, 0);
        cs_intlist_add(&pos, 0);
        seen[0] = true;
    }
    while (stack.n) {
        int b = stack.a[stack.n - 1], i = pos.a[pos.n - 1]++;
        if (i == r->succs[b].n) {
            order[--at] = b;
            stack.n--;
            pos.n--;
            continue;
        }
        int t = r->succs[b].a[i];
        if (t == r->n || seen[t])
            continue;
        seen[t] = true;
        cs_intlist_add(&stack, t);
        cs_intlist_add(&pos, 0);
    }
    cs_intlist_free(&stack);
    cs_intlist_free(&pos);
    free(seen);
    return at;
}

/* Does all that can be reached from b lead back to b? */
static bool comes_back(const struct rev *r, int b)
{
    bool *from = cs_calloc(r->n + 1, sizeof *from), *to = cs_calloc(r->n + 1, sizeof *to), back = true;
    spread(r->succs, from, b);
    spread(r->preds, to, b);
    for (int i = 0; i <= r->n; i++)
        back &= !from[i] || to[i];
    free(from);
    free(to);
    return back;
}

/* An endless loop (it may end by exit() in a callee) is taken to leave at its header, so that everything has a
 * post-dominator and what runs only in some iterations depends on the branches in the loop. */
static void open_endless(struct rev *r)
{
    bool *seen = cs_calloc(r->n + 1, sizeof *seen);
    int *order = cs_calloc(r->n + 1, sizeof *order);
    spread(r->preds, seen, r->n);
    for (int k = forward_order(r, order); k < r->n; k++) {
        int b = order[k];
        if (seen[b] || !comes_back(r, b))
            continue;
        cs_intlist_add(&r->preds[r->n], b);
        cs_intlist_add(&r->succs[b], r->n);
        spread(r->preds, seen, b);
    }
    free(order);
    free(seen);
}

static int intersect(const struct rev *r, const int *idom, int a, int b)
{
    while (a != b) {
        while (r->num[a] < r->num[b])
            a = idom[a];
        while (r->num[b] < r->num[a])
            b = idom[b];
    }
    return a;
}

static void post_dominators(struct rev *r, int *idom)
{
    for (int i = 0; i <= r->n; i++)
        idom[i] = -1;
    idom[r->n] = r->n;
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = r->count - 2; k >= 0; k--) {
            int b = r->order[k], best = -1;
            for (int i = 0; i < r->succs[b].n; i++) {
                int t = r->succs[b].a[i];
                if (idom[t] < 0)
                    continue;
                best = best < 0 ? t : intersect(r, idom, best, t);
            }
            if (best != idom[b]) {
                idom[b] = best;
                changed = true;
            }
        }
    }
}

static void exit_distance(const struct rev *r, int *dist)
{
    struct cs_intlist q = {0};
    for (int i = 0; i < r->n; i++)
        dist[i] = -1;
    dist[r->n] = 0;
    cs_intlist_add(&q, r->n);
    for (int h = 0; h < q.n; h++)
        for (int i = 0; i < r->preds[q.a[h]].n; i++) {
            int t = r->preds[q.a[h]].a[i];
            if (dist[t] >= 0)
                continue;
            dist[t] = dist[q.a[h]] + 1;
            cs_intlist_add(&q, t);
        }
    cs_intlist_free(&q);
}

static void frontier(const struct rev *r, const int *idom, struct cs_cdep *cd)
{
    for (int b = 0; b < r->n; b++) {
        if (r->succs[b].n < 2)
            continue;
        for (int i = 0; i < r->succs[b].n; i++)
            for (int run = r->succs[b].a[i]; run != r->n && run != idom[b]; run = idom[run]) {
                bool have = cd->on[run].n && cd->on[run].a[cd->on[run].n - 1] == b;
                if (!have)
                    cs_intlist_add(&cd->on[run], b);
                if (idom[run] < 0)
                    break;
            }
    }
}

void cs_cdep_compute(const struct cs_graph *g, int func, struct cs_cdep *cd)
{
    int n = g->funcs[func].nblocks;
    struct rev r = {.n = n};
    r.preds = cs_calloc(n + 1, sizeof *r.preds);
    r.succs = cs_calloc(n + 1, sizeof *r.succs);
    r.order = cs_calloc(n + 1, sizeof *r.order);
    r.num = cs_calloc(n + 1, sizeof *r.num);
    for (int i = 0; i <= n; i++)
        r.num[i] = -1;
    cd->nblocks = n;
    cd->ipdom = cs_calloc(n + 1, sizeof *cd->ipdom);
    cd->exit_dist = cs_calloc(n + 1, sizeof *cd->exit_dist);
    cd->on = cs_calloc(n + 1, sizeof *cd->on);
    link_blocks(g, func, &r);
    exit_distance(&r, cd->exit_dist);
    open_endless(&r);
    reverse_dfs(&r, n);
    post_dominators(&r, cd->ipdom);
    frontier(&r, cd->ipdom, cd);
    for (int i = 0; i < n; i++)
        if (cd->ipdom[i] == n)
            cd->ipdom[i] = CS_BLOCK_EXIT;
    for (int i = 0; i <= n; i++) {
        cs_intlist_free(&r.preds[i]);
        cs_intlist_free(&r.succs[i]);
    }
    free(r.preds);
    free(r.succs);
    free(r.order);
    free(r.num);
}

void cs_cdep_free(struct cs_cdep *cd)
{
    for (int i = 0; i <= cd->nblocks; i++)
        cs_intlist_free(&cd->on[i]);
    free(cd->on);
    free(cd->ipdom);
    free(cd->exit_dist);
}

int cs_cdep_way_out(const struct cs_graph *g, int func, int block, const struct cs_cdep *cd)
{
    const struct cs_block *b = &g->funcs[func].blocks[block];
    int best = -1, best_dist = 0;
    for (int i = 0; i < b->nsuccs; i++) {
        if (b->never[i])
            continue;
        int d = b->succs[i] < 0 ? 0 : cd->exit_dist[b->succs[i]];
        if (d < 0)
            d = 1 << 30;
        if (best < 0 || d < best_dist) {
            best = i;
            best_dist = d;
        }
    }
    return best < 0 ? 0 : best;
}
