/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which branches choose the operand of a merge (PHI). A branch of which all ways come to the merge by edges with the
 * same operand chooses nothing: weak control closure (Danicic et al., "A unifying theory of control dependence and its
 * application to arbitrary program structures", 2011), with the edges into the merge, by operand, as what is seen. */
#include "slicer/live/live_internal.h"

#include <stdlib.h>

#include "slicer/control/cfg.h"

/* Which operands can come from a block: numbers of edges that stand for them, or one of these. */
#define FROM_NONE (-1)
#define FROM_MANY (-2)

/* A merge, and what comes to it by the ways out of each block. */
struct merge {
    struct cs_live *l;
    const struct cs_stmt *phi;
    const struct cs_func *f;
    const struct cs_cdep *cd;
    int *from; /* by block; only those are asked for whose nearest post-dominator is the merge */
};

/* What stands for an operand: a number where the value is known to be one. */
static struct cs_operand stands_for(struct cs_live *l, struct cs_operand op)
{
    int64_t c;
    if (op.kind != CS_OPND_VALUE)
        return op;
    if (l->g->values[op.id].same.kind != CS_OPND_NONE)
        return l->g->values[op.id].same;
    int d = l->g->values[op.id].def;
    if (d >= 0 && cs_pts_constant(l->pts, op, &c) && cs_fits(c, l->g->stmts[d].bits))
        return cs_opnd_const(c);
    return op;
}

/* An operand of which nothing is known is equal to no other. */
static bool equal(struct cs_operand a, struct cs_operand b)
{
    switch (a.kind) {
    case CS_OPND_VALUE: return b.kind == CS_OPND_VALUE && a.id == b.id;
    case CS_OPND_CONST: return b.kind == CS_OPND_CONST && a.pat.off == b.pat.off;
    case CS_OPND_ADDR: return b.kind == CS_OPND_ADDR && a.id == b.id && cs_pat_equal(a.pat, b.pat);
    default: return false;
    }
}

/* The first edge with the operand that comes from this predecessor; FROM_MANY if they differ. */
static int edge_from(const struct merge *m, int pred)
{
    int found = FROM_NONE;
    for (int i = 0; i < m->phi->nuses; i++) {
        if (m->phi->phi_preds[i] != pred)
            continue;
        struct cs_operand op = stands_for(m->l, m->phi->uses[i]);
        int first = 0;
        while (first < i && !equal(op, stands_for(m->l, m->phi->uses[first])))
            first++;
        found = found == FROM_NONE || found == first ? first : FROM_MANY;
    }
    return found;
}

/* The last block before the merge that every way from b comes to. All ways do come to the merge. */
static int last_before(const struct merge *m, int b)
{
    while (m->cd->ipdom[b] != m->phi->block) {
        b = m->cd->ipdom[b];
        assert(b >= 0);
    }
    return b;
}

static int join(int a, int b)
{
    if (a == FROM_NONE || a == b)
        return b;
    return b == FROM_NONE ? a : FROM_MANY;
}

/* What can come by the ways out of a block, as far as it is known of those that follow. */
static int from_ways(const struct merge *m, int block)
{
    const struct cs_block *b = &m->f->blocks[block];
    int all = FROM_NONE;
    for (int i = 0; i < b->nsuccs; i++)
        if (!b->never[i])
            all = join(all, b->succs[i] == m->phi->block ? edge_from(m, block) : m->from[last_before(m, b->succs[i])]);
    return all;
}

void cs_live_merge(struct cs_live *l, int s, void (*chooses)(struct cs_live *l, int func, int block, int parent))
{
    const struct cs_stmt *phi = &l->g->stmts[s];
    assert(phi->kind == CS_STMT_PHI);
    struct merge m = {l, phi, &l->g->funcs[phi->func], &l->cdep[phi->func], NULL};
    const struct cs_intlist *before = &m.cd->before[phi->block];
    m.from = cs_calloc(m.f->nblocks + 1, sizeof *m.from);
    for (int i = 0; i < before->n; i++)
        m.from[before->a[i]] = FROM_NONE;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < before->n; i++) {
            int b = before->a[i], all = from_ways(&m, b);
            assert(m.from[b] != FROM_MANY || all == FROM_MANY); /* what comes from a block only grows */
            changed |= all != m.from[b];
            m.from[b] = all;
        }
    }
    for (int i = 0; i < before->n; i++)
        if (m.from[before->a[i]] == FROM_MANY)
            chooses(l, phi->func, before->a[i], s);
    free(m.from);
}
