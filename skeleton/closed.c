/* SPDX-License-Identifier: BSD-3-Clause
 * Does an iteration of a loop complete the requests that it makes, and no others? Each class goes through the body once; a loop inside
 * that is closed itself only counts its requests, another one is gone through in full. */
#include <stdlib.h>
#include <string.h>

#include "gen.h"

enum { STEPS_MAX = 1000000 };

struct body {
    struct cs_gen *g;
    int cls;
    int64_t made;               /* in this iteration */
    int64_t *open, nopen, cap;  /* numbers of those not completed; persistent ones as -1, -2, ... */
    int64_t steps;
    bool bad;
};

static void push(struct body *b, int64_t which)
{
    if (b->nopen == b->cap) {
        b->cap = b->cap ? 2 * b->cap : 64;
        int64_t *p = realloc(b->open, (size_t)b->cap * sizeof *p);
        if (!p) {
            b->bad = true;
            return;
        }
        b->open = p;
    }
    b->open[b->nopen++] = which;
}

/* `which` as in a trace: how many requests ago, or persistent. */
static void complete(struct body *b, int64_t which)
{
    int64_t number = which > 0 ? b->made - which : which;
    if (which == 0)
        return;
    if (which > 0 && number < 0) {
        b->bad = true;
        return;
    }
    for (int64_t i = b->nopen; i-- > 0;)
        if (b->open[i] == number) {
            b->open[i] = b->open[--b->nopen];
            return;
        }
    b->bad |= which < 0;        /* completed twice is harmless; a persistent one was started outside */
}

static void take_fields(struct body *b, const struct cs_gen_call *c, const struct cs_gen_part *p, int64_t node)
{
    bool starts = c->call->kind == CS_MPI_START;
    for (int arg = 0; arg < c->call->nargs; arg++) {
        enum cs_role role = c->call->args[arg].role;
        if ((role != CS_ROLE_REQ_INOUT && role != CS_ROLE_REQS) || cs_field_shape(c->call, arg) == CS_FIELD_LENGTH)
            continue;
        for (int i = 0; i < p->n[arg]; i++) {
            int64_t which = cs_value_at(&p->r->field[p->at[arg] + i], 0, 0, 1);
            if (!starts)
                complete(b, which);
            else if (!b->g->later[node])
                push(b, which);
        }
    }
}

static void letter(struct body *b, int64_t node)
{
    struct cs_gen_call c;
    const struct cs_merged_part *part = cs_merged_part_of(&b->g->m->letter[b->g->m->node[node].value], b->cls);
    if (!part)
        return;
    if (cs_gen_call_open(b->g, node, &c) == 0) {
        const struct cs_gen_part *p = &c.part[part - c.l->part];
        take_fields(b, &c, p, node);
        for (int arg = 0; arg < c.call->nargs; arg++)
            if (c.call->args[arg].role == CS_ROLE_REQ_OUT) {
                if (!b->g->later[node])
                    push(b, b->made);
                b->made++;
            }
    }
    cs_gen_call_close(&c);
}

static bool closed(struct cs_gen *g, int64_t loop, int cls, int64_t *made);

static void nodes(struct body *b, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to && !b->bad; i++) {
        const struct cs_nest_node *n = &b->g->m->node[i];
        int64_t made = 0;
        if (!n->count) {
            letter(b, i);
            continue;
        }
        if (closed(b->g, i, b->cls, &made))
            b->made += n->count * made;
        else
            for (int64_t k = 0; k < n->count && !b->bad; k++) {
                b->bad |= (b->steps += n->value) > STEPS_MAX;
                nodes(b, i + 1, i + 1 + n->value);
            }
        i += n->value;
    }
}

/* *made: requests of an iteration. */
static bool closed(struct cs_gen *g, int64_t loop, int cls, int64_t *made)
{
    struct body b = {.g = g, .cls = cls};
    nodes(&b, loop + 1, loop + 1 + g->m->node[loop].value);
    *made = b.made;
    free(b.open);
    return !b.bad && b.nopen == 0;
}

bool cs_gen_requests_closed(struct cs_gen *g, int64_t loop)
{
    int64_t made;
    for (int k = 0; k < g->m->nclasses; k++)
        if (!closed(g, loop, k, &made))
            return false;
    return true;
}
