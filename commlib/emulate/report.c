/* SPDX-License-Identifier: BSD-3-Clause
 * The report on a run that cannot go on. Ranks in the same call at the same place, with the same tag, share a line.
 * Runs in the parent, which has all the time and memory it needs. */
#define _GNU_SOURCE
#include "report.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

#include "../say.h"
#include "shared.h"
#include "world.h"

enum { MOST_LINES = 20, MOST_RANKS = 8 };

static bool is_alive(int rank)
{
    const struct cs_emu_rank *r = &cs_emu_world->rank[rank];
    return r->pid > 0 && r->life == CS_EMU_ALIVE;
}

static bool is_waiting(int rank)
{
    const struct cs_emu_rank *r = &cs_emu_world->rank[rank];
    return r->note.call && (r->sleeping || r->note.polls);
}

static bool same_state(int a, int b)
{
    const struct cs_emu_rank *x = &cs_emu_world->rank[a], *y = &cs_emu_world->rank[b];
    if (is_waiting(a) != is_waiting(b) || x->where != y->where)
        return false;
    return !is_waiting(a) || (x->note.call == y->note.call && x->note.tag == y->note.tag && x->note.polls == y->note.polls
                              && (x->note.peer < 0) == (y->note.peer < 0) && x->note.receives == y->note.receives);
}

static void peer_text(char *buf, size_t len, const struct cs_emu_wait_note *n)
{
    buf[0] = 0;
    if (n->collective || n->polls || n->peer == MPI_PROC_NULL)
        return;
    if (n->peer >= 0)
        snprintf(buf, len, " %s rank %d", n->receives ? "from" : "to", n->peer);
    else
        snprintf(buf, len, " from any rank");
}

/* One line for rank `first` and all others in its state, which are marked as said. */
static void say_state(int first, char *said)
{
    const struct cs_emu_rank *r = &cs_emu_world->rank[first];
    char ranks[256] = "", peer[64] = "", tag[32] = "", place[256];
    int n = 0, at = 0;
    for (int i = first; i < cs_emu_world->nranks; i++) {
        if (said[i] || !is_alive(i) || !same_state(first, i))
            continue;
        said[i] = 1;
        if (n++ < MOST_RANKS)
            at += snprintf(ranks + at, sizeof ranks - (size_t)at, "%s%d", n > 1 ? ", " : "", i);
    }
    if (n > MOST_RANKS)
        snprintf(ranks + at, sizeof ranks - (size_t)at, " and %d more", n - MOST_RANKS);
    cs_emu_place(r->where, place, sizeof place);
    if (!is_waiting(first)) {
        cs_say("rank%s %s: running%s%s", n > 1 ? "s" : "", ranks, r->where ? ", last MPI call" : "", place);
        return;
    }
    peer_text(peer, sizeof peer, &r->note);
    if (peer[0] && r->note.tag >= 0)
        snprintf(tag, sizeof tag, ", tag %d", r->note.tag);
    cs_say("rank%s %s %s in %s%s%s%s%s%s", n > 1 ? "s" : "", ranks, r->note.polls ? "polls" : n > 1 ? "wait" : "waits", r->note.call,
               place, n > 1 && r->note.peer >= 0 && peer[0] ? ", the first" : "", peer, tag,
               r->note.collective ? " for ranks that have not come to this call" : "");
}

void cs_emu_report_waits(const char *why)
{
    char *said = calloc((size_t)cs_emu_world->nranks, 1);
    int lines = 0;
    cs_say("error: %s", why);
    for (int i = 0; said && i < cs_emu_world->nranks; i++)
        if (!said[i] && is_alive(i) && lines++ < MOST_LINES)
            say_state(i, said);
    if (lines > MOST_LINES)
        cs_say("... and %d more states", lines - MOST_LINES);
    free(said);
}
