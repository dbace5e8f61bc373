/* SPDX-License-Identifier: BSD-3-Clause
 * Reductions of deposited parts, in the order of MPICH 4.0.2's algorithms, so that floating-point results are the same
 * bit by bit. Which algorithm it takes, and why the order is that, is in docs/reference/emulate.md; operations that do
 * not commute keep the order of ranks. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/collectives/coll_internal.h"
#include "emulate/collectives/op.h"
#include "emulate/objects/comm.h"
#include "emulate/types/type.h"
#include "emulate/world/shared_heap.h"
#include "emulate/world/world.h"

/* Bytes from which on MPICH divides the elements among the ranks: more than that in MPI_Reduce, no fewer in
 * MPI_Reduce_scatter. */
enum { SHORT_REDUCE = 2048, LONG_REDUCE_SCATTER = 524288 };

/* Elements in the user's layout; the address of element 0. */
static char *lay_out(const char *packed, int64_t bytes, int64_t count, MPI_Datatype t, void **block)
{
    int64_t lb, span, step = cs_emu_type_extent(t);
    cs_emu_type_true(t, &lb, &span);
    int64_t all = span + (count - 1) * (step < 0 ? -step : step);
    *block = calloc(1, (size_t)all + 1);
    if (!*block)
        cs_emu_fail("no memory for a reduction");
    char *first = (char *)*block - lb + (step < 0 ? -(count - 1) * step : 0);
    cs_emu_unpack(first, count, t, packed, bytes);
    return first;
}

/* right = left op right, for count packed elements. */
static void combine_data(const char *left, char *right, const struct cs_emu_coll_call *call, int64_t count)
{
    MPI_Datatype t = call->recv.type;
    int rc;
    if (count == 0)
        return;
    if (cs_emu_type_dense(t, count)) {
        rc = cs_emu_reduce(call->op, left, right, count, t);
    } else {
        void *a, *b;
        int64_t bytes = count * cs_emu_type_size(t);
        char *l = lay_out(left, bytes, count, t, &a), *r = lay_out(right, bytes, count, t, &b);
        rc = cs_emu_reduce(call->op, l, r, count, t);
        cs_emu_pack(right, r, count, t);
        free(a);
        free(b);
    }
    if (rc != MPI_SUCCESS)
        cs_emu_fail("%s: the operation does not go with the datatype", call->name);
}

/* The left one is used up. */
static struct cs_emu_deposit *combine_two(struct cs_emu_deposit *left, struct cs_emu_deposit *right,
                                          const struct cs_emu_coll_call *call, int64_t count)
{
    combine_data(left->data, right->data, call, count);
    cs_emu_free(left);
    return right;
}

static struct cs_emu_deposit *copy_of(const struct cs_emu_deposit *p)
{
    struct cs_emu_deposit *q = cs_emu_deposit_new(p->bytes, 0);
    memcpy(q->data, p->data, p->bytes);
    return q;
}

static struct cs_emu_deposit **new_list(int n)
{
    struct cs_emu_deposit **v = malloc((size_t)n * sizeof *v);
    if (!v)
        cs_emu_fail("no memory for a reduction");
    return v;
}

static int power_below(int n)
{
    int p = 1;
    while (2 * p <= n)
        p *= 2;
    return p;
}

/* Recursive doubling of a number of ranks that is no power of two: the first ones pair up so that it becomes one.
 * Returns how many are left. */
static int fold(struct cs_emu_deposit **v, int n, const struct cs_emu_coll_call *call, int64_t count)
{
    int left = power_below(n), pairs = n - left;
    assert(2 * pairs <= n && pairs <= left);
    for (int i = 0; i < pairs; i++)
        v[i] = combine_two(v[2 * i], v[2 * i + 1], call, count);
    for (int i = pairs; i < left; i++)
        v[i] = v[i + pairs];
    return left;
}

/* Recursive halving meets the farthest first, recursive doubling the nearest: the same tree with the places' bits
 * reversed. n is a power of two. */
static void reverse_bits(struct cs_emu_deposit **v, int n)
{
    assert(n > 0 && (n & (n - 1)) == 0);
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            struct cs_emu_deposit *p = v[i];
            v[i] = v[j];
            v[j] = p;
        }
    }
}

/* The binomial tree: neighbours first, then pairs of pairs. With `last`, the last step is left to those who take the
 * result: that is left there. */
