/* SPDX-License-Identifier: BSD-3-Clause
 * MPI's calls on attributes of communicators and types, and MPII_*, by which MPICH's Fortran library sets and gets
 * integers. Windows are not emulated; their keyvals can be made all the same. */
#include <stddef.h>
#include <stdint.h>

#include "emulate/objects/attr.h"
#include "emulate/objects/attr_internal.h"
#include "emulate/world/entry.h"
#include "emulate/objects/comm.h"
#include "emulate/errors/error.h"
#include "emulate/types/type_internal.h"

/* The predefined attributes of a communicator, by (keyval - MPI_TAG_UB) / 2: C and Fortran have two keyvals for each.
 * MPICH has no universe size under its own mpiexec either. */
static int predefined[] = {268435455, MPI_PROC_NULL, MPI_ANY_SOURCE, 0, 0, 0, 0};
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
        predefined[which] = cs_emu_last_code;
    if (kind == CS_EMU_ATTR_POINTER)
        *(void **)value = &predefined[which];
    else
        *(intptr_t *)value = predefined[which];
    return true;
}

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
    cs_emu_keyval_release(k);
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

static int set_comm(MPI_Comm comm, int keyval, void *value, int kind, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    struct cs_emu_keyval *k = cs_emu_keyval_of(keyval, CS_EMU_KEYED_COMM);
    int class = !c ? MPI_ERR_COMM : !k ? MPI_ERR_KEYVAL : cs_emu_attr_set(comm, &c->attrs, k, value, kind);

    return class == MPI_SUCCESS ? class : cs_emu_error(c, class, call);
}

static int get_comm(MPI_Comm comm, int keyval, void *value, int *flag, int kind, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    struct cs_emu_keyval *k = cs_emu_keyval_of(keyval, CS_EMU_KEYED_COMM);
    int which = predefined_of(keyval);

    if (!c || (!k && which < 0))
        return cs_emu_error(c, c ? MPI_ERR_KEYVAL : MPI_ERR_COMM, call);
    if (!value || !flag)
        return cs_emu_error(c, MPI_ERR_ARG, call);
    *flag = which >= 0 ? get_predefined(which, value, kind) : cs_emu_attr_get(&c->attrs, k, value, kind);
    return MPI_SUCCESS;
}

static int delete_comm(MPI_Comm comm, int keyval, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    struct cs_emu_keyval *k = cs_emu_keyval_of(keyval, CS_EMU_KEYED_COMM);
    int class = !c ? MPI_ERR_COMM : !k ? MPI_ERR_KEYVAL : cs_emu_attr_delete(comm, &c->attrs, k);

    return class == MPI_SUCCESS ? class : cs_emu_error(c, class, call);
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
