/* SPDX-License-Identifier: BSD-3-Clause
 * Making and freeing windows, and their handles. Who makes a window together has a duplicate of the communicator for
 * it; the first of them makes what they share, before the others write their part of it. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "emulate/collectives/coll.h"
#include "emulate/errors/error.h"
#include "emulate/objects/attr.h"
#include "emulate/objects/comm.h"
#include "emulate/objects/info_object.h"
#include "emulate/windows/window.h"
#include "emulate/world/entry.h"
#include "emulate/world/handles.h"
#include "emulate/world/shared_heap.h"
#include "emulate/world/tape.h"
#include "emulate/world/world.h"

static struct cs_emu_table handles = CS_EMU_TABLE(CS_EMU_WIN, 0);

struct cs_emu_win *cs_emu_win_of(MPI_Win handle)
{
    return cs_emu_handle_get(&handles, handle);
}

int cs_emu_win_done(struct cs_emu_win *w, int class, const char *call)
{
    if (class == MPI_SUCCESS)
        return class;
    return w && w->errhandler != MPI_ERRHANDLER_NULL ? cs_emu_error_for(&w->handle, w->errhandler, class, call)
                                                     : cs_emu_error(NULL, class, call);
}

void cs_emu_win_meet(struct cs_emu_win *w, const char *call)
{
    cs_emu_exchange(w->comm, NULL, 0, NULL, call);
}

/* ---- making ---- */

/* What a call that makes a window asks for. */
struct wish {
    const char *call;
    int flavor;
    void *base; /* MPI_WIN_FLAVOR_CREATE: the program's memory */
    MPI_Aint size;
    int64_t disp_unit;
    MPI_Info info;
    struct cs_emu_comm *comm;
    bool apart; /* of shared memory: each rank's part may be where it likes */
};

/* Bytes of a page of memory. */
enum { PAGE = 4096 };

/* What each rank tells the others; the first rank's `shared` is everybody's. */
struct told {
    int64_t size;
    struct cs_emu_win_shared *shared;
};

/* Sizes in the order of ranks, as far as they have been told. */
struct heard {
    const struct wish *wish;
    int64_t before, all; /* bytes of the ranks in front of this one, and of all */
    int own;
    struct cs_emu_win_shared *shared;
};

static int64_t room_for(const struct wish *wish, int64_t size)
{
    return wish->apart ? (size + PAGE - 1) / PAGE * PAGE : size;
}

static void hear(void *arg, int rank, const void *data, uint64_t bytes)
{
    const struct told *t = data;
    struct heard *h = arg;
    assert(bytes == sizeof *t);
    if (rank == 0)
        h->shared = t->shared;
    if (rank < h->own)
        h->before += room_for(h->wish, t->size);
    h->all += room_for(h->wish, t->size);
}

static struct cs_emu_win_shared *new_shared(int ranks)
{
    size_t bytes = sizeof(struct cs_emu_win_shared) + (size_t)ranks * sizeof(struct cs_emu_win_part);
    struct cs_emu_win_shared *s = cs_emu_alloc(bytes);
    memset(s, 0, bytes);
    s->users = ranks;
    return s;
}

