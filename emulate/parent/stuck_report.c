/* SPDX-License-Identifier: BSD-3-Clause
 * The reports of the parent on a run that cannot go on, and on ranks that end badly. Ranks that wait in the same call,
 * at the same call site and for the same tag, share a line. */
#define _GNU_SOURCE
#include "emulate/parent/stuck_report.h"

#include <assert.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mpi.h>

#include "commlib/process/say.h"
#include "emulate/collectives/coll.h"
#include "emulate/world/shared_memory.h"
#include "emulate/world/world.h"

/* Lines of a report that name ranks which wait, poll or run. */
enum { MOST_LINES = 20 };

/* ---- "0-3, 7, 9-11" ---- */

/* A text of ranks that grows. */
struct ranges {
    int n, from, to; /* ranks so far; the last range, which is not in the text yet */
    size_t at;       /* length of the text */
    bool full;       /* there is no room for more: it ends in "..." */
    char text[160];
};

/* Appends the last range to the text, or sets `full`. */
static void end_range(struct ranges *r)
{
    char one[32];
    if (r->n == 0 || r->full)
        return;
    int len = r->from == r->to ? snprintf(one, sizeof one, "%s%d", r->at ? ", " : "", r->from)
                               : snprintf(one, sizeof one, "%s%d-%d", r->at ? ", " : "", r->from, r->to);
    r->full = r->at + (size_t)len > sizeof r->text - 32;
    if (!r->full)
        memcpy(r->text + r->at, one, (size_t)len + 1);
    r->at += r->full ? 0 : (size_t)len;
}

/* Adds rank i; ranks must come in ascending order. */
static void add(struct ranges *r, int i)
{
    assert(r->n == 0 || i > r->to);
    if (r->n == 0 || i != r->to + 1) {
        end_range(r);
        r->from = i;
    }
    r->to = i;
    r->n++;
}

static const char *text_of(struct ranges *r)
{
    end_range(r);
    if (r->full)
        snprintf(r->text + r->at, sizeof r->text - r->at, ", ... (%d in all)", r->n);
    return r->text;
}

/* ---- what a rank does ---- */

/* What a rank is at, as the report says it. */
enum state { NOT_BEGUN, RUNS, WAITS, POLLS, ENDED };

static enum state state_of(const struct cs_emu_rank *r)
{
    if (r->life == CS_EMU_UNBORN)
        return NOT_BEGUN;
    if (r->pid <= 0 || r->life >= CS_EMU_FINALIZED)
        return ENDED;
    return !r->note.call ? RUNS : r->note.polls ? POLLS : r->sleeping ? WAITS : RUNS;
}

/* Do two ranks share a line of the report? */
static bool same_state(const struct cs_emu_rank *a, const struct cs_emu_rank *b)
{
    enum state s = state_of(a);
    const struct cs_emu_wait_note *x = &a->note, *y = &b->note;
    if (s != state_of(b))
        return false;
    if (s == NOT_BEGUN || s == ENDED)
        return true;
    if (a->call_site != b->call_site || s == RUNS)
        return a->call_site == b->call_site;
    if (x->call != y->call || x->collective != y->collective || (x->peer < 0) != (y->peer < 0))
        return false;
    return x->collective || (x->tag == y->tag && x->receives == y->receives);
}

/* ---- whom it waits for ---- */

/* The peers of a group of ranks that wait. */
struct peers {
    bool any, same, shifted; /* there is one; all have the same; all have the same distance (peer - rank, modulo n) */
    int first, shift;
    struct ranges all;
};

/* The group is all ranks i with in_group[i]. */
static struct peers peers_of(const struct ranges *who, const char *in_group)
{
    struct peers p = {.same = true, .shifted = true};
    int n = cs_emu_world->nranks;
    char *is_peer = calloc((size_t)n, 1);
    p.first = cs_emu_world->rank[who->from].note.peer;
    for (int i = 0, k = 0; is_peer && i < n; i++) {
        int peer = cs_emu_world->rank[i].note.peer;
        if (!in_group[i] || peer < 0 || peer >= n)
            continue;
        if (k++ == 0) {
            p.first = peer;
            p.shift = (peer - i + n) % n;
        }
        p.any = true;
        p.same &= peer == p.first;
        p.shifted &= (peer - i + n) % n == p.shift;
        is_peer[peer] = 1;
    }
    for (int i = 0; is_peer && i < n; i++)
        if (is_peer[i])
            add(&p.all, i);
    free(is_peer);
    return p;
}

/* Writes whom the ranks of a group, such as r, wait for: ", from rank 3, tag 7"; or nothing. */
static void peer_text(char *buf, size_t len, const struct cs_emu_rank *r, const struct ranges *who,
                      const char *in_group)
{
    const struct cs_emu_wait_note *n = &r->note;
    const char *way = n->receives ? "from" : "to";
    buf[0] = 0;
    if (n->peer == MPI_PROC_NULL)
        return;
    struct peers p = peers_of(who, in_group);
    if (!p.any)
        snprintf(buf, len, ", from any rank");
    else if (p.same)
        snprintf(buf, len, ", %s rank %d", way, p.first);
    else if (p.shifted)
        snprintf(buf, len, ", each %s its rank + %d (mod %d)", way, p.shift, cs_emu_world->nranks);
    else
        snprintf(buf, len, ", %s ranks %s", way, text_of(&p.all));
    if (n->tag >= 0) {
        size_t at = strlen(buf);
        snprintf(buf + at, len - at, ", tag %d", n->tag);
    }
}

