/* SPDX-License-Identifier: BSD-3-Clause
 * What a program asks about a datatype: size, bounds, how it was made, name.
 * Values that an int cannot hold are MPI_UNDEFINED. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/errors/error.h"
#include "emulate/types/type_internal.h"
#include "emulate/world/entry.h"

/* The type, or NULL after an error that is in *result. */
static struct cs_emu_type *look_up(MPI_Datatype handle, const void *out, int *result, const char *call)
{
    struct cs_emu_type *t = cs_emu_type_of(handle);

    if (t && out)
        return t;
    *result = cs_emu_error(NULL, t ? MPI_ERR_ARG : MPI_ERR_TYPE, call);
    return NULL;
}

CS_EMU_CALL(int, Type_size, (MPI_Datatype datatype, int *size))
{
    int result = MPI_SUCCESS;
    struct cs_emu_type *t = look_up(datatype, size, &result, "MPI_Type_size");

    if (t)
        *size = t->size > INT_MAX ? MPI_UNDEFINED : (int)t->size;
    return result;
}

static int size_of(MPI_Datatype datatype, MPI_Count *size, const char *call)
{
    int result = MPI_SUCCESS;
    struct cs_emu_type *t = look_up(datatype, size, &result, call);

    if (t)
        *size = t->size;
    return result;
}

CS_EMU_CALL(int, Type_size_x, (MPI_Datatype datatype, MPI_Count *size))
{
    return size_of(datatype, size, "MPI_Type_size_x");
}

CS_EMU_CALL(int, Type_size_c, (MPI_Datatype datatype, MPI_Count *size))
{
    return size_of(datatype, size, "MPI_Type_size_c");
}

static int bounds(MPI_Datatype datatype, bool what_is_touched, MPI_Aint *lb, MPI_Aint *extent, const char *call)
{
    int result = MPI_SUCCESS;
    struct cs_emu_type *t = look_up(datatype, lb && extent ? lb : NULL, &result, call);

    if (t) {
        *lb = what_is_touched ? t->true_lb : t->lb;
        *extent = what_is_touched ? t->true_extent : t->extent;
    }
    return result;
}

/* The same for MPI_Count, which has as many bits, but may be another type of C. */
static int bounds_x(MPI_Datatype datatype, bool what_is_touched, MPI_Count *lb, MPI_Count *extent, const char *call)
{
    MPI_Aint low = 0, length = 0;
    int result = bounds(datatype, what_is_touched, lb ? &low : NULL, extent ? &length : NULL, call);

    if (result == MPI_SUCCESS) {
        *lb = low;
        *extent = length;
    }
    return result;
}

CS_EMU_CALL(int, Type_get_extent, (MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent))
{
    return bounds(datatype, false, lb, extent, "MPI_Type_get_extent");
}

CS_EMU_CALL(int, Type_get_extent_x, (MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent))
{
    return bounds_x(datatype, false, lb, extent, "MPI_Type_get_extent_x");
}

CS_EMU_CALL(int, Type_get_extent_c, (MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent))
{
    return bounds_x(datatype, false, lb, extent, "MPI_Type_get_extent_c");
}

CS_EMU_CALL(int, Type_get_true_extent, (MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent))
{
    return bounds(datatype, true, lb, extent, "MPI_Type_get_true_extent");
}

CS_EMU_CALL(int, Type_get_true_extent_x, (MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent))
{
    return bounds_x(datatype, true, lb, extent, "MPI_Type_get_true_extent_x");
}

CS_EMU_CALL(int, Type_get_true_extent_c, (MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent))
{
    return bounds_x(datatype, true, lb, extent, "MPI_Type_get_true_extent_c");
}

CS_EMU_CALL(int, Type_extent, (MPI_Datatype datatype, MPI_Aint *extent))
{
    MPI_Aint lb;

    return bounds(datatype, false, &lb, extent, "MPI_Type_extent");
}