/* Where this rank's part of the memory is. NULL: there is none, it is of no bytes, or memory is out. */
static char *memory_for(struct cs_emu_win *w, const struct wish *wish, const struct heard *h)
{
    if (wish->flavor == MPI_WIN_FLAVOR_CREATE)
        return wish->base;
    if (wish->flavor == MPI_WIN_FLAVOR_ALLOCATE)
        return w->own_memory = calloc(wish->size > 0 ? (size_t)wish->size : 1, 1);
    if (wish->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return NULL;
    if (w->comm->rank == 0) {
        w->shared->memory = cs_emu_alloc_clear((size_t)h->all + PAGE);
        w->shared->bytes = h->all + PAGE;
    }
    cs_emu_win_meet(w, wish->call);
    uintptr_t first = ((uintptr_t)w->shared->memory + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    return wish->size > 0 ? (char *)first + h->before : NULL; /* as MPICH */
}

/* Another rank's process may read and write this one's memory: where only descendants may (Yama), it has to be said. */
static void let_others_in(struct cs_emu_win *w)
{
    if (w->comm->local->size > 1)
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
}

static int share(struct cs_emu_win *w, const struct wish *wish)
{
    int ranks = w->comm->local->size;
    struct told own = {wish->size, w->comm->rank == 0 ? new_shared(ranks) : NULL};
    struct heard h = {.wish = wish, .own = w->comm->rank};
    if (ranks > 1 && cs_emu_tape_mode != CS_EMU_TAPE_OFF)
        cs_emu_fail(
            "%s: what others do to the memory of a window is on no tape: a rank with windows cannot be replayed",
            wish->call);
    cs_emu_exchange_each(w->comm, &own, sizeof own, hear, &h, wish->call);
    w->shared = cs_emu_tape_mode == CS_EMU_TAPE_PLAYS ? own.shared : h.shared;
    struct cs_emu_win_part *p = &w->shared->part[w->comm->rank];
    p->base = memory_for(w, wish, &h);
    p->size = wish->size;
    p->disp_unit = wish->disp_unit;
    p->pid = getpid();
    let_others_in(w);
    cs_emu_win_meet(w, wish->call);
    return p->base || wish->flavor == MPI_WIN_FLAVOR_DYNAMIC || wish->size == 0 ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static void let_go(struct cs_emu_win *w)
{
    if (w->shared && atomic_fetch_sub(&w->shared->users, 1) == 1) {
        if (w->shared->memory)
            cs_emu_free(w->shared->memory);
        cs_emu_free(w->shared);
    }
    if (w->comm)
        cs_emu_comm_end(w->comm);
    if (w->handle)
        cs_emu_handle_drop(&handles, w->handle);
    cs_emu_errhandler_release(w->errhandler);
    cs_emu_info_free(w->info);
    free(w->own_memory);
    free(w->locks);
    free(w->name);
    free(w);
}

static struct cs_emu_win *new_window(const struct wish *wish)
{
    struct cs_emu_win *w = malloc(sizeof *w);
    MPI_Comm own;
    if (!w)
        return NULL;
    *w = (struct cs_emu_win){.flavor = wish->flavor,
                             .model = MPI_WIN_UNIFIED,
                             .size = wish->size,
                             .disp_unit = (int)wish->disp_unit,
                             .errhandler = MPI_ERRHANDLER_NULL,
                             .info = MPI_INFO_NULL};
    w->handle = cs_emu_handle_new(&handles, w);
    if (w->handle && cs_emu_win_take_hints(w, wish->info) == MPI_SUCCESS &&
        cs_emu_comm_make(wish->comm, cs_emu_group_hold(wish->comm->local), &own) == MPI_SUCCESS) {
        w->comm = cs_emu_comm_of(own);
        return w;
    }
    let_go(w);
    return NULL;
}

static int check(const struct wish *wish, const void *out)
{
    if (!wish->comm || wish->comm->inter)
        return MPI_ERR_COMM;
    if (!cs_emu_info_valid(wish->info))
        return MPI_ERR_INFO;
    if (wish->size < 0)
        return MPI_ERR_SIZE;
    if (wish->disp_unit <= 0)
        return MPI_ERR_DISP;
    if (!out)
        return MPI_ERR_ARG;
    return wish->flavor == MPI_WIN_FLAVOR_CREATE && wish->size > 0 && !wish->base ? MPI_ERR_ARG : MPI_SUCCESS;
}

/* Makes the window; stores its memory at *base, unless `base` is NULL. */
static int make(const struct wish *wish, void *base, MPI_Win *win)
{
    int class = check(wish, win);
    struct cs_emu_win *w = class == MPI_SUCCESS ? new_window(wish) : NULL;
    if (class == MPI_SUCCESS)
        class = w ? share(w, wish) : MPI_ERR_NO_MEM;
    if (class != MPI_SUCCESS)
        return cs_emu_comm_error(wish->comm, class, wish->call);
    if (base)
        memcpy(base, &w->shared->part[w->comm->rank].base, sizeof(void *));
    *win = w->handle;
    return MPI_SUCCESS;
}

/* Each is there with both types of the unit. */
#define CREATE(name, UNIT) \
    CS_EMU_CALL(int, name, (void *base, MPI_Aint size, UNIT disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)) \
    { \
        struct wish wish = {.call = "MPI_" #name, \
                            .flavor = MPI_WIN_FLAVOR_CREATE, \
                            .base = base, \
                            .size = size, \
                            .disp_unit = disp_unit, \
                            .info = info, \
                            .comm = cs_emu_comm_of(comm)}; \
        return make(&wish, NULL, win); \
    }
#define ALLOCATE(name, UNIT) \
    CS_EMU_CALL(int, name, (MPI_Aint size, UNIT disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win)) \
    { \
        struct wish wish = {.call = "MPI_" #name, \
                            .flavor = MPI_WIN_FLAVOR_ALLOCATE, \
                            .size = size, \
                            .disp_unit = disp_unit, \
                            .info = info, \
                            .comm = cs_emu_comm_of(comm)}; \
        return make(&wish, baseptr, win); \
    }
#define ALLOCATE_SHARED(name, UNIT) \
    CS_EMU_CALL(int, name, (MPI_Aint size, UNIT disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win)) \
    { \
        const char *apart = cs_emu_info_valid(info) ? cs_emu_info_find(info, "alloc_shared_noncontig") : NULL; \
        struct wish wish = {.call = "MPI_" #name, \
                            .flavor = MPI_WIN_FLAVOR_SHARED, \
                            .size = size, \
                            .disp_unit = disp_unit, \
                            .info = info, \
                            .comm = cs_emu_comm_of(comm), \
                            .apart = apart && strcmp(apart, "true") == 0}; \
        return make(&wish, baseptr, win); \
    }

CREATE(Win_create, int)
CREATE(Win_create_c, MPI_Aint)
ALLOCATE(Win_allocate, int)
ALLOCATE(Win_allocate_c, MPI_Aint)
ALLOCATE_SHARED(Win_allocate_shared, int)
ALLOCATE_SHARED(Win_allocate_shared_c, MPI_Aint)

CS_EMU_CALL(int, Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win))
{
    struct wish wish = {.call = "MPI_Win_create_dynamic",
                        .flavor = MPI_WIN_FLAVOR_DYNAMIC,
                        .disp_unit = 1,
                        .info = info,
                        .comm = cs_emu_comm_of(comm)};
    return make(&wish, NULL, win);
}

/* ---- memory ---- */

/* Any memory of a process can be reached: there is nothing to prepare. */
static int change_memory(MPI_Win win, const void *base, MPI_Aint size, const char *call)
{
    struct cs_emu_win *w = cs_emu_win_of(win);
    int class = !w                                    ? MPI_ERR_WIN
                : w->flavor != MPI_WIN_FLAVOR_DYNAMIC ? MPI_ERR_RMA_FLAVOR
                : size < 0                            ? MPI_ERR_SIZE
                : size > 0 && !base                   ? MPI_ERR_ARG
                                                      : MPI_SUCCESS;
    return cs_emu_win_done(w, class, call);
}

CS_EMU_CALL(int, Win_attach, (MPI_Win win, void *base, MPI_Aint size))
{
    return change_memory(win, base, size, "MPI_Win_attach");
}

CS_EMU_CALL(int, Win_detach, (MPI_Win win, const void *base))
{
    return change_memory(win, base, 0, "MPI_Win_detach");
}

/* The rank that MPI_Win_shared_query asks for: MPI_PROC_NULL is the first that has memory; -1: none has. */
static int asked_for(const struct cs_emu_win *w, int rank)
{
    if (rank != MPI_PROC_NULL)
        return rank;
    for (int i = 0; i < w->comm->local->size; i++)
        if (w->shared->part[i].size > 0)
            return i;
    return -1;
}

static int shared_query(MPI_Win win, int rank, MPI_Aint *size, MPI_Aint *disp_unit, void *baseptr, const char *call)
{
    struct cs_emu_win *w = cs_emu_win_of(win);
    int class = !w                                                                    ? MPI_ERR_WIN
                : w->flavor != MPI_WIN_FLAVOR_SHARED                                  ? MPI_ERR_RMA_FLAVOR
                : rank != MPI_PROC_NULL && (rank < 0 || rank >= w->comm->local->size) ? MPI_ERR_RANK
                : !size || !disp_unit || !baseptr                                     ? MPI_ERR_ARG
                                                                                      : MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        return cs_emu_win_done(w, class, call);
    int at = asked_for(w, rank);
    struct cs_emu_win_part none = {0}, *p = at >= 0 ? &w->shared->part[at] : &none;
    *size = p->size;
    *disp_unit = p->disp_unit;
    memcpy(baseptr, &p->base, sizeof p->base);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Win_shared_query, (MPI_Win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr))
{
    MPI_Aint unit = 0;
    int rc = shared_query(win, rank, size, disp_unit ? &unit : NULL, baseptr, "MPI_Win_shared_query");

    if (rc == MPI_SUCCESS)
        *disp_unit = (int)unit;
    return rc;
}

CS_EMU_CALL(int, Win_shared_query_c, (MPI_Win win, int rank, MPI_Aint *size, MPI_Aint *disp_unit, void *baseptr))
{
    return shared_query(win, rank, size, disp_unit, baseptr, "MPI_Win_shared_query_c");
}

/* ---- freeing ---- */

CS_EMU_CALL(int, Win_free, (MPI_Win * win))
{
    static const char call[] = "MPI_Win_free";
    struct cs_emu_win *w = win ? cs_emu_win_of(*win) : NULL;
    int class = !win ? MPI_ERR_ARG : !w ? MPI_ERR_WIN : !cs_emu_win_is_idle(w) ? MPI_ERR_RMA_SYNC : MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        return cs_emu_win_done(w, class, call);
    class = cs_emu_attrs_delete(w->handle, &w->attrs);
    if (class != MPI_SUCCESS)
        return cs_emu_win_done(w, class, call);
    cs_emu_win_meet(w, call);
    let_go(w);
    *win = MPI_WIN_NULL;
    return MPI_SUCCESS;
}