/* Writes whom ranks in a collective call wait for: ", for its root, rank 0", ", for 2 of 8 ranks that ...". */
static void collective_text(char *buf, size_t len, const struct cs_emu_wait_note *n)
{
    if (n->peer >= 0) {
        snprintf(buf, len, ", for its root, rank %d", n->peer);
        return;
    }
    int size, missing = n->sequence ? cs_emu_coll_missing(n->context, n->sequence - 1, &size) : 0;
    if (missing > 0)
        snprintf(buf, len, ", for %d of %d ranks that ha%s not come to this call", missing, size,
                 missing == 1 ? "s" : "ve");
    else
        snprintf(buf, len, ", for ranks that have not come to this call");
}

static void say_wait(const struct cs_emu_rank *r, struct ranges *who, const char *in_group)
{
    char whom[320] = "", place[256];
    bool polls = state_of(r) == POLLS;
    if (r->note.collective && !polls)
        collective_text(whom, sizeof whom, &r->note);
    else if (!polls)
        peer_text(whom, sizeof whom, r, who, in_group);
    cs_say("rank%s %s %s%s in %s%s%s", who->n > 1 ? "s" : "", text_of(who), polls ? "poll" : "wait",
           who->n > 1 ? "" : "s", r->note.call, cs_emu_call_site_text(r->call_site, place, sizeof place), whom);
}

/* The line for a group of ranks in the same state, of which r is one. */
static void say_group(const struct cs_emu_rank *r, struct ranges *who, const char *in_group)
{
    const char *s = who->n > 1 ? "s" : "";
    char place[256];
    switch (state_of(r)) {
    case NOT_BEGUN: cs_say("rank%s %s ha%s not begun", s, text_of(who), who->n > 1 ? "ve" : "s"); break;
    case ENDED: cs_say("rank%s %s ha%s ended", s, text_of(who), who->n > 1 ? "ve" : "s"); break;
    case RUNS:
        cs_say("rank%s %s run%s%s%s", s, text_of(who), who->n > 1 ? "" : "s", r->call_site ? ", last MPI call" : "",
               cs_emu_call_site_text(r->call_site, place, sizeof place));
        break;
    default: say_wait(r, who, in_group);
    }
}

/* One line for rank `first` and all others in its state; said[i] becomes 1 for these. in_group is scratch. */
static void say_state(int first, char *said, char *in_group)
{
    const struct cs_emu_rank *r = &cs_emu_world->rank[first];
    struct ranges who = {.n = 0};
    memset(in_group, 0, (size_t)cs_emu_world->nranks);
    for (int i = first; i < cs_emu_world->nranks; i++)
        if (!said[i] && same_state(r, &cs_emu_world->rank[i])) {
            said[i] = in_group[i] = 1;
            add(&who, i);
        }
    say_group(r, &who, in_group);
}

void cs_emu_report_waits(const char *why)
{
    int n = cs_emu_world->nranks, lines = 0, left = 0;
    char *said = calloc((size_t)n, 2);
    cs_say("error: %s", why);
    /* First the ranks that wait or poll, then all others. */
    for (int pass = 0; said && pass < 2; pass++)
        for (int i = 0; i < n; i++) {
            enum state s = state_of(&cs_emu_world->rank[i]);
            if (!said[i] && (pass == 1 || s == WAITS || s == POLLS) &&
                (lines < MOST_LINES || s == ENDED || s == NOT_BEGUN)) {
                say_state(i, said, said + n);
                lines++;
            }
        }
    for (int i = 0; said && i < n; i++)
        left += !said[i];
    if (left)
        cs_say("... and %d more rank%s, each group of them elsewhere", left, left > 1 ? "s" : "");
    free(said);
}

/* ---- a rank ends ---- */

/* A hint if a rank's end, by signal `sig` or 0, may come from lack of memory; else "". */
static const char *memory_hint(int sig, uint64_t limit, char *buf, size_t len)
{
    buf[0] = 0;
    if (limit && sig != SIGKILL)
        snprintf(buf, len, " (--memory gives it %llu bytes of data)", (unsigned long long)limit);
    else if (sig == SIGKILL)
        snprintf(buf, len, " (by somebody, or by the kernel for want of memory)");
    return buf;
}

/* Where it was: ", its last MPI call was at FILE:LINE", " after MPI_Finalize". */
static const char *stage(const struct cs_emu_rank *r, char *buf, size_t len)
{
    char place[256];
    if (r->life == CS_EMU_FINALIZED)
        snprintf(buf, len, " after MPI_Finalize");
    else if (r->call_site)
        snprintf(buf, len, ", its last MPI call was%s", cs_emu_call_site_text(r->call_site, place, sizeof place));
    else
        buf[0] = 0;
    return buf;
}

int cs_emu_report_end(int rank, int status, uint64_t memory_limit)
{
    const struct cs_emu_rank *r = &cs_emu_world->rank[rank];
    char hint[96], where[300];
    int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0, code = sig ? 128 + sig : WEXITSTATUS(status);
    if (sig)
        cs_say("error: rank %d was ended by signal %d (%s)%s%s", rank, sig, strsignal(sig),
               stage(r, where, sizeof where), memory_hint(sig, memory_limit, hint, sizeof hint));
    else if (r->aborting)
        return code; /* the rank has reported this itself */
    else if (r->life == CS_EMU_FINALIZED)
        cs_say("rank %d ended with exit code %d after MPI_Finalize", rank, code);
    else
        cs_say("error: rank %d ended with exit code %d before MPI_Finalize%s%s", rank, code,
               stage(r, where, sizeof where), memory_hint(0, code ? memory_limit : 0, hint, sizeof hint));
    return code ? code : 1;
}
