/* SPDX-License-Identifier: BSD-3-Clause
 * MPI's calls on attributes of datatypes, and MPII_*, by which MPICH's Fortran library sets and gets integers. */
#include <stddef.h>

#include <mpi.h>

#include "emulate/errors/error.h"
#include "emulate/objects/attr.h"
#include "emulate/types/type_internal.h"
#include "emulate/world/entry.h"

static int set_type(MPI_Datatype type, int keyval, void *value, int kind)
{
    struct cs_emu_type *t = cs_emu_type_of(type);
    struct cs_emu_keyval *k = cs_emu_keyval_of(keyval, CS_EMU_KEYED_TYPE);
    int class = !t ? MPI_ERR_TYPE : !k ? MPI_ERR_KEYVAL : cs_emu_attr_set(type, &t->attrs, k, value, kind);

    return class == MPI_SUCCESS ? class : cs_emu_error(NULL, class, "MPI_Type_set_attr");
}

static int get_type(MPI_Datatype type, int keyval, void *value, int *flag, int kind)
{
    struct cs_emu_type *t = cs_emu_type_of(type);
    struct cs_emu_keyval *k = cs_emu_keyval_of(keyval, CS_EMU_KEYED_TYPE);

    if (!t || !k)
        return cs_emu_error(NULL, t ? MPI_ERR_KEYVAL : MPI_ERR_TYPE, "MPI_Type_get_attr");
    if (!value || !flag)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Type_get_attr");
    *flag = cs_emu_attr_get(&t->attrs, k, value, kind);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Type_set_attr, (MPI_Datatype type, int keyval, void *value))
{
    return set_type(type, keyval, value, CS_EMU_ATTR_POINTER);
}

CS_EMU_CALL(int, Type_get_attr, (MPI_Datatype type, int keyval, void *value, int *flag))
{
    return get_type(type, keyval, value, flag, CS_EMU_ATTR_POINTER);
}

CS_EMU_CALL(int, Type_delete_attr, (MPI_Datatype type, int keyval))
{
    struct cs_emu_type *t = cs_emu_type_of(type);
    struct cs_emu_keyval *k = cs_emu_keyval_of(keyval, CS_EMU_KEYED_TYPE);
    int class = !t ? MPI_ERR_TYPE : !k ? MPI_ERR_KEYVAL : cs_emu_attr_delete(type, &t->attrs, k);

    return class == MPI_SUCCESS ? class : cs_emu_error(NULL, class, "MPI_Type_delete_attr");
}

/* For the Fortran library: kind is one of CS_EMU_ATTR_*. */
CS_EMU_VISIBLE int MPII_Type_set_attr(MPI_Datatype type, int keyval, void *value, int kind);
CS_EMU_VISIBLE int MPII_Type_set_attr(MPI_Datatype type, int keyval, void *value, int kind)
{
    return set_type(type, keyval, value, kind);
}

CS_EMU_VISIBLE int MPII_Type_get_attr(MPI_Datatype type, int keyval, void *value, int *flag, int kind);
CS_EMU_VISIBLE int MPII_Type_get_attr(MPI_Datatype type, int keyval, void *value, int *flag, int kind)
{
    return get_type(type, keyval, value, flag, kind);
}
