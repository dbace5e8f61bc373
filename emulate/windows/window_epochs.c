/* SPDX-License-Identifier: BSD-3-Clause
 * Epochs of active targets: fences, and those that origins and targets open for each other. As calls move their data at
 * once, an epoch's end has nothing to wait for but the others; a fence is a barrier, and MPI_Win_start waits for each
 * MPI_Win_post. What ranks tell each other are messages of the library's own. */
#include <stddef.h>
#include <stdlib.h>

#include "emulate/messages/internal_messages.h"
#include "emulate/messages/message.h"
#include "emulate/messages/request.h"
#include "emulate/objects/comm.h"
#include "emulate/objects/context.h"
#include "emulate/windows/window.h"
#include "emulate/world/entry.h"
#include "emulate/world/wait.h"

/* What ranks tell each other. */
enum { POSTED = 1, COMPLETED = 2 };

int cs_emu_win_may_reach(const struct cs_emu_win *w, int target)
{
    bool may = w->epoch == CS_EMU_FENCED || w->epoch == CS_EMU_LOCKED_ALL;
    if (w->epoch == CS_EMU_STARTED)
        may = cs_emu_group_find(w->started, cs_emu_comm_world(w->comm, target)) != MPI_UNDEFINED;
    if (w->epoch == CS_EMU_LOCKED)
        may = cs_emu_win_has_lock(w, target);
    return may ? MPI_SUCCESS : MPI_ERR_RMA_SYNC;
}

bool cs_emu_win_is_idle(const struct cs_emu_win *w)
{
    return !w->exposed && (w->epoch == CS_EMU_NO_EPOCH || w->epoch == CS_EMU_FENCED);
}

/* ---- fences ---- */

CS_EMU_CALL(int, Win_fence, (int assertion, MPI_Win win))
{
    static const char call[] = "MPI_Win_fence";
    struct cs_emu_win *w = cs_emu_win_of(win);
    int known = MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED | MPI_MODE_NOCHECK;
    int class = !w                       ? MPI_ERR_WIN
                : assertion & ~known     ? MPI_ERR_ARG
                : !cs_emu_win_is_idle(w) ? MPI_ERR_RMA_SYNC
                                         : MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        return cs_emu_win_done(w, class, call);
    cs_emu_win_meet(w, call);
    w->epoch = assertion & MPI_MODE_NOSUCCEED ? CS_EMU_NO_EPOCH : CS_EMU_FENCED;
    return MPI_SUCCESS;
}

/* ---- from origin to target and back ---- */

/* All members of the group must be in the window. */
static int check_group(const struct cs_emu_win *w, const struct cs_emu_group *g)
{
    if (!g)
        return MPI_ERR_GROUP;
    for (int i = 0; i < g->size; i++)
        if (cs_emu_group_find(w->comm->local, cs_emu_group_world(g, i)) == MPI_UNDEFINED)
            return MPI_ERR_GROUP;
    return MPI_SUCCESS;
}

static void tell_all(const struct cs_emu_win *w, const struct cs_emu_group *g, int what)
{
    for (int i = 0; i < g->size; i++)
        cs_emu_tell(cs_emu_group_world(g, i), CS_EMU_MAKING(w->comm->context), w->comm->rank, what, "", 0);
}

static int rank_of(const struct cs_emu_win *w, const struct cs_emu_group *g, int i)
{
    return cs_emu_group_find(w->comm->local, cs_emu_group_world(g, i));
}

CS_EMU_CALL(int, Win_start, (MPI_Group group, int assertion, MPI_Win win))
{
    static const char call[] = "MPI_Win_start";
    struct cs_emu_win *w = cs_emu_win_of(win);
    struct cs_emu_group *g = cs_emu_group_of(group);
    int class = w ? check_group(w, g) : MPI_ERR_WIN;
    if (class == MPI_SUCCESS && w->epoch != CS_EMU_NO_EPOCH && w->epoch != CS_EMU_FENCED)
        class = MPI_ERR_RMA_SYNC;
    if (class != MPI_SUCCESS)
        return cs_emu_win_done(w, class, call);
    (void)assertion;
    for (int i = 0; i < g->size; i++)
        cs_emu_hear(CS_EMU_MAKING(w->comm->context), rank_of(w, g, i), POSTED, NULL, 0, call);
    w->epoch = CS_EMU_STARTED;
    w->started = cs_emu_group_hold(g);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Win_complete, (MPI_Win win))
{
    struct cs_emu_win *w = cs_emu_win_of(win);
    int class = !w ? MPI_ERR_WIN : w->epoch != CS_EMU_STARTED ? MPI_ERR_RMA_SYNC : MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        return cs_emu_win_done(w, class, "MPI_Win_complete");
    tell_all(w, w->started, COMPLETED);
    cs_emu_group_release(w->started);
    w->started = NULL;
    w->epoch = CS_EMU_NO_EPOCH;
    return MPI_SUCCESS;
}

/* A receive of what each origin says in the end, so that MPI_Win_test can look for it. */
static int expect_ends(struct cs_emu_win *w, struct cs_emu_group *g)
{
    w->ends = calloc((size_t)g->size + 1, sizeof *w->ends);
    if (!w->ends)
        return MPI_ERR_NO_MEM;
    for (int i = 0; i < g->size; i++) {
        w->ends[i] = (struct cs_emu_req){.kind = CS_EMU_REQ_RECV,
                                         .context = CS_EMU_MAKING(w->comm->context),
                                         .peer = rank_of(w, g, i),
                                         .tag = COMPLETED,
                                         .type = MPI_BYTE};
        cs_emu_post(&w->ends[i]);
    }
    w->exposed = cs_emu_group_hold(g);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Win_post, (MPI_Group group, int assertion, MPI_Win win))
{
    struct cs_emu_win *w = cs_emu_win_of(win);
    struct cs_emu_group *g = cs_emu_group_of(group);
    int class = w ? check_group(w, g) : MPI_ERR_WIN;
    (void)assertion;
    if (class == MPI_SUCCESS)
        class = w->exposed ? MPI_ERR_RMA_SYNC : expect_ends(w, g);
    if (class == MPI_SUCCESS)
        tell_all(w, g, POSTED);
    return cs_emu_win_done(w, class, "MPI_Win_post");
}

static void end_exposure(struct cs_emu_win *w)
{
    cs_emu_group_release(w->exposed);
    free(w->ends);
    w->exposed = NULL;
    w->ends = NULL;
}

CS_EMU_CALL(int, Win_wait, (MPI_Win win))
{
    static const char call[] = "MPI_Win_wait";
    struct cs_emu_win *w = cs_emu_win_of(win);
    int class = !w ? MPI_ERR_WIN : !w->exposed ? MPI_ERR_RMA_SYNC : MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        return cs_emu_win_done(w, class, call);
    for (int i = 0; i < w->exposed->size; i++)
        cs_emu_req_wait(&w->ends[i], call);
    end_exposure(w);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Win_test, (MPI_Win win, int *flag))
{
    static const char call[] = "MPI_Win_test";
    struct cs_emu_win *w = cs_emu_win_of(win);
    int class = !w ? MPI_ERR_WIN : !flag ? MPI_ERR_ARG : !w->exposed ? MPI_ERR_RMA_SYNC : MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        return cs_emu_win_done(w, class, call);
    cs_emu_progress();
    *flag = 1;
    for (int i = 0; i < w->exposed->size; i++)
        *flag &= w->ends[i].complete;
    if (*flag) {
        cs_emu_poll_found();
        end_exposure(w);
    } else
        cs_emu_poll_pause(call);
    return MPI_SUCCESS;
}
