/* SPDX-License-Identifier: BSD-3-Clause
 * Counts the pieces of a datatype, stretches of memory without a gap: MPI_Type_vector(3, 2, 4, MPI_INT) has three. The
 * cost of packing depends on this number. Counted level by level, from the types that each type was made from. */
#include <assert.h>
#include <stdbool.h>

#include "commlib/record/type_contents.h"
#include "commlib/record/type_signatures.h"

/* Counts the pieces of blocks of one inner type. If the inner type has no gap a block is one piece, and belongs to the
 * piece of the block before it if the two touch. */
struct blocks {
    int64_t size, extent; /* of the inner type */
    int64_t pieces;       /* of one inner type */
    bool whole;           /* the inner type has no gap and is not resized */
    int64_t n, end;       /* pieces so far; byte where the last block ended */
    bool any;             /* there has been a block that is not empty */
};

static struct blocks begin(MPI_Datatype inner)
{
    MPI_Count size, lb, extent;
    assert(inner != MPI_DATATYPE_NULL);
    PMPI_Type_size_x(inner, &size);
    PMPI_Type_get_extent_x(inner, &lb, &extent);
    int64_t pieces = cs_type_pieces(inner);
    return (struct blocks){size, extent, pieces, pieces == 1 && lb == 0 && size == extent, 0, 0, false};
}

/* Adds a block of `length` elements that begins at byte `at`. */
static void add(struct blocks *b, int64_t length, int64_t at)
{
    if (length <= 0 || b->size == 0)
        return;
    if (!b->whole)
        b->n += length * b->pieces;
    else if (!b->any || at != b->end)
        b->n++;
    b->end = at + length * b->extent;
    b->any = true;
}

/* The pieces of n blocks of `length` elements, whose beginnings are `apart` bytes from each other. */
static int64_t spaced(struct blocks *b, int64_t n, int64_t length, int64_t apart)
{
    if (n <= 0)
        return 0;
    add(b, length, 0);
    return b->whole && apart == b->end ? b->n : n * b->n;
}

/* The pieces of a subarray with the integers v of its envelope: rows of the fastest dimension. Rows, planes and so on
 * that are taken whole join with the next ones. */
static int64_t subarray(const struct blocks *b, const int64_t *v)
{
    int dims = (int)v[0];
    const int64_t *size = v + 1, *sub = size + dims;
    bool fortran = v[1 + 3 * dims] == MPI_ORDER_FORTRAN, joins = b->whole;
    int64_t n = b->whole ? 1 : b->pieces;
    for (int k = 0; k < dims; k++) {
        int i = fortran ? k : dims - 1 - k;
        if (sub[i] == 0)
            return 0;
        n *= joins ? 1 : sub[i];
        joins = joins && sub[i] == size[i];
    }
    return n;
}

static int64_t of_one_inner(const struct cs_type_contents *c)
{
    struct blocks b = begin(c->inner[0]);
    const int64_t *v = c->v;
    int64_t n = c->nv ? v[0] : 1;
    switch (c->combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED: return b.pieces;
    case MPI_COMBINER_CONTIGUOUS: add(&b, n, 0); return b.n;
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
        return spaced(&b, n, v[1], c->combiner == MPI_COMBINER_VECTOR ? v[2] * b.extent : c->address[0]);
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
        for (int i = 0; i < n; i++)
            add(&b, v[1 + i], c->combiner == MPI_COMBINER_INDEXED ? v[1 + n + i] * b.extent : c->address[i]);
        return b.n;
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
        for (int i = 0; i < n; i++)
            add(&b, v[1], c->combiner == MPI_COMBINER_INDEXED_BLOCK ? v[2 + i] * b.extent : c->address[i]);
        return b.n;
    case MPI_COMBINER_SUBARRAY: return subarray(&b, v);
    default: return 0;
    }
}

static int64_t of_struct(const struct cs_type_contents *c)
{
    int64_t n = 0, end = 0;
    bool joins = false;
    for (int i = 0; i < c->v[0]; i++) {
        struct blocks b = begin(c->inner[i]);
        if (b.pieces == 0 && b.size > 0 && c->v[1 + i] > 0)
            return 0;
        add(&b, c->v[1 + i], c->address[i]);
        if (b.n == 0)
            continue;
        n += b.n - (joins && b.whole && c->address[i] == end);
        joins = b.whole;
        end = b.end;
    }
    return n;
}

int64_t cs_type_pieces(MPI_Datatype t)
{
    struct cs_type_contents c;
    int64_t n = 0;
    if (cs_type_is_named(t))
        return 1;
    if (cs_type_contents(t, &c) == 0)
        n = c.combiner == MPI_COMBINER_STRUCT ? of_struct(&c) : c.ninner == 1 ? of_one_inner(&c) : 0;
    cs_type_contents_free(&c);
    return n;
}
