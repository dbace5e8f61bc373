/* SPDX-License-Identifier: BSD-3-Clause
 * Hints of windows, and what they are by default. Only that of memory which need not lie together has a meaning here,
 * while the window is made. */
#include <stddef.h>

#include "emulate/objects/info_object.h"
#include "emulate/windows/window.h"
#include "emulate/world/entry.h"

/* A key, and its value while none is set. */
static const struct hint {
    const char *key, *otherwise;
} hints[] = {
    {"no_locks", "false"},
    {"accumulate_ordering", "rar,raw,war,waw"},
    {"accumulate_ops", "same_op_no_op"},
    {"same_size", "false"},
    {"same_disp_unit", "false"},
    {"alloc_shared_noncontig", "false"},
    {"alloc_shm", "true"},
};
/* Entries of `hints`. */
enum { NHINTS = sizeof hints / sizeof hints[0] };

int cs_emu_win_take_hints(struct cs_emu_win *w, MPI_Info info)
{
    if (w->info == MPI_INFO_NULL && (w->info = cs_emu_info_new()) == MPI_INFO_NULL)
        return MPI_ERR_NO_MEM;
    for (int i = 0; i < NHINTS; i++) {
        const char *value = info == MPI_INFO_NULL ? NULL : cs_emu_info_find(info, hints[i].key);
        if (!value && !cs_emu_info_find(w->info, hints[i].key))
            value = hints[i].otherwise;
        if (value && !cs_emu_info_set(w->info, hints[i].key, value))
            return MPI_ERR_NO_MEM;
    }
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Win_set_info, (MPI_Win win, MPI_Info info))
{
    static const char call[] = "MPI_Win_set_info";
    struct cs_emu_win *w = cs_emu_win_of(win);
    int class = !w ? MPI_ERR_WIN : !cs_emu_info_valid(info) ? MPI_ERR_INFO : MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        return cs_emu_win_done(w, class, call);
    cs_emu_win_meet(w, call);
    return cs_emu_win_done(w, cs_emu_win_take_hints(w, info), call);
}

CS_EMU_CALL(int, Win_get_info, (MPI_Win win, MPI_Info *info))
{
    struct cs_emu_win *w = cs_emu_win_of(win);
    int class = !w ? MPI_ERR_WIN : !info ? MPI_ERR_ARG : MPI_SUCCESS;
    if (class == MPI_SUCCESS && (*info = cs_emu_info_dup(w->info)) == MPI_INFO_NULL)
        class = MPI_ERR_NO_MEM;
    return cs_emu_win_done(w, class, "MPI_Win_get_info");
}
