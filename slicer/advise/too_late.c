/* SPDX-License-Identifier: GPL-3.0-or-later
 * Follows the links of calls that change the state of a library, and asks whether control comes from the first one to
 * the last read; too_late.h. Each step by itself may be one that the program makes. */
#include "slicer/advise/too_late.h"

#include <stdlib.h>
#include <string.h>

#include "slicer/advise/arrivals.h"
#include "slicer/graph/storage.h"

/* A statement, and the read that its chain comes to. */
struct late {
    int stmt, read;
};

static bool is_state(const struct cs_graph *g, const struct cs_link *l)
{
    return l->obj >= 0 && l->obj < g->nobjs && !strncmp(cs_obj_name(g, l->obj), "h:", 2);
}

static const struct cs_link *link_at(const struct cs_chains *c, const struct cs_graph *g, int at)
{
    return at < g->nstmts ? &c->why[at] : &c->steps[at - g->nstmts].link;
}

/* The call that reads what the statement changes in the end, if that takes more than one step; -1. */
static int last_read(const struct cs_chains *c, const struct cs_graph *g, int stmt)
{
    enum { STEPS = 40 };
    int read = -1, states = 0;
    for (int at = stmt, i = 0; at >= 0 && i < STEPS; i++) {
        const struct cs_link *l = link_at(c, g, at);
        bool state = is_state(g, l);
        if (!state && (l->why != CS_WHY_DATA || l->parent < 0 || at == stmt))
            break;
        states += state;
        at = l->parent;
        if (!state && at >= 0)
            read = at < g->nstmts ? at : c->steps[at - g->nstmts].stmt;
    }
    return states > 1 ? read : -1;
}

static int by_read(const void *x, const void *y)
{
    const struct late *a = x, *b = y;
    return a->read != b->read ? (a->read > b->read) - (a->read < b->read) : (a->stmt > b->stmt) - (a->stmt < b->stmt);
}

/* Of statements that come to the same read. */
static void ask(struct cs_chains *c, struct cs_arrivals *a, const struct late *all, int n)
{
    cs_arrivals_place(a, c->why[all[0].stmt].obj, false);
    for (int i = 0; i < n; i++)
        cs_arrivals_writer(a, all[i].stmt, false, CS_LOOP_WRITES_PART, NULL, 0);
    bool known = cs_arrivals_read(a, &all[0].read, 1, -1);
    for (int i = 0; i < n; i++)
        c->why[all[i].stmt].never |= known && !cs_arrives(a, all[i].stmt);
}

void cs_too_late_find(struct cs_chains *c, const struct cs_graph *g, const struct cs_need_flow *flow,
                      struct cs_settings *settings)
{
    enum { READS = 100 }; /* that are looked at */
    struct late *all = cs_calloc(g->nstmts + 1, sizeof *all);
    struct cs_arrivals a;
    int n = 0;
    for (int s = 0; s < g->nstmts; s++) {
        int read = c->why[s].why != CS_WHY_NONE && is_state(g, &c->why[s]) ? last_read(c, g, s) : -1;
        if (read >= 0)
            all[n++] = (struct late){s, read};
    }
    if (n) {
        qsort(all, (size_t)n, sizeof *all, by_read);
        cs_arrivals_start(&a, g, flow, settings);
        for (int i = 0, k = 0, reads = 0; i < n && reads < READS; i = k, reads++) {
            while (k < n && all[k].read == all[i].read)
                k++;
            ask(c, &a, &all[i], k - i);
        }
        cs_arrivals_free(&a);
    }
    free(all);
}
