/* SPDX-License-Identifier: BSD-3-Clause
 * MPI's calls that make and free keyvals, and what MPICH's Fortran library asks of them. Those of windows are
 * keyvals as any others. */
#include <stddef.h>

#include <mpi.h>

#include "emulate/errors/error.h"
#include "emulate/objects/attr.h"
#include "emulate/world/entry.h"

static int new_keyval(enum cs_emu_keyed of, cs_emu_copy_function *copy, cs_emu_delete_function *delete, int *keyval,
                      void *extra, const char *call)
{
    int class = keyval ? cs_emu_keyval_new(of, copy, delete, extra, keyval) : MPI_ERR_ARG;

    return class == MPI_SUCCESS ? class : cs_emu_error(NULL, class, call);
}

static int free_keyval(enum cs_emu_keyed of, int *keyval, const char *call)
{
    struct cs_emu_keyval *k = keyval ? cs_emu_keyval_of(*keyval, of) : NULL;

    if (!k)
        return cs_emu_error(NULL, keyval ? MPI_ERR_KEYVAL : MPI_ERR_ARG, call);
    cs_emu_keyval_free(k);
    *keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Comm_create_keyval,
            (MPI_Comm_copy_attr_function * copy, MPI_Comm_delete_attr_function *delete, int *keyval, void *extra))
{
    return new_keyval(CS_EMU_KEYED_COMM, copy, delete, keyval, extra, "MPI_Comm_create_keyval");
}

CS_EMU_CALL(int, Keyval_create, (MPI_Copy_function * copy, MPI_Delete_function *delete, int *keyval, void *extra))
{
    return new_keyval(CS_EMU_KEYED_COMM, copy, delete, keyval, extra, "MPI_Keyval_create");
}

CS_EMU_CALL(int, Type_create_keyval,
            (MPI_Type_copy_attr_function * copy, MPI_Type_delete_attr_function *delete, int *keyval, void *extra))
{
    return new_keyval(CS_EMU_KEYED_TYPE, copy, delete, keyval, extra, "MPI_Type_create_keyval");
}

CS_EMU_CALL(int, Win_create_keyval,
            (MPI_Win_copy_attr_function * copy, MPI_Win_delete_attr_function *delete, int *keyval, void *extra))
{
    return new_keyval(CS_EMU_KEYED_WIN, copy, delete, keyval, extra, "MPI_Win_create_keyval");
}

CS_EMU_CALL(int, Comm_free_keyval, (int *keyval))
{
    return free_keyval(CS_EMU_KEYED_COMM, keyval, "MPI_Comm_free_keyval");
}

CS_EMU_CALL(int, Keyval_free, (int *keyval))
{
    return free_keyval(CS_EMU_KEYED_COMM, keyval, "MPI_Keyval_free");
}

CS_EMU_CALL(int, Type_free_keyval, (int *keyval))
{
    return free_keyval(CS_EMU_KEYED_TYPE, keyval, "MPI_Type_free_keyval");
}

CS_EMU_CALL(int, Win_free_keyval, (int *keyval))
{
    return free_keyval(CS_EMU_KEYED_WIN, keyval, "MPI_Win_free_keyval");
}

/* ---- for the Fortran library ---- */

CS_EMU_VISIBLE void MPII_Keyval_set_proxy(int keyval, cs_emu_copy_proxy *copy, cs_emu_delete_proxy *delete);
CS_EMU_VISIBLE void MPII_Keyval_set_proxy(int keyval, cs_emu_copy_proxy *copy, cs_emu_delete_proxy *delete)
{
    cs_emu_keyval_set_proxy(keyval, copy, delete);
}

/* What MPI_COMM_DUP_FN and its kin stand for. */
CS_EMU_VISIBLE int MPIR_Dup_fn(int handle, int keyval, void *extra, void *value, void *copy, int *flag);
CS_EMU_VISIBLE int MPIR_Dup_fn(int handle, int keyval, void *extra, void *value, void *copy, int *flag)
{
    *(void **)copy = value;
    *flag = 1;
    return MPI_SUCCESS;
}
