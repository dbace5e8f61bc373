/* SPDX-License-Identifier: GPL-3.0-or-later
 * Candidates for a deliberate fault; test_drop.h. Statements that do nothing when they are taken out alone (a branch
 * with one way left, a return without a value) are no candidates; everything else is, and the test has to explain what
 * goes unnoticed. */
#include "slicer/test_drop.h"

#include <assert.h>

#include "slicer/control/cfg.h"

static bool decides(const struct cs_graph *g, const struct cs_stmt *s)
{
    return cs_block_ways(&g->funcs[s->func].blocks[s->block]) > 1;
}

static bool is_candidate(const struct cs_graph *g, const struct cs_stmt *s)
{
    if (!s->keep || s->source < 0)
        return false;
    switch (s->kind) {
    case CS_STMT_ASSIGN:
    case CS_STMT_PHI:
    case CS_STMT_LOAD: return s->def >= 0;
    case CS_STMT_STORE:
    case CS_STMT_COPY:
    case CS_STMT_CALL: return true;
    case CS_STMT_COND:
    case CS_STMT_SWITCH: return decides(g, s);
    case CS_STMT_RETURN: return s->nuses > 0 || s->has_load;
    default: return false;
    }
}

static bool is_marked(const struct cs_graph *g, const struct cs_stmt *s)
{
    (void)g;
    return s->keep && s->kind == CS_STMT_CALL && s->mark > CS_MARK_NONE;
}

static int find(const struct cs_graph *g, bool (*fits)(const struct cs_graph *, const struct cs_stmt *), int n,
                int *count)
{
    int found = -1;
    assert(n >= -1);
    *count = 0;
    for (int s = 0; s < g->nstmts; s++) {
        if (!fits(g, &g->stmts[s]))
            continue;
        if (*count == n)
            found = s;
        ++*count;
    }
    assert((found >= 0) == (n >= 0 && n < *count));
    return found;
}

int cs_drop_find_stmt(const struct cs_graph *g, int n, int *count)
{
    return find(g, is_candidate, n, count);
}

int cs_drop_find_mark(const struct cs_graph *g, int n, int *count)
{
    return find(g, is_marked, n, count);
}
