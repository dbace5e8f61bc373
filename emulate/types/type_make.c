/* SPDX-License-Identifier: BSD-3-Clause
 * Makes datatypes from blocks of others: bounds, layout and parts. Bounds follow MPI 3.1, section 4.1; type_calls.c
 * adds the padding of structures and the markers MPI_LB and MPI_UB. */
#include <stdlib.h>
#include <string.h>

#include "emulate/types/type_internal.h"
#include "emulate/world/handles.h"

static struct cs_emu_table handles = CS_EMU_TABLE(CS_EMU_TYPE, 5);

struct cs_emu_type *cs_emu_type_of(MPI_Datatype handle)
{
    struct cs_emu_type *t = cs_emu_handle_get(&handles, handle);

    return t ? t : cs_emu_basic_of(handle);
}

void cs_emu_type_drop(struct cs_emu_type *t)
{
    if (!t || t->predefined || --t->refs > 0)
        return;
    if (t->handle)
        cs_emu_handle_drop(&handles, t->handle);
    for (int i = 0; i < t->ntypes; i++)
        cs_emu_type_drop(t->types[i]);
    for (int i = 0; i < t->nparts; i++)
        cs_emu_type_drop(t->parts[i].type);
    cs_emu_layout_release(t->data.layout);
    free(t->ints);
    free(t->aints);
    free(t->large);
    free(t->types);
    free(t->parts);
    free(t->name);
    free(t);
}

static struct cs_emu_type *hold(struct cs_emu_type *t)
{
    t->refs++;
    return t;
}

/* Bounds of a type in the making, in bytes; `any`: there has been an element. */
struct bounds {
    bool any;
    int64_t lb, ub, true_lb, true_ub;
};

/* Extends b to the bounds of elements of t at the displacements `first` and `last`, and any between these. */
static void take_in(struct bounds *b, const struct cs_emu_type *t, int64_t first, int64_t last)
{
    int64_t low = first < last ? first : last, high = first < last ? last : first;
    struct bounds n = {true, low + t->lb, high + t->lb + t->extent, low + t->true_lb,
                       high + t->true_lb + t->true_extent};

    if (!b->any) {
        *b = n;
        return;
    }
    b->lb = n.lb < b->lb ? n.lb : b->lb;
    b->ub = n.ub > b->ub ? n.ub : b->ub;
    b->true_lb = n.true_lb < b->true_lb ? n.true_lb : b->true_lb;
    b->true_ub = n.true_ub > b->true_ub ? n.true_ub : b->true_ub;
}

static void set_bounds(struct cs_emu_type *t, const struct bounds *b)
{
    t->lb = b->lb;
    t->extent = b->ub - b->lb;
    t->true_lb = b->true_lb;
    t->true_extent = b->true_ub - b->true_lb;
}

/* A new type with room for n parts. */
static struct cs_emu_type *new_type(int64_t nparts)
{
    struct cs_emu_type *t = calloc(1, sizeof *t);

    if (!t)
        return NULL;
    t->refs = 1;
    t->align = 1;
    t->parts = malloc((nparts > 0 ? (size_t)nparts : 1) * sizeof *t->parts);
    if (!t->parts) {
        free(t);
        return NULL;
    }
    return t;
}

/* Adds n elements of a type to the parts, its size and its alignment; neighbours of one type become one part. */
static void add_part(struct cs_emu_type *t, int64_t n, struct cs_emu_type *of)
{
    struct cs_emu_type_part *last = t->nparts ? &t->parts[t->nparts - 1] : NULL;

    t->size += n * of->size;
    t->align = of->align > t->align ? of->align : t->align;
    if (last && last->type == of)
        last->n += n;
    else
        t->parts[t->nparts++] = (struct cs_emu_type_part){n, hold(of)};
}

/* Returns t, or NULL after freeing it if there was no memory for its layout. */
static struct cs_emu_type *checked(struct cs_emu_type *t)
{
    if (t->data.layout)
        return t;
    cs_emu_type_drop(t);
    return NULL;
}

