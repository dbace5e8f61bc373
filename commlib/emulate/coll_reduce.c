/* SPDX-License-Identifier: BSD-3-Clause
 * Reductions of deposited parts. The order is that of MPICH's binomial tree: neighbours first, then pairs of pairs; the lower ranks are the
 * left operand, so it holds for operations that do not commute, and floating-point results are MPICH's. */
#include <stdlib.h>

#include "coll.h"
#include "op.h"
#include "shared.h"
#include "type.h"
#include "world.h"

/* A part in the user's layout; the address of element 0. */
static char *lay_out(const struct cs_emu_part *p, int64_t count, MPI_Datatype t, void **block)
{
    int64_t lb, span, step = cs_emu_type_extent(t);
    cs_emu_type_true(t, &lb, &span);
    int64_t all = span + (count - 1) * (step < 0 ? -step : step);
    *block = calloc(1, (size_t)all + 1);
    if (!*block)
        cs_emu_fail(NULL, "no memory for a reduction");
    char *first = (char *)*block - lb + (step < 0 ? -(count - 1) * step : 0);
    cs_emu_unpack(first, count, t, p->data, (int64_t)p->bytes);
    return first;
}

/* *right = left op right. */
static int combine_two(const struct cs_emu_part *left, struct cs_emu_part *right, const struct cs_emu_coll_call *call, int64_t count)
{
    MPI_Datatype t = call->recv.type;
    if (count == 0)
        return MPI_SUCCESS;
    if (cs_emu_type_dense(t, count))
        return cs_emu_reduce(call->op, left->data, right->data, (int)count, t);
    void *a, *b;
    char *l = lay_out(left, count, t, &a), *r = lay_out(right, count, t, &b);
    int rc = cs_emu_reduce(call->op, l, r, (int)count, t);
    cs_emu_pack(right->data, r, count, t);
    free(a);
    free(b);
    return rc;
}

static void must(int rc, const struct cs_emu_coll_call *call)
{
    if (rc != MPI_SUCCESS)
        cs_emu_fail(NULL, "%s: the operation does not go with the datatype", call->name);
}

struct cs_emu_part *cs_emu_coll_combine(struct cs_emu_coll *o, int from, int to, const struct cs_emu_coll_call *call, int64_t count)
{
    for (int step = 1; step < to - from; step *= 2)
        for (int i = from; i + step < to; i += 2 * step) {
            struct cs_emu_part *left = o->slot[i], *right = o->slot[i + step];
            must(combine_two(left, right, call, count), call);
            o->slot[i] = right;
            o->slot[i + step] = NULL;
            cs_emu_free(left);
        }
    if (to <= from)
        return NULL;
    struct cs_emu_part *all = o->slot[from];
    o->slot[from] = NULL;
    return all;
}

void cs_emu_coll_prefix(struct cs_emu_coll *o, const struct cs_emu_coll_call *call, int64_t count)
{
    for (int i = 1; i < o->size; i++)
        must(combine_two(o->slot[i - 1], o->slot[i], call, count), call);
}
