/* SPDX-License-Identifier: GPL-3.0-or-later
 * Follows control from where the program begins, into functions that are called by name; dead_code.h. Functions whose
 * address is known somewhere count as called. It is an estimate: only slicing again tells. */
#include "slicer/advise/dead_code.h"

#include <assert.h>
#include <stdlib.h>

#include "slicer/graph/storage.h"

/* The search: blocks that were come to, by function (NULL: none yet), and those to go on from, as pairs of a function
 * and a block. */
struct search {
    const struct cs_graph *g;
    bool **seen;
    struct cs_intlist work;
    const struct cs_stmt *line; /* a branch of the line that is decided, or NULL */
    bool holds;                 /* its condition does */
    struct cs_intlist *came;    /* pairs that were come to, too; NULL: nobody asks */
};

static void come_to(struct search *s, int func, int block)
{
    const struct cs_func *f = &s->g->funcs[func];
    if (!f->defined || block < 0 || block >= f->nblocks)
        return;
    if (!s->seen[func])
        s->seen[func] = cs_calloc(f->nblocks + 1, sizeof **s->seen);
    if (s->seen[func][block])
        return;
    s->seen[func][block] = true;
    cs_intlist_add(&s->work, func);
    cs_intlist_add(&s->work, block);
    if (s->came) {
        cs_intlist_add(s->came, func);
        cs_intlist_add(s->came, block);
    }
}

static void come_to_operand(struct search *s, struct cs_operand op)
{
    if (op.kind == CS_OPND_ADDR && s->g->objs[op.id].kind == CS_OBJ_FUNC)
        come_to(s, s->g->objs[op.id].func, 0);
}

/* Does the edge lead where the decided condition does not let control go? */
static bool is_dead(const struct search *s, int func, int block, int edge)
{
    int b = cs_block_branch(s->g, func, block);
    const struct cs_stmt *st = b >= 0 ? &s->g->stmts[b] : NULL;
    return s->line && st && st->kind == CS_STMT_COND && st->line == s->line->line && st->file == s->line->file &&
           (edge == cs_assume_true_edge(s->g, b, 0)) != s->holds;
}

/* Statements of the block that are kept; follows what they call, and the block's edges. */
static int follow(struct search *s, int func, int block)
{
    const struct cs_block *b = &s->g->funcs[func].blocks[block];
    int kept = 0;
    for (int i = 0; i < b->nstmts; i++) {
        const struct cs_stmt *st = &s->g->stmts[b->stmts[i]];
        kept += st->keep && cs_stmt_counts(st);
        if (st->kind == CS_STMT_CALL)
            come_to_operand(s, st->callee);
        for (int k = 0; k < st->nuses; k++)
            come_to_operand(s, st->uses[k]);
    }
    for (int i = 0; i < b->nsuccs; i++)
        if (!b->never[i] && !is_dead(s, func, block, i))
            come_to(s, func, b->succs[i]);
    return kept;
}

static int follow_all(struct search *s)
{
    int kept = 0;
    while (s->work.n) {
        int block = s->work.a[--s->work.n], func = s->work.a[--s->work.n];
        kept += follow(s, func, block);
    }
    cs_intlist_free(&s->work);
    return kept;
}

/* All blocks that control comes to; returns how many of their statements are kept. */
static int search(struct search *s)
{
    const struct cs_graph *g = s->g;
    s->seen = cs_calloc(g->nfuncs + 1, sizeof *s->seen);
    for (int f = 0; f < g->nfuncs; f++)
        if (g->funcs[f].is_entry || g->funcs[f].exported)
            come_to(s, f, 0);
    for (int o = 0; o < g->nobjs; o++)
        for (int i = 0; i < g->objs[o].ninits; i++)
            come_to_operand(s, g->objs[o].inits[i].val);
    return follow_all(s);
}

int cs_reached_code(const struct cs_graph *g, int stmt, enum cs_assume_kind kind)
{
    assert(stmt < 0 || kind == CS_ASSUME_NEVER || kind == CS_ASSUME_ALWAYS);
    struct search s = {.g = g, .line = stmt < 0 ? NULL : &g->stmts[stmt], .holds = kind == CS_ASSUME_ALWAYS};
    int kept = search(&s);
    cs_reached_blocks_free(g, s.seen);
    return kept;
}

bool **cs_reached_blocks(const struct cs_graph *g)
{
    struct search s = {.g = g};
    search(&s);
    return s.seen;
}

void cs_reach_more(const struct cs_graph *g, bool **blocks, int func, int block, struct cs_intlist *came)
{
    struct search s = {.g = g, .seen = blocks, .came = came};
    come_to(&s, func, block);
    follow_all(&s);
}

void cs_reached_blocks_free(const struct cs_graph *g, bool **blocks)
{
    for (int f = 0; f < g->nfuncs; f++)
        free(blocks[f]);
    free(blocks);
}