static struct cs_emu_deposit *binomial(struct cs_emu_deposit **v, int n, const struct cs_emu_coll_call *call,
                                       int64_t count, struct cs_emu_deposit **last)
{
    for (int step = 1; step < n; step *= 2)
        for (int i = 0; i + step < n; i += 2 * step) {
            if (last && 2 * step >= n) {
                *last = v[step];
                return v[0];
            }
            v[i] = combine_two(v[i], v[i + step], call, count);
        }
    return v[0];
}

struct cs_emu_deposit *cs_emu_coll_combine(struct cs_emu_coll *o, int from, int to, const struct cs_emu_coll_call *call,
                                           int64_t count, struct cs_emu_deposit **last)
{
    int n = to - from, first = 0;
    bool commutes = cs_emu_op_commutes(call->op), rooted = call->kind == CS_EMU_REDUCE || call->comm->inter,
         halves = false;
    if (n <= 0)
        return NULL;
    struct cs_emu_deposit **v = new_list(n);
    bool divides = commutes && cs_emu_op_predefined(call->op) &&
                   count * cs_emu_type_size(call->recv.type) > SHORT_REDUCE && count >= power_below(n);
    if (rooted && !divides && commutes && !call->comm->inter)
        first = call->root;
    for (int i = 0; i < n; i++) {
        int at = from + (first + i) % n;
        v[i] = o->slot[at];
        o->slot[at] = NULL;
    }
    if (!rooted || divides)
        n = fold(v, n, call, count);
    halves = call->kind == CS_EMU_REDUCE_SCATTER && commutes && !call->comm->inter;
    if (halves)
        reverse_bits(v, n);
    struct cs_emu_deposit *all = binomial(v, n, call, count, last);
    free(v);
    return all;
}

struct cs_emu_deposit *cs_emu_coll_finish_last(const struct cs_emu_deposit *left, const struct cs_emu_deposit *last,
                                               const struct cs_emu_coll_call *call, int64_t count)
{
    struct cs_emu_deposit *all = copy_of(last);
    combine_data(left->data, all->data, call, count);
    return all;
}

/* ---- reduce_scatter of many elements: each rank gets its block from all others, one after the other ---- */

bool cs_emu_coll_is_pairwise(const struct cs_emu_coll_call *call, int64_t count)
{
    return call->kind == CS_EMU_REDUCE_SCATTER && !call->comm->inter && cs_emu_op_commutes(call->op) &&
           count * cs_emu_type_size(call->recv.type) >= LONG_REDUCE_SCATTER;
}

struct cs_emu_deposit *cs_emu_coll_pairwise(struct cs_emu_coll *o, const struct cs_emu_coll_call *call)
{
    int64_t size = cs_emu_type_size(call->recv.type), at = 0;
    for (int r = 0; r < o->size; r++) {
        int64_t n = cs_emu_block_count(&call->recv, r);
        for (int i = 1; i < o->size; i++)
            combine_data(o->slot[(r - i + o->size) % o->size]->data + at, o->slot[r]->data + at, call, n);
        if (r > 0)
            memcpy(o->slot[0]->data + at, o->slot[r]->data + at, (size_t)(n * size));
        at += n * size;
    }
    struct cs_emu_deposit *all = o->slot[0];
    o->slot[0] = NULL;
    return all;
}

/* ---- scans: recursive doubling, all ranks at once ---- */

/* One round: what rank r has of its whole block goes to r ^ mask; those with a higher number add it to their prefix. */
static void scan_round(struct cs_emu_deposit **whole, struct cs_emu_deposit **before, int n, int mask,
                       const struct cs_emu_coll_call *call, int64_t count)
{
    for (int r = 0; r < n; r++) {
        int other = r ^ mask;
        if (r < other || other >= n)
            continue;
        if (before[r])
            combine_data(whole[other]->data, before[r]->data, call, count);
        else
            before[r] = copy_of(whole[other]);
        combine_data(whole[other]->data, whole[r]->data, call, count);
        memcpy(whole[other]->data, whole[r]->data, whole[r]->bytes);
    }
}

void cs_emu_coll_prefix(struct cs_emu_coll *o, const struct cs_emu_coll_call *call, int64_t count)
{
    int n = o->size;
    struct cs_emu_deposit **before = new_list(n), **whole = new_list(n);
    for (int i = 0; i < n; i++) {
        before[i] = call->kind == CS_EMU_EXSCAN ? NULL : copy_of(o->slot[i]);
        whole[i] = o->slot[i];
    }
    for (int mask = 1; mask < n; mask *= 2)
        scan_round(whole, before, n, mask, call, count);
    for (int i = 0; i < n; i++) {
        cs_emu_free(whole[i]);
        o->slot[i] = before[i];
    }
    free(before);
    free(whole);
}