CS_EMU_CALL(int, Type_lb, (MPI_Datatype datatype, MPI_Aint *displacement))
{
    MPI_Aint extent;

    return bounds(datatype, false, displacement, &extent, "MPI_Type_lb");
}

CS_EMU_CALL(int, Type_ub, (MPI_Datatype datatype, MPI_Aint *displacement))
{
    MPI_Aint lb = 0, extent = 0;
    int result = displacement ? bounds(datatype, false, &lb, &extent, "MPI_Type_ub")
                              : cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Type_ub");

    if (result == MPI_SUCCESS)
        *displacement = lb + extent;
    return result;
}

CS_EMU_CALL(int, Type_get_envelope, (MPI_Datatype datatype, int *nints, int *naints, int *ntypes, int *combiner))
{
    int result = MPI_SUCCESS;
    struct cs_emu_type *t =
        look_up(datatype, nints && naints && ntypes ? combiner : NULL, &result, "MPI_Type_get_envelope");

    if (t && t->nlarge)
        return cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Type_get_envelope");
    if (t) {
        *nints = t->nints;
        *naints = t->naints;
        *ntypes = t->ntypes;
        *combiner = t->combiner;
    }
    return result;
}

int cs_emu_type_contents(const struct cs_emu_type *t, MPI_Count max_ints, MPI_Count max_aints, MPI_Count max_types,
                         int ints[], MPI_Aint aints[], MPI_Datatype types[])
{
    if (max_ints < t->nints || max_aints < t->naints || max_types < t->ntypes)
        return MPI_ERR_OTHER;
    if (t->nints)
        memcpy(ints, t->ints, (size_t)t->nints * sizeof *ints);
    if (t->naints)
        memcpy(aints, t->aints, (size_t)t->naints * sizeof *aints);
    for (int i = 0; i < t->ntypes; i++) {
        types[i] = t->types[i]->handle;
        cs_emu_type_hold(types[i]);
    }
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Type_get_contents,
            (MPI_Datatype datatype, int max_ints, int max_aints, int max_types, int ints[], MPI_Aint aints[],
             MPI_Datatype types[]))
{
    struct cs_emu_type *t = cs_emu_type_of(datatype);
    int class = MPI_ERR_OTHER;

    if (!t || t->combiner == MPI_COMBINER_NAMED)
        class = MPI_ERR_TYPE;
    else if (!t->nlarge)
        class = cs_emu_type_contents(t, max_ints, max_aints, max_types, ints, aints, types);
    return class == MPI_SUCCESS ? class : cs_emu_error(NULL, class, "MPI_Type_get_contents");
}

CS_EMU_CALL(int, Type_set_name, (MPI_Datatype datatype, const char *name))
{
    int result = MPI_SUCCESS;
    struct cs_emu_type *t = look_up(datatype, name, &result, "MPI_Type_set_name");
    char *copy = t ? strndup(name, MPI_MAX_OBJECT_NAME - 1) : NULL;

    if (!t)
        return result;
    if (!copy)
        return cs_emu_error(NULL, MPI_ERR_NO_MEM, "MPI_Type_set_name");
    free(t->name);
    t->name = copy;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Type_get_name, (MPI_Datatype datatype, char *name, int *length))
{
    struct cs_emu_type *t = cs_emu_type_of(datatype);

    if (!t && datatype != MPI_DATATYPE_NULL)
        return cs_emu_error(NULL, MPI_ERR_TYPE, "MPI_Type_get_name");
    if (!name || !length)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Type_get_name");
    if (!t)
        *length = snprintf(name, MPI_MAX_OBJECT_NAME, "MPI_DATATYPE_NULL");
    else
        *length = snprintf(name, MPI_MAX_OBJECT_NAME, "%s",
                           t->name         ? t->name
                           : t->predefined ? cs_emu_basic_name(datatype)
                                           : "");
    return MPI_SUCCESS;
}
