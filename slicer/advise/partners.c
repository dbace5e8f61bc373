/* SPDX-License-Identifier: GPL-3.0-or-later
 * Compares the calls of two functions, function by function; partners.h. */
#include "slicer/advise/partners.h"

static bool calls(const struct cs_graph *g, const struct cs_intlist *callers, int func, int callee)
{
    for (int i = 0; i < callers[callee].n; i++)
        if (g->stmts[callers[callee].a[i]].func == func)
            return true;
    return false;
}

bool cs_is_helper(const struct cs_graph *g, const struct cs_intlist *callers, int func, int helper)
{
    return func == helper || calls(g, callers, func, helper);
}

bool cs_are_partners(const struct cs_graph *g, const struct cs_intlist *callers, int a, int b)
{
    if (cs_is_helper(g, callers, a, b))
        return true;
    for (int i = 0; i < callers[a].n; i++) {
        int func = g->stmts[callers[a].a[i]].func;
        if (func == b || calls(g, callers, func, b))
            return true;
    }
    return false;
}

bool cs_is_elsewhere(const struct cs_graph *g, const struct cs_intlist *callers, struct cs_constant_calls *calls,
                     int reader, int writer)
{
    enum { MOST = 16 }; /* calls of a function that are looked at */
    const struct cs_intlist *readers = &callers[reader], *writers = &callers[g->stmts[writer].func];
    bool skipped = false, together = false;
    if (reader == g->stmts[writer].func || readers->n > MOST || writers->n > MOST)
        return false;
    for (int i = 0; i < writers->n && !skipped; i++)
        skipped = cs_constant_call_skips_stmt(calls, writers->a[i], writer);
    for (int i = 0; skipped && i < writers->n; i++)
        for (int k = 0; k < readers->n; k++) {
            if (g->stmts[readers->a[k]].func != g->stmts[writers->a[i]].func)
                continue;
            together = true;
            if (!cs_constant_call_skips_stmt(calls, writers->a[i], writer))
                return false;
        }
    return together;
}
