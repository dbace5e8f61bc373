/* SPDX-License-Identifier: GPL-3.0-or-later
 * Ranks that wait for files: one writes a file, or makes it, and others look for it again and again before they go on.
 * That puts messages in order as a message does, and where an order is observed (live_arrival.c) such a loop stays,
 * with what ends it. A read that is not repeated waits for nobody. */
#include "slicer/live/live_internal.h"

#include <stdlib.h>

/* Does control come back to the block inside its function? */
static bool in_loop(struct cs_live *l, int func, int block)
{
    const struct cs_func *f = &l->g->funcs[func];
    const struct cs_intlist *preds = cs_flow_preds(l, func);
    bool *seen = cs_calloc(f->nblocks + 1, sizeof *seen);
    struct cs_intlist work = {0};
    cs_intlist_add(&work, block);
    while (work.n && !seen[block]) {
        int b = work.a[--work.n];
        for (int i = 0; i < preds[b].n; i++) {
            if (!seen[preds[b].a[i]])
                cs_intlist_add(&work, preds[b].a[i]);
            seen[preds[b].a[i]] = true;
        }
    }
    bool in = seen[block];
    cs_intlist_free(&work);
    free(seen);
    return in;
}

/* Is the statement, or a call that leads to it, in a loop? */
static bool repeated(struct cs_live *l, int stmt)
{
    bool *seen = cs_calloc(l->g->nfuncs + 1, sizeof *seen), is = false;
    struct cs_intlist work = {0};
    cs_intlist_add(&work, stmt);
    while (work.n && !is) {
        const struct cs_stmt *s = &l->g->stmts[work.a[--work.n]];
        is = in_loop(l, s->func, s->block);
        const struct cs_intlist *calls = &l->fi[s->func].calls;
        for (int i = 0; !seen[s->func] && i < calls->n; i++)
            cs_intlist_add(&work, calls->a[i]);
        seen[s->func] = true;
    }
    cs_intlist_free(&work);
    free(seen);
    return is;
}

/* Does the program change a place of files that is read? */
struct change_query {
    struct cs_live *l;
    bool any;
};

static void ask_change(void *arg, struct cs_pattern pat, int64_t size)
{
    struct change_query *q = arg;
    const struct writers *ws = &q->l->writers[q->l->ms->fs_obj];
    for (int i = 0; i < ws->n && !q->any; i++) {
        const struct writer *w = &ws->w[i];
        bool harmless = w->kind == W_MODEL && cs_live_guarded(q->l, cs_writer_model(q->l, w), cs_writer_write(q->l, w));
        q->any = !harmless && cs_pat_overlap(w->pat, w->size, pat, size);
    }
}

/* Is it a part of a library call that may wait for a file which the program changes? */
static bool is_poll(struct cs_live *l, int s)
{
    int call = l->point[s] >= 0 ? l->point[s] : s;
    struct change_query q = {l, false};
    if (l->g->stmts[call].keep || !cs_live_reachable_stmt(l, call) || !cs_reads_files(l, &l->g->stmts[s]))
        return false;
    cs_files_read(l, s, ask_change, &q);
    return q.any && repeated(l, call);
}

bool cs_polls_keep(struct cs_live *l)
{
    bool any = false;
    if (!l->writers[l->ms->fs_obj].n)
        return false;
    for (int s = 0; s < l->g->nstmts; s++) {
        if (!is_poll(l, s))
            continue;
        int call = l->point[s] >= 0 ? l->point[s] : s;
        cs_mark_stmt(l, call, CS_WHY_ROOT, -1);
        cs_root_effect(l, call);
        any = true;
    }
    return any;
}
