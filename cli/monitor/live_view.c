/* SPDX-License-Identifier: BSD-3-Clause
 * A look at a run: live_view.h. A rank's rate is that of its last two chunks, or less when the chunk at work takes
 * longer already; what was seen of it is between that and the rate of all its chunks. */
#define _GNU_SOURCE 1
#include "cli/monitor/live_view.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double cs_live_seconds(const struct cs_live_view *v, int64_t since)
{
    return since == 0 ? -1 : since > v->now ? 0 : 1e-9 * (double)(v->now - since);
}

/* ---- ranks ---- */

/* The letter of a process's state in /proc, 0: there is no such process. */
static char process_state(int pid)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    const char *name = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    fclose(f);
    return name && name[1] ? name[2] : 0;
}

static enum cs_rank_at state_of(const struct cs_rank_view *r)
{
    int pid = r->calls.pid ? r->calls.pid : r->loop.pid;
    if (!pid)
        return CS_AT_ELSEWHERE;
    if (r->calls.state == CS_LIVE_ENDED)
        return CS_AT_ENDED;
    char s = process_state(pid);
    if (s == 0 || s == 'Z' || s == 'X')
        return CS_AT_DEAD;
    if (s == 'T' || s == 't')
        return CS_AT_STOPPED;
    return r->calls.state == CS_LIVE_IN_CALL ? CS_AT_CALL : CS_AT_COMPUTES;
}

/* By the recorder; else, in a loop, what is not in chunks. */
static double mpi_share(const struct cs_live_view *v, const struct cs_live_run *l, const struct cs_rank_view *r)
{
    double run = 1e-9 * (double)(v->now - l->head->began), loop = cs_live_seconds(v, r->loop.began);
    if (r->calls.pid && r->calls.since) {
        double now = r->calls.state == CS_LIVE_IN_CALL ? 1e-9 * (double)(v->now - r->calls.since) : 0;
        return run > 0 ? fmin(1, fmax(0, (1e-9 * (double)r->calls.in_mpi + now) / run)) : -1;
    }
    if (r->loop.loop && !r->loop.over && loop > 0) {
        double busy = r->loop.busy + (r->loop.at_work ? cs_live_seconds(v, r->loop.since) : 0);
        return fmin(1, fmax(0, 1 - busy / loop));
    }
    return -1;
}

static double over(double items, double seconds)
{
    return seconds > 0 ? items / seconds : 0;
}

static void find_rate(const struct cs_live_view *v, struct cs_rank_view *r)
{
    const struct cs_live_loop *l = &r->loop;
    double all = over((double)l->done, l->busy);
    double last = over((double)(l->last[0] + l->last[1]), l->seconds[0] + l->seconds[1]);
    double at_work = (double)l->at_work, since = cs_live_seconds(v, l->since);
    r->rate = cs_rate_by_now(last > 0 ? last : all, at_work, since);
    r->slow = fmin(r->rate, all > 0 ? all : r->rate);
    r->fast = fmax(r->rate, all);
    double did = at_work > 0 ? fmin(at_work, r->rate * since) : 0;
    r->left = fmax(0, (l->block >= 0 ? (double)(l->block - l->done) : at_work) - did);
}

static void look_at(struct cs_live_view *v, const struct cs_live_run *l, int i)
{
    struct cs_rank_view *r = &v->rank[i];
    *r = (struct cs_rank_view){.waits_for = -1};
    cs_live_read(&l->rank[i], &r->calls, &r->loop);
    r->at = state_of(r);
    r->mpi_share = mpi_share(v, l, r);
    v->here += r->at != CS_AT_ELSEWHERE;
    if (r->loop.loop)
        find_rate(v, r);
    if (r->loop.loop > v->loop) {
        v->loop = r->loop.loop;
        v->technique = r->loop.technique;
        v->items = r->loop.items;
        v->blocks = r->loop.block >= 0;
    }
}

/* ---- the newest loop ---- */

static bool in_loop(const struct cs_live_view *v, int i)
{
    return v->rank[i].loop.loop == v->loop;
}

bool cs_live_at_loop(const struct cs_live_view *v, int i)
{
    return in_loop(v, i) && !v->rank[i].loop.over && v->rank[i].at != CS_AT_DEAD;
}

static void sum_up(struct cs_live_view *v)
{
    double held = 0;
    for (int i = 0; i < v->nranks; i++) {
        if (!in_loop(v, i))
            continue;
        v->done += v->rank[i].loop.done;
        held += (double)v->rank[i].loop.at_work;
        v->rate += cs_live_at_loop(v, i) ? v->rank[i].rate : 0;
        v->moves |= v->blocks && v->rank[i].loop.plan > 0;
    }
    v->pool = v->blocks ? 0 : fmax(0, (double)(v->items - v->done) - held);
}

/* The speed that a rank's work goes by: of the plan that was offered last, of its block, or what the technique has. */
static double speed_of(const struct cs_live_view *v, const struct cs_live_run *l, int i)
{
    const struct cs_live_loop *r = &v->rank[i].loop;
    double speed = l->head->plan ? l->speed[i] : v->blocks ? (double)r->block : r->speed;
    return speed > 0 ? speed : 1;
}

static int find_plan(struct cs_live_view *v, const struct cs_live_run *l)
{
    struct cs_worker_seen *w = calloc((size_t)v->nranks, sizeof *w);
    double *scratch = malloc((size_t)v->nranks * sizeof *scratch);
    if (w && scratch && v->loop) {
        for (int i = 0; i < v->nranks; i++) {
            const struct cs_rank_view *r = &v->rank[i];
            w[i] = (struct cs_worker_seen){1, 0, 0, true};
            if (!in_loop(v, i))
                continue;
            w[i] = (struct cs_worker_seen){speed_of(v, l, i), r->rate, r->left, !cs_live_at_loop(v, i)};
        }
        v->offer = cs_replan(v->nranks, w, v->pool, v->moves, v->speed, scratch, &v->plan);
    }
    int code = w && scratch ? 0 : -1;
    free(w);
    free(scratch);
    return code;
}

int cs_live_view_make(struct cs_live_view *v, const struct cs_live_run *l, int64_t now)
{
    struct cs_live_view old = *v;
    size_t n = (size_t)l->head->nranks;
    *v = (struct cs_live_view){.nranks = l->head->nranks, .now = now, .rank = old.rank, .chain = old.chain};
    v->speed = old.speed;
    if (!v->rank)
        v->rank = malloc(n * sizeof *v->rank);
    if (!v->chain)
        v->chain = malloc(n * sizeof *v->chain);
    if (!v->speed)
        v->speed = malloc(n * sizeof *v->speed);
    if (!v->rank || !v->chain || !v->speed)
        return -1;
    for (int i = 0; i < v->nranks; i++)
        look_at(v, l, i);
    sum_up(v);
    cs_live_find_end(v);
    cs_live_waits(v);
    return find_plan(v, l);
}

void cs_live_view_free(struct cs_live_view *v)
{
    free(v->rank);
    free(v->chain);
    free(v->speed);
    *v = (struct cs_live_view){0};
}
