/* SPDX-License-Identifier: BSD-3-Clause
 * Chooses the loops that run fewer times (K: the scale). From the outside inwards, a loop of at least K iterations is
 * divided, and no loop inside it, if all messages of an iteration are matched in that iteration, or in the same
 * iteration of another such loop beside it. docs/reference/skeletons.md has the argument. */
#include "skeleton/plan/divide.h"

#include <assert.h>
#include <stdlib.h>

#include "api/mpi_calls.h"
#include "base/grow.h"
#include "skeleton/plan/balance.h"
#include "skeleton/plan/self_completing.h"

/* If only one or two iterations count more than once, they must take this long together (see is_mere_noise). */
#define MEASURED_S 2e-3

/* Do the nodes make communicators or persistent requests? Later calls refer to these by number, so no iteration that
 * makes one can be left out. */
static bool makes_numbered(const struct cs_gen *g, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &g->m->node[i];
        if (n->count)
            continue;
        const struct cs_mpi_call *c = cs_mpi_call(g->m->symbol[n->value].call);
        if (c->kind == CS_MPI_COMM_CTOR || c->flags & CS_MPI_PERSISTENT)
            return true;
    }
    return false;
}

bool cs_gen_is_divided(const struct cs_gen *g, int64_t node)
{
    return g->count[node] != g->m->node[node].count;
}

bool cs_gen_in_divided(const struct cs_gen *g, int64_t node)
{
    assert(node >= 0 && node < g->m->nnodes);
    for (int64_t i = g->parent[node]; i >= 0; i = g->parent[i])
        if (cs_gen_is_divided(g, i))
            return true;
    return false;
}

/* One of several loops side by side (none in another). */
struct loop {
    int64_t node;
    struct cs_balance *each, *before; /* what one iteration does; what is unmatched on those pairs where it begins */
    bool may, done;                   /* it can be divided by itself; it has been */
};

static void consider(struct cs_gen *g, int64_t from, int64_t to, int64_t least, struct cs_balance *before);

/* Iterations of the loop when divided: at least two, as the first one, which may be unlike the others, counts
 * only once. */
static int64_t divided_count(const struct cs_gen *g, int64_t node)
{
    assert(g->m->node[node].count >= 2);
    int64_t count = (g->m->node[node].count + g->o->scale / 2) / g->o->scale;
    return count < 2 ? 2 : count;
}

/* Seconds that all iterations of the loop took, on average over the ranks of the slowest class; 0: not recorded. */
static double seconds_in(const struct cs_gen *g, int64_t loop)
{
    double most = 0;
    for (int k = 0; k < g->m->nclasses && g->m->gap_at; k++) {
        double ns = 0;
        for (int64_t i = loop + 1; i <= loop + g->m->node[loop].value; i++) {
            const struct cs_merged_symbol *l = &g->m->symbol[g->m->node[i].value];
            for (int p = 0; !g->m->node[i].count && p < l->nparts; p++)
                if (l->part[p].cls == k)
                    ns += g->m->gap[g->m->gap_at[i] + p].gap + g->m->gap[g->m->gap_at[i] + p].busy;
        }
        ns /= g->m->cls[k].ranks.total;
        most = ns > most ? ns : most;
    }
    return most * 1e-9;
}

/* Is the loop too short to be divided? If one or two short iterations counted for all others, an interruption of one
 * would be multiplied as well. */
static bool is_mere_noise(const struct cs_gen *g, int64_t loop)
{
    int64_t counts = divided_count(g, loop) - 1;
    double seconds = seconds_in(g, loop);
    return counts < 3 && seconds > 0 && seconds * (double)counts / (double)g->m->node[loop].count < MEASURED_S;
}

/* May the loop be divided, as to its length? Not if it, or a loop inside it, is divided already. */
static bool is_long_enough(const struct cs_gen *g, int64_t node, int64_t least)
{
    if (g->m->node[node].count < least || cs_gen_is_divided(g, node) || is_mere_noise(g, node))
        return false;
    for (int64_t i = node + 1; i <= node + g->m->node[node].value; i++)
        if (cs_gen_is_divided(g, i))
            return false;
    return true;
}

/* Of the loops from number `first` on that have its trip count: do the k-th iterations of all of them together match
 * all of their messages, for each k? */
static bool matched_together(const struct cs_gen *g, const struct loop *l, int n, int first)
{
    assert(first < n && l[first].may && !l[first].done);
    struct cs_balance *sum = cs_balance_new();
    int64_t count = g->m->node[l[first].node].count;
    bool so = sum != NULL;
    for (int i = first; i < n && so; i++)
        if (l[i].may && !l[i].done && g->m->node[l[i].node].count == count) {
            so = cs_balance_is(l[i].before, sum, count);
            cs_balance_add(sum, l[i].each, 1);
        }
    so = so && cs_balance_is_zero(sum);
    cs_balance_free(sum);
    return so;
}

