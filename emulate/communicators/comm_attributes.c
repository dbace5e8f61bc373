/* SPDX-License-Identifier: BSD-3-Clause
 * MPI's calls on attributes of communicators, and MPII_*, by which MPICH's Fortran library sets and gets integers. */
#include <stddef.h>
#include <stdint.h>

#include <mpi.h>

#include "emulate/errors/error.h"
#include "emulate/objects/attr.h"
#include "emulate/objects/comm.h"
#include "emulate/world/entry.h"

/* The predefined attributes of a communicator, by (keyval - MPI_TAG_UB) / 2: C and Fortran have two keyvals for each.
 * MPICH has no universe size under its own mpiexec either. */
static int predefined[] = {268435455, MPI_PROC_NULL, MPI_ANY_SOURCE, 0, 0, 0, 0};
/* Indices in `predefined`. */
enum { UNIVERSE_SIZE = 4, LAST_USED_CODE = 5 };

/* Index of a predefined keyval, or -1. */
static int predefined_of(int keyval)
{
    return keyval >= MPI_TAG_UB && keyval <= MPI_APPNUM + 1 ? (keyval - MPI_TAG_UB) / 2 : -1;
}

static bool get_predefined(int which, void *value, int kind)
{
    if (which == UNIVERSE_SIZE)
        return false;
    if (which == LAST_USED_CODE)
        predefined[which] = cs_emu_error_last_code();
    if (kind == CS_EMU_ATTR_POINTER)
        *(void **)value = &predefined[which];
    else
        *(intptr_t *)value = predefined[which];
    return true;
}

static int set_comm(MPI_Comm comm, int keyval, void *value, int kind, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    struct cs_emu_keyval *k = cs_emu_keyval_of(keyval, CS_EMU_KEYED_COMM);
    int class = !c ? MPI_ERR_COMM : !k ? MPI_ERR_KEYVAL : cs_emu_attr_set(comm, &c->attrs, k, value, kind);

    return class == MPI_SUCCESS ? class : cs_emu_comm_error(c, class, call);
}

static int get_comm(MPI_Comm comm, int keyval, void *value, int *flag, int kind, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    struct cs_emu_keyval *k = cs_emu_keyval_of(keyval, CS_EMU_KEYED_COMM);
    int which = predefined_of(keyval);

    if (!c || (!k && which < 0))
        return cs_emu_comm_error(c, c ? MPI_ERR_KEYVAL : MPI_ERR_COMM, call);
    if (!value || !flag)
        return cs_emu_comm_error(c, MPI_ERR_ARG, call);
    *flag = which >= 0 ? get_predefined(which, value, kind) : cs_emu_attr_get(&c->attrs, k, value, kind);
    return MPI_SUCCESS;
}

static int delete_comm(MPI_Comm comm, int keyval, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    struct cs_emu_keyval *k = cs_emu_keyval_of(keyval, CS_EMU_KEYED_COMM);
    int class = !c ? MPI_ERR_COMM : !k ? MPI_ERR_KEYVAL : cs_emu_attr_delete(comm, &c->attrs, k);

    return class == MPI_SUCCESS ? class : cs_emu_comm_error(c, class, call);
}

CS_EMU_CALL(int, Comm_set_attr, (MPI_Comm comm, int keyval, void *value))
{
    return set_comm(comm, keyval, value, CS_EMU_ATTR_POINTER, "MPI_Comm_set_attr");
}

CS_EMU_CALL(int, Attr_put, (MPI_Comm comm, int keyval, void *value))
{
    return set_comm(comm, keyval, value, CS_EMU_ATTR_POINTER, "MPI_Attr_put");
}

CS_EMU_CALL(int, Comm_get_attr, (MPI_Comm comm, int keyval, void *value, int *flag))
{
    return get_comm(comm, keyval, value, flag, CS_EMU_ATTR_POINTER, "MPI_Comm_get_attr");
}

CS_EMU_CALL(int, Attr_get, (MPI_Comm comm, int keyval, void *value, int *flag))
{
    return get_comm(comm, keyval, value, flag, CS_EMU_ATTR_POINTER, "MPI_Attr_get");
}

CS_EMU_CALL(int, Comm_delete_attr, (MPI_Comm comm, int keyval))
{
    return delete_comm(comm, keyval, "MPI_Comm_delete_attr");
}

CS_EMU_CALL(int, Attr_delete, (MPI_Comm comm, int keyval))
{
    return delete_comm(comm, keyval, "MPI_Attr_delete");
}

/* For the Fortran library: kind is one of CS_EMU_ATTR_*. */
CS_EMU_VISIBLE int MPII_Comm_set_attr(MPI_Comm comm, int keyval, void *value, int kind);
CS_EMU_VISIBLE int MPII_Comm_set_attr(MPI_Comm comm, int keyval, void *value, int kind)
{
    return set_comm(comm, keyval, value, kind, "MPI_Comm_set_attr");
}

CS_EMU_VISIBLE int MPII_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag, int kind);
CS_EMU_VISIBLE int MPII_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag, int kind)
{
    return get_comm(comm, keyval, value, flag, kind, "MPI_Comm_get_attr");
}
