/* SPDX-License-Identifier: BSD-3-Clause
 * What a datatype was made from: MPI_Type_get_envelope and MPI_Type_get_contents in one, with the memory for it.
 * Inner types that were made, too, come as handles of their own, which are freed here. */
#include "commlib/record/type_contents.h"

#include <assert.h>
#include <stdlib.h>

/* What MPI_Type_get_envelope_c tells of a type. Some of the numbers that it was made with are large counts if that was
 * with MPI_Type_vector_c and its kin; which, depends on the constructor. */
struct envelope {
    MPI_Count nints, naddresses, nlarge, ninner;
    int combiner;
};

static struct envelope envelope_of(MPI_Datatype t)
{
    struct envelope e;
    PMPI_Type_get_envelope_c(t, &e.nints, &e.naddresses, &e.nlarge, &e.ninner, &e.combiner);
    return e;
}

bool cs_type_is_named(MPI_Datatype t)
{
    int combiner = envelope_of(t).combiner;
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

/* How many of the large counts are addresses: displacements and strides in bytes, which are the last of them. */
static MPI_Count large_addresses(const struct envelope *e, const MPI_Count *large)
{
    switch (e->nlarge ? e->combiner : MPI_COMBINER_NAMED) {
    case MPI_COMBINER_HVECTOR: return 1;
    case MPI_COMBINER_RESIZED: return 2;
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_HINDEXED_BLOCK:
    case MPI_COMBINER_STRUCT: return large[0];
    default: return 0;
    }
}

/* How many integers come before the large counts. */
static MPI_Count ints_before(const struct envelope *e)
{
    return e->combiner == MPI_COMBINER_SUBARRAY ? 1 : e->combiner == MPI_COMBINER_DARRAY ? 3 : e->nints;
}

/* Puts the numbers that MPI has given in the order of a constructor without large counts. c->v has room for all. */
static void put_in_order(struct cs_type_contents *c, const struct envelope *e, const int *ints, const MPI_Count *large)
{
    MPI_Count moved = large_addresses(e, large), before = ints_before(e), n = 0;
    assert(moved <= e->nlarge && before <= e->nints);
    for (MPI_Count i = 0; i < before; i++)
        c->v[n++] = ints[i];
    for (MPI_Count i = 0; i < e->nlarge - moved; i++)
        c->v[n++] = large[i];
    for (MPI_Count i = before; i < e->nints; i++)
        c->v[n++] = ints[i];
    c->nv = (int)n;
    for (MPI_Count i = 0; i < moved; i++)
        c->address[e->naddresses + i] = large[e->nlarge - moved + i];
    c->naddresses = (int)(e->naddresses + moved);
}

int cs_type_contents(MPI_Datatype t, struct cs_type_contents *c)
{
    struct envelope e = envelope_of(t);
    assert(!cs_type_is_named(t));
    *c = (struct cs_type_contents){.combiner = e.combiner};
    int *ints = malloc((size_t)(e.nints + 1) * sizeof *ints);
    MPI_Count *large = malloc((size_t)(e.nlarge + 1) * sizeof *large);
    c->v = malloc((size_t)(e.nints + e.nlarge + 1) * sizeof *c->v);
    c->address = malloc((size_t)(e.naddresses + e.nlarge + 1) * sizeof *c->address);
    c->inner = malloc((size_t)(e.ninner + 1) * sizeof *c->inner);
    bool there = ints && large && c->v && c->address && c->inner;
    if (there) {
        PMPI_Type_get_contents_c(t, e.nints, e.naddresses, e.nlarge, e.ninner, ints, c->address, large, c->inner);
        c->ninner = (int)e.ninner;
        put_in_order(c, &e, ints, large);
    }
    free(ints);
    free(large);
    return there ? 0 : -1;
}

void cs_type_contents_free(struct cs_type_contents *c)
{
    for (int i = 0; i < c->ninner; i++)
        if (!cs_type_is_named(c->inner[i]))
            PMPI_Type_free(&c->inner[i]);
    free(c->v);
    free(c->address);
    free(c->inner);
}
