/* SPDX-License-Identifier: GPL-3.0-or-later
 * Follows control from where the program begins, into functions that are called by name; dead_code.h. Functions whose
 * address is known somewhere count as called. It is an estimate: only slicing again tells. */
#include "slicer/advise/dead_code.h"

#include <assert.h>
#include <stdlib.h>

#include "slicer/graph/storage.h"

/* What control finds in a block, of whatever search. */
struct block {
    int func, number;
    int branch;        /* the statement, or -1 */
    int kept;          /* statements of it */
    int callees, upto; /* in `callee` of the code: first blocks of functions that it may call */
};

/* Blocks are numbered over all functions: those of a function from first[function] on. */
struct cs_code {
    const struct cs_graph *g;
    int *first, nblocks;
    struct block *block;
    struct cs_intlist callee, roots;
    int *search, nsearches; /* of each block, the number of the last search that came to it */
    struct cs_intlist work, *came;
};

/* The first block of the function that the operand is the address of; -1: it is of none that is defined. */
static int callee_of(const struct cs_code *c, struct cs_operand op)
{
    const struct cs_graph *g = c->g;
    if (op.kind != CS_OPND_ADDR || g->objs[op.id].kind != CS_OBJ_FUNC)
        return -1;
    int func = g->objs[op.id].func;
    return g->funcs[func].defined && g->funcs[func].nblocks ? c->first[func] : -1;
}

static void add_to(struct cs_intlist *list, int block)
{
    if (block >= 0)
        cs_intlist_add(list, block);
}

static void look_at_block(struct cs_code *c, int func, int number)
{
    const struct cs_block *b = &c->g->funcs[func].blocks[number];
    struct block *to = &c->block[c->first[func] + number];
    *to = (struct block){func, number, cs_block_branch(c->g, func, number), 0, c->callee.n, 0};
    for (int i = 0; i < b->nstmts; i++) {
        const struct cs_stmt *st = &c->g->stmts[b->stmts[i]];
        to->kept += st->keep && cs_stmt_counts(st);
        if (st->kind == CS_STMT_CALL)
            add_to(&c->callee, callee_of(c, st->callee));
        for (int k = 0; k < st->nuses; k++)
            add_to(&c->callee, callee_of(c, st->uses[k]));
    }
    to->upto = c->callee.n;
}

static void find_roots(struct cs_code *c)
{
    const struct cs_graph *g = c->g;
    for (int f = 0; f < g->nfuncs; f++)
        if ((g->funcs[f].is_entry || g->funcs[f].exported) && g->funcs[f].defined && g->funcs[f].nblocks)
            cs_intlist_add(&c->roots, c->first[f]);
    for (int o = 0; o < g->nobjs; o++)
        for (int i = 0; i < g->objs[o].ninits; i++)
            add_to(&c->roots, callee_of(c, g->objs[o].inits[i].val));
}

struct cs_code *cs_code_new(const struct cs_graph *g)
{
    struct cs_code *c = cs_calloc(1, sizeof *c);
    c->g = g;
    c->first = cs_calloc(g->nfuncs + 1, sizeof *c->first);
    for (int f = 0; f < g->nfuncs; f++) {
        c->first[f] = c->nblocks;
        c->nblocks += g->funcs[f].defined ? g->funcs[f].nblocks : 0;
    }
    c->block = cs_calloc(c->nblocks + 1, sizeof *c->block);
    c->search = cs_calloc(c->nblocks + 1, sizeof *c->search);
    for (int f = 0; f < g->nfuncs; f++)
        for (int b = 0; g->funcs[f].defined && b < g->funcs[f].nblocks; b++)
            look_at_block(c, f, b);
    find_roots(c);
    return c;
}

void cs_code_free(struct cs_code *c)
{
    cs_intlist_free(&c->callee);
    cs_intlist_free(&c->roots);
    cs_intlist_free(&c->work);
    free(c->first);
    free(c->block);
    free(c->search);
    free(c);
}

static void come_to(struct cs_code *c, int block)
{
    if (c->search[block] == c->nsearches)
        return;
    c->search[block] = c->nsearches;
    cs_intlist_add(&c->work, block);
    if (c->came) {
        cs_intlist_add(c->came, c->block[block].func);
        cs_intlist_add(c->came, c->block[block].number);
    }
}

/* Is it a condition of the line? */
static bool is_of_line(const struct cs_graph *g, int branch, const struct cs_stmt *line)
{
    const struct cs_stmt *st = branch >= 0 ? &g->stmts[branch] : NULL;
    return line && st && st->kind == CS_STMT_COND && st->line == line->line && st->file == line->file;
}

/* Follows all that was come to; a condition of the line, if one is given, always or never holds. Returns how many
 * statements are kept there. */
static int follow_all(struct cs_code *c, const struct cs_stmt *line, bool holds)
{
    int kept = 0;
    while (c->work.n) {
        const struct block *at = &c->block[c->work.a[--c->work.n]];
        const struct cs_block *b = &c->g->funcs[at->func].blocks[at->number];
        bool decided = is_of_line(c->g, at->branch, line);
        kept += at->kept;
        for (int i = at->callees; i < at->upto; i++)
            come_to(c, c->callee.a[i]);
        for (int i = 0; i < b->nsuccs; i++)
            if (!b->never[i] && b->succs[i] >= 0 &&
                !(decided && (i == cs_assume_true_edge(c->g, at->branch, 0)) != holds))
                come_to(c, c->first[at->func] + b->succs[i]);
    }
    return kept;
}

int cs_code_reached(struct cs_code *c, int stmt, enum cs_assume_kind kind)
{
    assert(stmt < 0 || kind == CS_ASSUME_NEVER || kind == CS_ASSUME_ALWAYS);
    c->nsearches++;
    for (int i = 0; i < c->roots.n; i++)
        come_to(c, c->roots.a[i]);
    return follow_all(c, stmt < 0 ? NULL : &c->g->stmts[stmt], kind == CS_ASSUME_ALWAYS);
}

bool cs_code_has(const struct cs_code *c, int func, int block)
{
    const struct cs_func *f = &c->g->funcs[func];
    assert(c->nsearches > 0);
    return f->defined && block >= 0 && block < f->nblocks && c->search[c->first[func] + block] == c->nsearches;
}

void cs_code_reach_more(struct cs_code *c, int func, int block, struct cs_intlist *came)
{
    c->came = came;
    if (block >= 0 && c->g->funcs[func].defined)
        come_to(c, c->first[func] + block);
    follow_all(c, NULL, false);
    c->came = NULL;
}

void cs_code_take_back(struct cs_code *c, int func, int block)
{
    c->search[c->first[func] + block] = 0;
}
