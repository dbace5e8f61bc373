/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sorts branches by line, by counting; branch_lines.h. */
#include "slicer/graph/branch_lines.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/graph/storage.h"

static bool is_branch(const struct cs_stmt *s)
{
    return s->kind == CS_STMT_COND && s->line > 0;
}

static void sort(const struct cs_graph *g, struct cs_branch_lines *l)
{
    int n = 0;
    l->nstmts = g->nstmts;
    l->nlines = 0;
    for (int s = 0; s < g->nstmts; s++) {
        n += is_branch(&g->stmts[s]);
        l->nlines = is_branch(&g->stmts[s]) && g->stmts[s].line > l->nlines ? g->stmts[s].line : l->nlines;
    }
    free(l->first);
    free(l->stmt);
    l->first = cs_calloc(l->nlines + 2, sizeof *l->first);
    l->stmt = cs_calloc(n + 1, sizeof *l->stmt);
    for (int s = 0; s < g->nstmts; s++)
        if (is_branch(&g->stmts[s]))
            l->first[g->stmts[s].line + 1]++;
    for (int i = 1; i < l->nlines + 2; i++)
        l->first[i] += l->first[i - 1];
    int *to = cs_calloc(l->nlines + 2, sizeof *to);
    memcpy(to, l->first, (size_t)(l->nlines + 2) * sizeof *to);
    for (int s = 0; s < g->nstmts; s++)
        if (is_branch(&g->stmts[s]))
            l->stmt[to[g->stmts[s].line]++] = s;
    free(to);
}

const int *cs_branches_at(const struct cs_graph *g, int line, int *n)
{
    struct cs_branch_lines *l = g->branch_lines;
    if (!l->first || l->nstmts != g->nstmts)
        sort(g, l);
    bool known = line > 0 && line <= l->nlines;
    *n = known ? l->first[line + 1] - l->first[line] : 0;
    return known ? l->stmt + l->first[line] : l->stmt;
}

int cs_branches_func(const struct cs_graph *g, const char *file, int line, int func)
{
    int n, found = -1;
    const int *b = cs_branches_at(g, line, &n);
    for (int i = 0; i < n; i++) {
        const struct cs_stmt *s = &g->stmts[b[i]];
        if (s->func > func && (found < 0 || s->func < found) && !strcmp(cs_graph_str(g, s->file), file))
            found = s->func;
    }
    return found;
}
