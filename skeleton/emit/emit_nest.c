/* SPDX-License-Identifier: BSD-3-Clause
 * Writes the body of the program: the nest as for loops, calls that only some classes make in an if, and computation
 * before calls. */
#include "skeleton/emit/emit_nest.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/mpi_calls.h"
#include "skeleton/emit/emit_call.h"
#include "skeleton/emit/emit_gaps.h"
#include "skeleton/emit/values.h"
#include "skeleton/plan/divide.h"

/* Sets in[] of the classes that make a call in the node. */
static void classes_of(const struct cs_gen *g, int64_t node, bool *in)
{
    const struct cs_nest_node *n = &g->m->node[node];
    if (n->count) {
        for (int64_t i = node + 1; i <= node + n->value; i++)
            if (!g->m->node[i].count)
                classes_of(g, i, in);
        return;
    }
    const struct cs_merged_symbol *l = &g->m->symbol[n->value];
    for (int p = 0; p < l->nparts; p++)
        in[l->part[p].cls] = true;
}

/* C text of the condition that a rank's class is in `in`. */
static const char *guard(struct cs_gen *g, const bool *in)
{
    for (int r = 0; r < g->m->info.nranks; r++) {
        g->here[r] = true;
        g->value[r] = in[g->m->class_of[r]];
    }
    return cs_gen_condition(g, "takes_part");
}

/* ---- loops ---- */

static int nodes(struct cs_gen *g, int64_t from, int64_t to, const bool *current, int depth);

/* How often a node occurs in one iteration of a loop around it. */
static long long occurrences(const struct cs_gen *g, int64_t node, int64_t loop)
{
    long long n = 1;
    assert(node > loop && node <= loop + g->m->node[loop].value);
    for (int64_t i = g->parent[node]; i != loop; i = g->parent[i])
        n *= g->m->node[i].count;
    return n;
}

/* Counters k<node> in a divided loop: its iterations stand for ones spread evenly over the original's, and a counter
 * gets the number that it had there. what: "begin" in front of the loop, "iteration" in it, "end" behind it. */
static void count_occurrences(struct cs_gen *g, int64_t loop, const char *what, int depth)
{
    long long times = g->m->node[loop].count, now = g->count[loop], at = loop;
    for (int64_t i = loop + 1; i <= loop + g->m->node[loop].value; i++) {
        if (!g->counts_node[i])
            continue;
        long long each = occurrences(g, i, loop), k = i;
        if (*what == 'b')
            cs_gen_line(g, depth, "const long base%lld = k%lld;", k, k);
        else if (*what == 'i')
            cs_gen_line(g, depth, "k%lld = base%lld + i%lld * %lldL / %lld * %lld;", k, k, at, times, now, each);
        else
            cs_gen_line(g, depth, "k%lld = base%lld + %lldL;", k, k, times * each);
    }
}

static int loop(struct cs_gen *g, int64_t node, const bool *in, int depth)
{
    long long times = g->m->node[node].count, now = g->count[node], at = node;
    bool divided = times != now, skips = divided && g->open_at[node];
    FILE *outer = g->body;
    char *text = NULL;
    size_t len;
    g->body = open_memstream(&text, &len); /* only the body shows which nodes need a counter */
    if (!g->body) {
        g->body = outer;
        return cs_gen_refuse(g, "not enough memory");
    }
    int rc = nodes(g, node + 1, node + 1 + g->m->node[node].value, in, depth + 1);
    fclose(g->body);
    g->body = outer;
    if (divided) {
        g->need[CS_NEED_CLOCK] = true;
        count_occurrences(g, node, "begin", depth);
    }
    if (skips) {
        g->need[CS_NEED_SKIP] = true;
        cs_gen_line(g, depth, "const long before%lld = nmade;", at);
    }
    cs_gen_line(g, depth, "for (%s i%lld = 0; i%lld < %lld; i%lld++) {%s", times > INT32_MAX ? "long" : "int", at, at,
                now, at, divided ? cs_gen_text(g, "      /* %lld times in the original */", times) : "");
    if (divided) {
        cs_gen_line(g, depth + 1, "if (i%lld == 1)", at);
        cs_gen_line(g, depth + 2, "phase(%lld. / %lld);      /* the first one stands for itself */", times - 1,
                    now - 1);
        count_occurrences(g, node, "iteration", depth + 1);
    }
    fputs(text, g->body);
    free(text);
    cs_gen_line(g, depth, "}");
    if (skips)
        cs_gen_line(g, depth, "skip(before%lld, %lld, %lld);", at, times, now);
    if (divided) {
        count_occurrences(g, node, "end", depth);
        cs_gen_line(g, depth, g->together[node] ? "together(1);" : "phase(1);");
        g->need[CS_NEED_TOGETHER] |= g->together[node];
    }
    return rc;
}

static int symbol(struct cs_gen *g, int64_t node, int depth)
{
    struct cs_gen_call c;
    if (cs_mpi_call(g->m->symbol[g->m->node[node].value].call)->kind == CS_MPI_INIT)
        return 0; /* every program begins with it */
    int rc = cs_gen_call_open(g, node, &c);
    if (rc == 0)
        rc = cs_gen_emit_call(g, &c, depth);
    cs_gen_call_close(&c);
    return rc;
}

/* Writes the nodes [from, to) where the classes in `current` are; neighbours of the same classes share one if. */
static int nodes(struct cs_gen *g, int64_t from, int64_t to, const bool *current, int depth)
{
    size_t n = (size_t)g->m->nclasses;
    bool *in = calloc(n, 1), *open = calloc(n, 1), is_open = false;
    int rc = in && open ? 0 : cs_gen_refuse(g, "not enough memory");
    for (int64_t i = from; i < to && rc == 0; i++) {
        memset(in, 0, n);
        classes_of(g, i, in);
        if (is_open && memcmp(in, open, n) != 0) {
            cs_gen_line(g, depth, "}");
            is_open = false;
        }
        if (!is_open && memcmp(in, current, n) != 0) {
            cs_gen_line(g, depth, "if (%s) {", guard(g, in));
            memcpy(open, in, n);
            is_open = true;
        }
        if (g->computes)
            cs_gen_emit_work(g, i, depth + is_open);
        rc = g->m->node[i].count ? loop(g, i, in, depth + is_open) : symbol(g, i, depth + is_open);
        i += g->m->node[i].count ? g->m->node[i].value : 0;
    }
    if (is_open)
        cs_gen_line(g, depth, "}");
    free(in);
    free(open);
    return rc;
}

int cs_gen_emit_nest(struct cs_gen *g)
{
    bool *all = malloc((size_t)g->m->nclasses + 1);
    if (!all)
        return cs_gen_refuse(g, "not enough memory");
    memset(all, 1, (size_t)g->m->nclasses + 1);
    int rc = nodes(g, 0, g->m->nnodes, all, 1);
    free(all);
    return rc || g->failed ? -1 : 0;
}
