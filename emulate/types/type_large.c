/* SPDX-License-Identifier: BSD-3-Clause
 * Datatypes of constructors with large counts, and what they were made with: MPI_Type_get_envelope_c and
 * MPI_Type_get_contents_c, which also tell of all other types. */
#include <stdlib.h>
#include <string.h>

#include "emulate/errors/error.h"
#include "emulate/types/type_internal.h"
#include "emulate/world/entry.h"

/* Integers of a type that stay int: those of arrays that are no sizes. Returns how many large counts begin at *first;
 * all others stay. */
static int sizes_of_array(const struct cs_emu_type *t, int *first)
{
    bool subarray = t->combiner == MPI_COMBINER_SUBARRAY;
    *first = subarray ? 1 : 3;
    return subarray ? 3 * t->ints[0] : t->ints[2];
}

/* Moves n of the integers, from the one of number `first` on, and all addresses to the large counts. */
static void move_to_large(struct cs_emu_type *t, int first, int n)
{
    for (int i = 0; i < n; i++)
        t->large[i] = t->ints[first + i];
    for (int i = 0; i < t->naints; i++)
        t->large[n + i] = t->aints[i];
    for (int i = first + n; i < t->nints; i++)
        t->ints[i - n] = t->ints[i];
    t->nlarge = n + t->naints;
    t->nints -= n;
    t->naints = 0;
}

int cs_emu_type_made_large(MPI_Datatype handle)
{
    struct cs_emu_type *t = cs_emu_type_of(handle);
    int first = 0, n = t->nints;
    if (t->combiner == MPI_COMBINER_SUBARRAY || t->combiner == MPI_COMBINER_DARRAY)
        n = sizes_of_array(t, &first);
    t->large = malloc(((size_t)n + (size_t)t->naints + 1) * sizeof *t->large);
    if (!t->large)
        return MPI_ERR_NO_MEM;
    move_to_large(t, first, n);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Type_get_envelope_c,
            (MPI_Datatype datatype, MPI_Count *nints, MPI_Count *naints, MPI_Count *nlarge, MPI_Count *ntypes,
             int *combiner))
{
    struct cs_emu_type *t = cs_emu_type_of(datatype);

    if (!t)
        return cs_emu_error(NULL, MPI_ERR_TYPE, "MPI_Type_get_envelope_c");
    if (!nints || !naints || !nlarge || !ntypes || !combiner)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Type_get_envelope_c");
    *nints = t->nints;
    *naints = t->naints;
    *nlarge = t->nlarge;
    *ntypes = t->ntypes;
    *combiner = t->combiner;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Type_get_contents_c,
            (MPI_Datatype datatype, MPI_Count max_ints, MPI_Count max_aints, MPI_Count max_large, MPI_Count max_types,
             int ints[], MPI_Aint aints[], MPI_Count large[], MPI_Datatype types[]))
{
    struct cs_emu_type *t = cs_emu_type_of(datatype);
    int class = MPI_ERR_OTHER;

    if (!t || t->combiner == MPI_COMBINER_NAMED)
        class = MPI_ERR_TYPE;
    else if (max_large >= t->nlarge)
        class = cs_emu_type_contents(t, max_ints, max_aints, max_types, ints, aints, types);
    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, "MPI_Type_get_contents_c");
    if (t->nlarge)
        memcpy(large, t->large, (size_t)t->nlarge * sizeof *large);
    return MPI_SUCCESS;
}
