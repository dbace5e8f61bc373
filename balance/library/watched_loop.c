/* SPDX-License-Identifier: BSD-3-Clause
 * Writes this rank's loop into the run's file, and reads plans: watched_loop.h. All handles of a process share the
 * file; the loop that began last is the one that is seen. */
#define _GNU_SOURCE
#include "balance/library/watched_loop.h"
#include "balance/library/block_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Share of the loop's time that pieces take together of which the rate counts as that of a chunk. */
static const double ENOUGH = 0.05;

static struct cs_live_run live;
static int users;

/* ranks of b in MPI_COMM_WORLD. 0, or -1 when memory is out. */
static int find_world_ranks(struct cs_balancer *b)
{
    struct cs_watch *w = &b->watch;
    MPI_Group own, world;
    int *rank = malloc((size_t)b->ranks * sizeof *rank);
    w->world = malloc((size_t)b->ranks * sizeof *w->world);
    w->speed = malloc((size_t)b->ranks * sizeof *w->speed);
    w->all = malloc((size_t)live.head->nranks * sizeof *w->all);
    if (!rank || !w->world || !w->speed || !w->all) {
        free(rank);
        return -1;
    }
    for (int i = 0; i < b->ranks; i++)
        rank[i] = i;
    MPI_Comm_group(b->comm, &own);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(own, b->ranks, rank, world, w->world);
    MPI_Group_free(&own);
    MPI_Group_free(&world);
    free(rank);
    return 0;
}

static void free_ranks(struct cs_watch *w)
{
    free(w->world);
    free(w->speed);
    free(w->all);
    *w = (struct cs_watch){0};
}

void cs_watch_open(struct cs_balancer *b)
{
    int ranks;
    if (!*b->is.monitor)
        return;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!live.head && cs_live_join(&live, b->is.monitor, ranks)) {
        if (b->rank == 0)
            fprintf(stderr, "commslice-balance: warning: this run cannot be watched: %s\n", strerror(errno));
        return;
    }
    users++;
    b->watch.joined = true;
    if (live.head->nranks != ranks || find_world_ranks(b)) {
        cs_watch_close(b);
        return;
    }
    b->watch.line = &live.rank[b->watch.world[b->rank]].loop;
}

void cs_watch_close(struct cs_balancer *b)
{
    bool joined = b->watch.joined;
    free_ranks(&b->watch);
    if (joined && --users == 0)
        cs_live_leave(&live);
}

/* ---- what this rank says ---- */

static void begin_line(struct cs_balancer *b, int rank, struct cs_live_loop *l, int32_t pid)
{
    cs_live_write_begin(&l->version);
    l->loop++;
    l->technique = (int16_t)(b->is.technique - cs_techniques);
    l->plan = b->watch.plan;
    l->speed = b->handout.loop.speed ? b->handout.loop.speed[rank] : 1;
    l->items = b->items;
    l->block = b->handout.block ? b->handout.block[rank + 1] - b->handout.block[rank] : -1;
    l->done = l->chunks = l->at_work = 0;
    l->over = 0;
    l->busy = 0;
    l->last[0] = l->last[1] = 0;
    l->seconds[0] = l->seconds[1] = 0;
    l->began = l->since = cs_live_now();
    l->pid = pid;
    cs_live_write_end(&l->version);
}

void cs_watch_loop(struct cs_balancer *b)
{
    if (!b->watch.line)
        return;
    b->watch.chunks = b->watch.items = 0;
    b->watch.seconds = 0;
    begin_line(b, b->rank, b->watch.line, (int32_t)getpid());
}

void cs_watch_loop_over(struct cs_balancer *b)
{
    struct cs_live_loop *l = b->watch.line;
    if (!l)
        return;
    cs_live_write_begin(&l->version);
    l->over = 1;
    l->since = cs_live_now();
    cs_live_write_end(&l->version);
}

