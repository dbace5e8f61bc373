/* SPDX-License-Identifier: BSD-3-Clause
 * What a program asks of windows and hangs on them: group, name, attributes (and MPII_*, by which MPICH's Fortran
 * library sets and gets integers), error handlers. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/errors/error.h"
#include "emulate/objects/attr.h"
#include "emulate/objects/comm.h"
#include "emulate/windows/window.h"
#include "emulate/world/entry.h"

CS_EMU_CALL(int, Win_get_group, (MPI_Win win, MPI_Group *group))
{
    struct cs_emu_win *w = cs_emu_win_of(win);
    int class = !w ? MPI_ERR_WIN : !group ? MPI_ERR_ARG : MPI_SUCCESS;
    if (class == MPI_SUCCESS && (*group = cs_emu_group_handle(cs_emu_group_hold(w->comm->local))) == MPI_GROUP_NULL)
        class = MPI_ERR_NO_MEM;
    return cs_emu_win_done(w, class, "MPI_Win_get_group");
}

/* ---- names ---- */

CS_EMU_CALL(int, Win_set_name, (MPI_Win win, const char *name))
{
    struct cs_emu_win *w = cs_emu_win_of(win);
    char *copy = w && name ? strndup(name, MPI_MAX_OBJECT_NAME - 1) : NULL;
    int class = !w ? MPI_ERR_WIN : !name ? MPI_ERR_ARG : !copy ? MPI_ERR_NO_MEM : MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        return cs_emu_win_done(w, class, "MPI_Win_set_name");
    free(w->name);
    w->name = copy;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Win_get_name, (MPI_Win win, char *name, int *length))
{
    struct cs_emu_win *w = cs_emu_win_of(win);
    int class = !w && win != MPI_WIN_NULL ? MPI_ERR_WIN : !name || !length ? MPI_ERR_ARG : MPI_SUCCESS;
    if (class == MPI_SUCCESS)
        *length = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", !w ? "MPI_WIN_NULL" : w->name ? w->name : "");
    return cs_emu_win_done(w, class, "MPI_Win_get_name");
}

/* ---- attributes ---- */

/* Index of a predefined keyval, or -1: C and Fortran have two keyvals for each. */
static int predefined_of(int keyval)
{
    return keyval >= MPI_WIN_BASE && keyval <= MPI_WIN_MODEL + 1 ? (keyval - MPI_WIN_BASE) / 2 : -1;
}

/* In the order of their keyvals. C gets the base itself, and the addresses of the others. */
static void get_predefined(struct cs_emu_win *w, int which, void *value, int kind)
{
    char *base = w->shared->part[w->comm->rank].base;
    void *const address[] = {base, &w->size, &w->disp_unit, &w->flavor, &w->model};
    const intptr_t number[] = {(intptr_t)base, w->size, w->disp_unit, w->flavor, w->model};
    if (kind == CS_EMU_ATTR_POINTER)
        *(void **)value = address[which];
    else
        *(intptr_t *)value = number[which];
}

static int set_attr(MPI_Win win, int keyval, void *value, int kind)
{
    struct cs_emu_win *w = cs_emu_win_of(win);
    struct cs_emu_keyval *k = cs_emu_keyval_of(keyval, CS_EMU_KEYED_WIN);
    int class = !w ? MPI_ERR_WIN : !k ? MPI_ERR_KEYVAL : cs_emu_attr_set(win, &w->attrs, k, value, kind);
    return cs_emu_win_done(w, class, "MPI_Win_set_attr");
}

static int get_attr(MPI_Win win, int keyval, void *value, int *flag, int kind)
{
    struct cs_emu_win *w = cs_emu_win_of(win);
    struct cs_emu_keyval *k = cs_emu_keyval_of(keyval, CS_EMU_KEYED_WIN);
    int which = predefined_of(keyval);
    int class = !w ? MPI_ERR_WIN : !k && which < 0 ? MPI_ERR_KEYVAL : !value || !flag ? MPI_ERR_ARG : MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        return cs_emu_win_done(w, class, "MPI_Win_get_attr");
    if (which >= 0)
        get_predefined(w, which, value, kind);
    *flag = which >= 0 || cs_emu_attr_get(&w->attrs, k, value, kind);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Win_set_attr, (MPI_Win win, int keyval, void *value))
{
    return set_attr(win, keyval, value, CS_EMU_ATTR_POINTER);
}

CS_EMU_CALL(int, Win_get_attr, (MPI_Win win, int keyval, void *value, int *flag))
{
    return get_attr(win, keyval, value, flag, CS_EMU_ATTR_POINTER);
}

CS_EMU_CALL(int, Win_delete_attr, (MPI_Win win, int keyval))
{
    struct cs_emu_win *w = cs_emu_win_of(win);
    struct cs_emu_keyval *k = cs_emu_keyval_of(keyval, CS_EMU_KEYED_WIN);
    int class = !w ? MPI_ERR_WIN : !k ? MPI_ERR_KEYVAL : cs_emu_attr_delete(win, &w->attrs, k);
    return cs_emu_win_done(w, class, "MPI_Win_delete_attr");
}

/* For the Fortran library: kind is one of CS_EMU_ATTR_*. */
CS_EMU_VISIBLE int MPII_Win_set_attr(MPI_Win win, int keyval, void *value, int kind);
CS_EMU_VISIBLE int MPII_Win_set_attr(MPI_Win win, int keyval, void *value, int kind)
{
    return set_attr(win, keyval, value, kind);
}

CS_EMU_VISIBLE int MPII_Win_get_attr(MPI_Win win, int keyval, void *value, int *flag, int kind);
CS_EMU_VISIBLE int MPII_Win_get_attr(MPI_Win win, int keyval, void *value, int *flag, int kind)
{
    return get_attr(win, keyval, value, flag, kind);
}

/* ---- error handlers ---- */

CS_EMU_CALL(int, Win_set_errhandler, (MPI_Win win, MPI_Errhandler errhandler))
{
    struct cs_emu_win *w = cs_emu_win_of(win);
    int class = !w ? MPI_ERR_WIN : !cs_emu_errhandler_valid(errhandler) ? MPI_ERR_ARG : MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        return cs_emu_win_done(w, class, "MPI_Win_set_errhandler");
    cs_emu_errhandler_hold(errhandler);
    cs_emu_errhandler_release(w->errhandler);
    w->errhandler = errhandler;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Win_get_errhandler, (MPI_Win win, MPI_Errhandler *errhandler))
{
    struct cs_emu_win *w = cs_emu_win_of(win);
    int class = !w ? MPI_ERR_WIN : !errhandler ? MPI_ERR_ARG : MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        return cs_emu_win_done(w, class, "MPI_Win_get_errhandler");
    *errhandler = w->errhandler == MPI_ERRHANDLER_NULL ? MPI_ERRORS_ARE_FATAL : w->errhandler;
    cs_emu_errhandler_hold(*errhandler);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Win_call_errhandler, (MPI_Win win, int errorcode))
{
    static const char call[] = "MPI_Win_call_errhandler";
    struct cs_emu_win *w = cs_emu_win_of(win);
    if (!w)
        return cs_emu_win_done(w, MPI_ERR_WIN, call);
    /* unlike errors of other calls: with MPICH a window without a handler has none of the world's here */
    MPI_Errhandler h = w->errhandler == MPI_ERRHANDLER_NULL ? MPI_ERRORS_ARE_FATAL : w->errhandler;
    cs_emu_errhandler_call_for(&w->handle, h, errorcode, call);
    return MPI_SUCCESS;
}
