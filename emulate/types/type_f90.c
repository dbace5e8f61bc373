/* SPDX-License-Identifier: BSD-3-Clause
 * Datatypes by Fortran's kinds: MPI_Type_create_f90_* and MPI_Type_match_size. Models of the kinds are those of
 * gfortran on x86-64 that MPICH 4.0.2 knows. The same request gives the same handle, and nobody frees it. */
#include <stdlib.h>

#include "emulate/errors/error.h"
#include "emulate/types/type_internal.h"
#include "emulate/world/entry.h"

/* A type of MPI_Type_create_f90_* that was asked for; they stay, in a list. */
struct made {
    int combiner, p, r;
    MPI_Datatype handle;
    struct made *next;
};

static struct made *made;

/* The type for a combiner and its arguments, over a predefined one. Returns an error class. */
static int get(int combiner, int p, int r, MPI_Datatype base, MPI_Datatype *out)
{
    struct cs_emu_type *of = cs_emu_type_of(base);
    int ints[2] = {p, r}, class;
    struct made *m;

    for (m = made; m; m = m->next) {
        if (m->combiner == combiner && m->p == p && m->r == r) {
            *out = m->handle;
            return MPI_SUCCESS;
        }
    }
    m = malloc(sizeof *m);
    if (!m)
        return MPI_ERR_NO_MEM;
    *m = (struct made){.combiner = combiner, .p = p, .r = r, .next = made};
    class = cs_emu_type_finish(cs_emu_type_strided(1, 1, 0, of), combiner, combiner == MPI_COMBINER_F90_INTEGER ? 1 : 2,
                               combiner == MPI_COMBINER_F90_INTEGER ? ints + 1 : ints, 0, NULL, 0, NULL, &m->handle);
    if (class != MPI_SUCCESS) {
        free(m);
        return class;
    }
    of = cs_emu_type_of(m->handle);
    of->predefined = of->committed = true;
    made = m;
    *out = m->handle;
    return MPI_SUCCESS;
}

static int real_or_complex(int combiner, int p, int r, MPI_Datatype single, MPI_Datatype twice, MPI_Datatype *out,
                           const char *call)
{
    MPI_Datatype base = MPI_DATATYPE_NULL;
    int class;

    if (!out)
        return cs_emu_error(NULL, MPI_ERR_ARG, call);
    *out = MPI_DATATYPE_NULL;
    if (p <= 6 && r <= 37)
        base = single;
    else if (p <= 15 && r <= 307)
        base = twice;
    class = base == MPI_DATATYPE_NULL ? MPI_ERR_OTHER : get(combiner, p, r, base, out);
    return class == MPI_SUCCESS ? class : cs_emu_error(NULL, class, call);
}

CS_EMU_CALL(int, Type_create_f90_real, (int p, int r, MPI_Datatype *newtype))
{
    return real_or_complex(MPI_COMBINER_F90_REAL, p, r, MPI_REAL, MPI_DOUBLE_PRECISION, newtype,
                           "MPI_Type_create_f90_real");
}

CS_EMU_CALL(int, Type_create_f90_complex, (int p, int r, MPI_Datatype *newtype))
{
    return real_or_complex(MPI_COMBINER_F90_COMPLEX, p, r, MPI_COMPLEX, MPI_DOUBLE_COMPLEX, newtype,
                           "MPI_Type_create_f90_complex");
}

CS_EMU_CALL(int, Type_create_f90_integer, (int r, MPI_Datatype *newtype))
{
    static const struct {
        int range;
        MPI_Datatype type;
    } models[] = {{2, MPI_INTEGER1}, {4, MPI_INTEGER2}, {9, MPI_INTEGER4}, {18, MPI_INTEGER8}};
    int class = MPI_ERR_OTHER;

    if (!newtype)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Type_create_f90_integer");
    *newtype = MPI_DATATYPE_NULL;
    for (size_t i = 0; i < sizeof models / sizeof *models && class == MPI_ERR_OTHER; i++)
        if (r <= models[i].range)
            class = get(MPI_COMBINER_F90_INTEGER, 0, r, models[i].type, newtype);
    return class == MPI_SUCCESS ? class : cs_emu_error(NULL, class, "MPI_Type_create_f90_integer");
}

CS_EMU_CALL(int, Type_match_size, (int typeclass, int size, MPI_Datatype *datatype))
{
    static const MPI_Datatype reals[] = {MPI_REAL4, MPI_REAL8, MPI_REAL16},
                              integers[] = {MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8},
                              complexes[] = {MPI_COMPLEX8, MPI_COMPLEX16, MPI_COMPLEX32};
    const MPI_Datatype *from = typeclass == MPI_TYPECLASS_REAL      ? reals
                               : typeclass == MPI_TYPECLASS_INTEGER ? integers
                                                                    : complexes;
    int n = typeclass == MPI_TYPECLASS_INTEGER ? 4 : 3;

    if (!datatype || typeclass < MPI_TYPECLASS_REAL || typeclass > MPI_TYPECLASS_COMPLEX)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Type_match_size");
    for (int i = 0; i < n; i++) {
        if (cs_emu_type_size(from[i]) == size) {
            *datatype = from[i];
            return MPI_SUCCESS;
        }
    }
    return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Type_match_size");
}

MPI_Datatype cs_emu_type_behind_f90(MPI_Datatype t)
{
    const struct cs_emu_type *d = cs_emu_type_of(t);
    bool f90 = d && (d->combiner == MPI_COMBINER_F90_REAL || d->combiner == MPI_COMBINER_F90_COMPLEX ||
                     d->combiner == MPI_COMBINER_F90_INTEGER);

    return f90 ? d->parts[0].type->handle : t;
}