static void push(struct cs_live_loop *l, int64_t items, double seconds)
{
    if (items == 0)
        return;
    l->last[1] = l->last[0];
    l->seconds[1] = l->seconds[0];
    l->last[0] = items;
    l->seconds[0] = seconds;
}

void cs_watch_chunk(struct cs_balancer *b)
{
    struct cs_watch *w = &b->watch;
    struct cs_live_loop *l = w->line;
    if (!l)
        return;
    cs_live_write_begin(&l->version);
    /* A chunk may be done in pieces, and a rate of a short one says little. */
    int64_t now = b->chunk_began;
    if (w->chunks != b->did.chunks || b->count == 0 || w->seconds > ENOUGH * 1e-9 * (double)(now - l->began)) {
        push(l, w->items, w->seconds);
        w->chunks = b->did.chunks;
        w->items = 0;
        w->seconds = 0;
    }
    l->plan = w->plan;
    l->speed = b->handout.loop.speed ? b->handout.loop.speed[b->rank] : 1;
    l->chunks = b->did.chunks;
    l->at_work = b->count;
    if (b->parts)
        l->block = l->done + b->count + cs_parts_untaken(b);
    l->since = now;
    cs_live_write_end(&l->version);
}

void cs_watch_chunk_done(struct cs_balancer *b, double seconds)
{
    struct cs_watch *w = &b->watch;
    struct cs_live_loop *l = w->line;
    if (!l)
        return;
    w->items += b->count;
    w->seconds += seconds;
    cs_live_write_begin(&l->version);
    l->done += b->count;
    l->busy += seconds;
    l->at_work = 0;
    cs_live_write_end(&l->version);
}

/* ---- what the leader says of others ---- */

/* Has that rank a process here, which says it itself? */
static bool is_here(const struct cs_live_rank *r)
{
    return r->calls.pid || r->loop.pid;
}

void cs_watch_answer(struct cs_balancer *b, int rank, int64_t items, double seconds, int64_t next)
{
    if (!b->watch.line || is_here(&live.rank[b->watch.world[rank]]))
        return;
    struct cs_live_loop *l = &live.rank[b->watch.world[rank]].loop;
    if (l->loop != b->watch.line->loop) {
        begin_line(b, rank, l, 0);
        l->loop = b->watch.line->loop;
    }
    cs_live_write_begin(&l->version);
    l->done += items;
    l->busy += seconds;
    push(l, items, seconds);
    l->chunks += next > 0;
    l->at_work = next;
    l->over = next == 0;
    l->since = cs_live_now();
    cs_live_write_end(&l->version);
}

/* ---- plans ---- */

void cs_watch_agree(struct cs_balancer *b)
{
    double *plan;
    if (!b->parts || !(b->is.technique->flags & CS_NEED_SPEEDS))
        return;
    plan = malloc(((size_t)b->ranks + 1) * sizeof *plan);
    if (!plan)
        MPI_Abort(b->comm, 2);
    cs_watch_follow(b);
    plan[0] = b->watch.plan;
    for (int i = 0; i < b->ranks; i++)
        plan[1 + i] = b->watch.plan ? b->watch.speed[i] : 0;
    MPI_Bcast(plan, b->ranks + 1, MPI_DOUBLE, 0, b->comm);
    if (plan[0] > 0) {
        memcpy(b->parts_speed, plan + 1, (size_t)b->ranks * sizeof *plan);
        cs_work_loop_speeds(&b->handout.loop, b->parts_speed);
    }
    free(plan);
}

void cs_watch_follow(struct cs_balancer *b)
{
    struct cs_watch *w = &b->watch;
    if (!w->line || cs_live_plan(&live) == w->plan)
        return;
    uint32_t plan = cs_live_take(&live, w->all);
    if (!plan)
        return;
    for (int i = 0; i < b->ranks; i++)
        w->speed[i] = w->all[w->world[i]];
    w->plan = plan;
    if ((b->is.technique->flags & CS_NEED_SPEEDS) && b->is.technique->kind == CS_CHUNK_WORKER)
        cs_work_loop_speeds(&b->handout.loop, w->speed);
}