/* Divides the loops that match in themselves, then those that match together, and looks into the others. */
static void choose(struct cs_gen *g, struct loop *l, int n, int64_t least)
{
    for (int i = 0; i < n; i++) {
        struct cs_balance *nothing = cs_balance_new();
        if (nothing && l[i].may && cs_balance_is_zero(l[i].each) && cs_balance_is(l[i].before, nothing, 1)) {
            g->count[l[i].node] = divided_count(g, l[i].node);
            l[i].done = true;
        }
        cs_balance_free(nothing);
    }
    for (int i = 0; i < n; i++) {
        if (!l[i].may || l[i].done || !matched_together(g, l, n, i))
            continue;
        int64_t count = g->m->node[l[i].node].count;
        for (int k = i; k < n; k++)
            if (l[k].may && !l[k].done && g->m->node[l[k].node].count == count) {
                g->count[l[k].node] = divided_count(g, l[k].node);
                l[k].done = true;
            }
    }
    for (int i = 0; i < n; i++) {
        int64_t node = l[i].node;
        g->report.unmatched += l[i].may && !l[i].done && least >= g->o->scale;
        if (!cs_gen_is_divided(g, node))
            consider(g, node + 1, node + 1 + g->m->node[node].value, least, l[i].before);
    }
}

/* Divides loops among the nodes [from, to), none of which is in a divided loop. `before` is what is unmatched in front
 * of them; what they do is added to it. */
static void consider(struct cs_gen *g, int64_t from, int64_t to, int64_t least, struct cs_balance *before)
{
    struct loop *l = NULL;
    size_t n = 0, cap = 0;
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *node = &g->m->node[i];
        if (!node->count) {
            cs_balance_nodes(before, g, i, i + 1, 1);
            continue;
        }
        if (!CS_MAKE_ROOM(l, n, cap))
            break; /* what is not divided is still right */
        l[n] = (struct loop){.node = i, .each = cs_balance_new()};
        if (!l[n].each)
            break;
        cs_balance_nodes(l[n].each, g, i + 1, i + 1 + node->value, 1);
        l[n].before = cs_balance_part(before, l[n].each);
        l[n].may = is_long_enough(g, i, least) && !makes_numbered(g, i + 1, i + 1 + node->value) &&
                   cs_gen_is_self_completing(g, i);
        /* the whole loop, not `each` times its count: an iteration may be at another place of a cycle */
        cs_balance_nodes(before, g, i, i + 1 + node->value, 1);
        n += l[n].before != NULL;
        i += node->value;
    }
    choose(g, l, (int)n, least);
    for (size_t i = 0; i < n; i++) {
        cs_balance_free(l[i].each);
        cs_balance_free(l[i].before);
    }
    free(l);
}

static void set_parents(struct cs_gen *g, int64_t from, int64_t to, int32_t parent)
{
    for (int64_t i = from; i < to; i++) {
        g->parent[i] = parent;
        g->count[i] = g->m->node[i].count;
        if (g->m->node[i].count) {
            assert(i + g->m->node[i].value < to);
            set_parents(g, i + 1, i + 1 + g->m->node[i].value, (int32_t)i);
            i += g->m->node[i].value;
        }
    }
}

int cs_gen_loops(struct cs_gen *g)
{
    int64_t longest = 0;
    set_parents(g, 0, g->m->nnodes, -1);
    for (int64_t i = 0; i < g->m->nnodes; i++)
        longest = g->m->node[i].count > longest ? g->m->node[i].count : longest;
    g->report.longest = longest;
    if (g->o->scale > longest && longest > 0 && !g->o->force)
        return cs_gen_refuse(g, "the scale %lld is larger than any loop's trip count, which is at most %lld",
                             (long long)g->o->scale, (long long)longest);
    return 0;
}

static int consider_all(struct cs_gen *g, int64_t least)
{
    struct cs_balance *before = cs_balance_new();
    if (!before)
        return cs_gen_refuse(g, "not enough memory");
    consider(g, 0, g->m->nnodes, least, before);
    cs_balance_free(before);
    return 0;
}

int cs_gen_divide(struct cs_gen *g)
{
    enum { SHORTEST = 3 };
    int64_t scale = g->o->scale;
    if (scale > 1 &&
        (consider_all(g, scale > SHORTEST ? scale : SHORTEST) || (scale > SHORTEST && consider_all(g, SHORTEST))))
        return -1;
    for (int64_t i = 0; i < g->m->nnodes; i++)
        if (g->m->node[i].count)
            (!cs_gen_is_divided(g, i)      ? &g->report.whole
             : g->m->node[i].count < scale ? &g->report.two
                                           : &g->report.divided)[0]++;
    if (g->report.unmatched)
        snprintf(g->report.note, sizeof g->report.note, "%d loop%s of at least %lld iterations %s, so %s in full",
                 g->report.unmatched, g->report.unmatched == 1 ? "" : "s", (long long)g->o->scale,
                 g->report.unmatched == 1 ? "is not matched in itself" : "are not matched in themselves",
                 g->report.unmatched == 1 ? "it runs" : "they run");
    return g->failed ? -1 : 0;
}
