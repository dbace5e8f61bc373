/* SPDX-License-Identifier: BSD-3-Clause
 * What a datatype was made from: MPI_Type_get_envelope and MPI_Type_get_contents in one, with the memory for it.
 * Inner types that were made, too, come as handles of their own, which are freed here. */
#include "commlib/record/type_contents.h"

#include <assert.h>
#include <stdlib.h>

bool cs_type_is_named(MPI_Datatype t)
{
    int ni, na, nd, combiner;
    PMPI_Type_get_envelope(t, &ni, &na, &nd, &combiner);
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

int cs_type_contents(MPI_Datatype t, struct cs_type_contents *c)
{
    assert(!cs_type_is_named(t));
    int ninner;
    *c = (struct cs_type_contents){0};
    PMPI_Type_get_envelope(t, &c->nv, &c->naddresses, &ninner, &c->combiner);
    c->v = malloc((size_t)(c->nv + 1) * sizeof *c->v);
    c->address = malloc((size_t)(c->naddresses + 1) * sizeof *c->address);
    c->inner = malloc((size_t)(ninner + 1) * sizeof *c->inner);
    if (!c->v || !c->address || !c->inner)
        return -1;
    PMPI_Type_get_contents(t, c->nv, c->naddresses, ninner, c->v, c->address, c->inner);
    c->ninner = ninner;
    return 0;
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
