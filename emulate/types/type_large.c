/* SPDX-License-Identifier: BSD-3-Clause
 * Datatypes of constructors with large counts, and what they were made with: MPI_Type_get_envelope_c and
 * MPI_Type_get_contents_c, which also tell of all other types. Lists: type_indexed_large.c. */
#include <stdlib.h>
#include <string.h>

#include "emulate/errors/error.h"
#include "emulate/types/type_internal.h"
#include "emulate/world/entry.h"

int cs_emu_type_finish_numbers(struct cs_emu_type *t, int combiner, int n, const int64_t *all, int first, int nlarge,
                               int nt, struct cs_emu_type *const *types, MPI_Datatype *out)
{
    int *ints = malloc(((size_t)n + 1) * sizeof *ints), nints = 0;
    MPI_Count *large = nlarge && t ? malloc((size_t)nlarge * sizeof *large) : NULL;
    int rc = MPI_ERR_NO_MEM;
    if (t && ints && (!nlarge || large)) {
        for (int i = 0; i < n; i++) {
            if (i >= first && i < first + nlarge)
                large[i - first] = all[i];
            else
                ints[nints++] = (int)all[i];
        }
        t->large = large;
        t->nlarge = nlarge;
        rc = cs_emu_type_finish(t, combiner, nints, ints, 0, NULL, nt, types, out);
    } else {
        free(large);
        cs_emu_type_drop(t);
    }
    free(ints);
    return rc;
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

/* Arguments of a constructor of equal blocks: how many, of how many elements, and how far apart in elements or bytes.
 */
struct strided {
    int combiner, nlarge;
    MPI_Count large[3]; /* what MPI_Type_get_contents_c gives */
    MPI_Count count, length, stride;
};

static int strided(const struct strided *s, MPI_Datatype oldtype, MPI_Datatype *newtype, const char *call)
{
    struct cs_emu_type *of = cs_emu_type_of(oldtype), *t = NULL;
    int class = s->count < 0 || s->length < 0 ? MPI_ERR_COUNT
                : !of                         ? MPI_ERR_TYPE
                : newtype                     ? MPI_SUCCESS
                                              : MPI_ERR_ARG;

    if (class == MPI_SUCCESS) {
        t = cs_emu_type_strided(s->count, s->length, s->stride, of);
        if (t && !(t->large = malloc(sizeof s->large))) {
            cs_emu_type_drop(t);
            t = NULL;
        }
        if (t) {
            memcpy(t->large, s->large, sizeof s->large);
            t->nlarge = s->nlarge;
        }
        class = cs_emu_type_finish(t, s->combiner, 0, NULL, 0, NULL, 1, &of, newtype);
    }
    return class == MPI_SUCCESS ? class : cs_emu_error(NULL, class, call);
}

CS_EMU_CALL(int, Type_contiguous_c, (MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    struct strided s = {MPI_COMBINER_CONTIGUOUS, 1, {count}, 1, count, 0};

    return strided(&s, oldtype, newtype, "MPI_Type_contiguous_c");
}

CS_EMU_CALL(int, Type_vector_c,
            (MPI_Count count, MPI_Count length, MPI_Count stride, MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    struct cs_emu_type *of = cs_emu_type_of(oldtype);
    struct strided s = {
        MPI_COMBINER_VECTOR, 3, {count, length, stride}, count, length, of ? stride * of->extent : stride};

    return strided(&s, oldtype, newtype, "MPI_Type_vector_c");
}

CS_EMU_CALL(int, Type_create_hvector_c,
            (MPI_Count count, MPI_Count length, MPI_Count stride, MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    struct strided s = {MPI_COMBINER_HVECTOR, 3, {count, length, stride}, count, length, stride};

    return strided(&s, oldtype, newtype, "MPI_Type_create_hvector_c");
}