struct cs_emu_type *cs_emu_type_blocks(int64_t n, const struct cs_emu_block blocks[])
{
    struct cs_emu_type *t = new_type(n);
    struct cs_emu_layout_at *places = calloc(n > 0 ? (size_t)n : 1, sizeof *places);
    struct bounds b = {0};
    int64_t kept = 0;

    for (int64_t i = 0; t && places && i < n; i++) {
        const struct cs_emu_block *k = &blocks[i];

        if (k->count <= 0)
            continue;
        places[kept] = cs_emu_layout_loop(k->count, k->type->extent, k->type->data);
        places[kept++].at += k->at;
        take_in(&b, k->type, k->at, k->at + (k->count - 1) * k->type->extent);
        add_part(t, k->count, k->type);
    }
    if (t && places) {
        if (t->size > 0) /* as in MPICH, a type without data has no bounds */
            set_bounds(t, &b);
        t->data = cs_emu_layout_list(kept, places);
    }
    for (int64_t i = 0; i < kept; i++)
        cs_emu_layout_release(places[i].layout);
    free(places);
    return t ? checked(t) : NULL;
}

struct cs_emu_type *cs_emu_type_strided(int64_t n, int64_t count, int64_t stride, struct cs_emu_type *of)
{
    struct cs_emu_type *t = new_type(1);
    struct bounds b = {0};
    struct cs_emu_layout_at block;

    if (!t)
        return NULL;
    if (n > 0 && count > 0) {
        int64_t last = (n - 1) * stride, in_block = (count - 1) * of->extent;

        take_in(&b, of, 0, in_block);
        take_in(&b, of, last, last + in_block);
        add_part(t, n * count, of);
    }
    set_bounds(t, &b);
    block = cs_emu_layout_loop(count > 0 ? count : 0, of->extent, of->data);
    t->data = cs_emu_layout_loop(n > 0 ? n : 0, stride, block);
    cs_emu_layout_release(block.layout);
    return checked(t);
}

struct cs_emu_type *cs_emu_type_resized(struct cs_emu_type *of, int64_t lb, int64_t extent)
{
    struct cs_emu_type *t = new_type(1);

    if (!t)
        return NULL;
    add_part(t, 1, of);
    t->lb = lb;
    t->extent = extent;
    t->true_lb = of->true_lb;
    t->true_extent = of->true_extent;
    t->data = (struct cs_emu_layout_at){of->data.at, cs_emu_layout_hold(of->data.layout)};
    return t;
}

/* A copy of n items; NULL if there are none, and when memory is out: then *failed is set. */
static void *copy(const void *from, int n, size_t item, bool *failed)
{
    void *to = n > 0 ? malloc((size_t)n * item) : NULL;

    if (n > 0 && !to)
        *failed = true;
    if (to)
        memcpy(to, from, (size_t)n * item);
    return to;
}

int cs_emu_type_finish(struct cs_emu_type *t, int combiner, int ni, const int *ints, int na, const MPI_Aint *aints,
                       int nt, struct cs_emu_type *const *types, MPI_Datatype *out)
{
    bool failed = false;

    if (!t)
        return MPI_ERR_NO_MEM;
    t->combiner = combiner;
    t->ints = copy(ints, ni, sizeof *ints, &failed);
    t->aints = copy(aints, na, sizeof *aints, &failed);
    t->types = copy(types, nt, sizeof *types, &failed);
    t->nints = ni;
    t->naints = na;
    t->ntypes = t->types ? nt : 0;
    for (int i = 0; i < t->ntypes; i++)
        hold(t->types[i]);
    t->handle = failed ? 0 : cs_emu_handle_new(&handles, t);
    if (!t->handle) {
        cs_emu_type_drop(t);
        return MPI_ERR_NO_MEM;
    }
    *out = t->handle;
    return MPI_SUCCESS;
}
