/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cutting branches on the user's word; assume.h.
 * A condition with && and || is several branches on one line; the last of them leads on its true side to what the
 * condition guards, and every branch of the chain that leads there is cut with it. */
#include "assume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cs_assume_parse(const char *text, struct cs_assumption *a, char *err, size_t errlen)
{
    const char *eq = strrchr(text, '='), *colon = NULL;
    for (const char *p = text; eq && p < eq; p++)
        if (*p == ':') colon = p;
    char *end = NULL;
    memset(a, 0, sizeof *a);
    if (!eq || !colon || colon == text || (size_t)(colon - text) >= sizeof a->file) {
        snprintf(err, errlen, "assumption '%s' is not of the form FILE:LINE=never or FILE:LINE=always", text);
        return -1;
    }
    memcpy(a->file, text, colon - text);
    long line = strtol(colon + 1, &end, 10);
    if (end != eq || line <= 0 || line > 100000000) {
        snprintf(err, errlen, "assumption '%s': the line number is not a positive number", text);
        return -1;
    }
    a->line = (int)line;
    a->always = !strcmp(eq + 1, "always");
    if (!a->always && strcmp(eq + 1, "never")) {
        snprintf(err, errlen, "assumption '%s': '%s' is neither never nor always", text, eq + 1);
        return -1;
    }
    return 0;
}

static bool file_matches(const char *have, const char *want)
{
    const char *base = strrchr(want, '/');
    return !strcmp(have, base ? base + 1 : want);
}

static int branch_at(const struct cs_graph *g, int func, int block, const struct cs_assumption *a)
{
    int s = cs_block_branch(g, func, block);
    if (s < 0 || g->stmts[s].kind != CS_STMT_COND || g->stmts[s].line != a->line) return -1;
    return file_matches(cs_graph_str(g, g->stmts[s].file), a->file) ? s : -1;
}

/* Through blocks that only jump on. */
static int final_target(const struct cs_graph *g, int func, int block)
{
    for (int hops = 0; block >= 0 && hops < 8; hops++) {
        const struct cs_block *b = &g->funcs[func].blocks[block];
        bool empty = true;
        for (int i = 0; i < b->nstmts; i++) empty &= g->stmts[b->stmts[i]].source < 0;
        if (!empty || b->nsuccs != 1) break;
        block = b->succs[0];
    }
    return block;
}

/* Where the whole condition leads when it holds: the true side of the last branch of the chain. */
static int guarded_block(const struct cs_graph *g, int func, int last, bool always)
{
    return final_target(g, func, g->funcs[func].blocks[last].succs[always ? 1 : 0]);
}

static int cut_function(struct cs_graph *g, int func, const struct cs_assumption *a, cs_assume_fn *fn, void *arg)
{
    int cut = 0;
    struct cs_func *f = &g->funcs[func];
    for (int last = 0; last < f->nblocks; last++) {
        if (branch_at(g, func, last, a) < 0) continue;
        /* The last of a chain has no branch of the same line behind it. */
        bool chained = false;
        for (int i = 0; i < 2; i++) {
            int t = final_target(g, func, f->blocks[last].succs[i]);
            chained |= t >= 0 && t != last && branch_at(g, func, t, a) >= 0;
        }
        if (chained) continue;
        int dead = guarded_block(g, func, last, a->always);
        for (int b = 0; b < f->nblocks; b++) {
            int s = branch_at(g, func, b, a);
            for (int i = 0; s >= 0 && i < 2; i++) {
                if (final_target(g, func, f->blocks[b].succs[i]) != dead || f->blocks[b].never[1 - i]) continue;
                f->blocks[b].never[i] = true;
                if (fn) fn(arg, s, i);
                cut++;
            }
        }
    }
    return cut;
}

int cs_assume_apply(struct cs_graph *g, const struct cs_assumption *a, cs_assume_fn *fn, void *arg)
{
    int cut = 0;
    for (int f = 0; f < g->nfuncs; f++)
        if (g->funcs[f].defined) cut += cut_function(g, f, a, fn, arg);
    return cut;
}
