/* SPDX-License-Identifier: BSD-3-Clause
 * A look at a run for people: a line on the machine and the run, a table of ranks, who waits, when it ends. */
#define _GNU_SOURCE 1
#include "cli/monitor/live_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/mpi_calls.h"
#include "balance/techniques/technique.h"
#include "cli/monitor/live_find.h"

/* "3.2 s", "45 ms", "12 min". Returns buf. */
static const char *duration(char buf[32], double s)
{
    if (s < 0)
        return "";
    if (s >= 600)
        snprintf(buf, 32, "%.0f min", s / 60);
    else if (s >= 1)
        snprintf(buf, 32, "%.3g s", s);
    else
        snprintf(buf, 32, "%.0f ms", 1e3 * s);
    return buf;
}

static const char *call_name(const struct cs_live_calls *c)
{
    const struct cs_mpi_call *m = cs_mpi_call(c->call);
    return m ? m->name : "MPI";
}

static void print_peer(const struct cs_rank_view *r, char *buf, size_t len)
{
    *buf = '\0';
    if (r->calls.waits == CS_LIVE_FOR_ANY)
        snprintf(buf, len, ", for any rank");
    else if (r->waits_for >= 0)
        snprintf(buf, len, ", for rank %d", r->waits_for);
    else if (r->calls.waits == CS_LIVE_FOR_ALL && r->calls.members > 0)
        snprintf(buf, len, ", of %d ranks", r->calls.members);
}

static void print_at(const struct cs_live_view *v, const struct cs_rank_view *r, char *buf, size_t len)
{
    static const char *const word[CS_AT_STATES] = {"not on this machine", "computes", "", "stopped", "ended", "dead"};
    char since[32], peer[64];
    if (r->at != CS_AT_CALL) {
        snprintf(buf, len, "%s", r->at == CS_AT_ELSEWHERE && r->loop.loop ? "elsewhere, by rank 0" : word[r->at]);
        return;
    }
    print_peer(r, peer, sizeof peer);
    double s = cs_live_seconds(v, r->calls.since);
    snprintf(buf, len, "in %s%s%s%s", call_name(&r->calls), s < 0 ? "" : " since ", duration(since, s), peer);
}

static void print_rank(const struct cs_live_view *v, int i, const struct cs_live_beside *b)
{
    const struct cs_rank_view *r = &v->rank[i];
    char at[128], share[16] = "", items[48] = "", rate[24] = "", far[16] = "", segment[256];
    print_at(v, r, at, sizeof at);
    if (r->mpi_share >= 0)
        snprintf(share, sizeof share, "%.0f %%", 100 * r->mpi_share);
    if (r->loop.loop && r->loop.block >= 0)
        snprintf(items, sizeof items, "%lld of %lld", (long long)r->loop.done, (long long)r->loop.block);
    else if (r->loop.loop)
        snprintf(items, sizeof items, "%lld", (long long)r->loop.done);
    if (r->rate > 0)
        snprintf(rate, sizeof rate, "%.4g/s", r->rate);
    if (b->progress)
        snprintf(far, sizeof far, "%.0f %%", 100 * cs_live_progress_of(b->progress, i, r->calls.events + 1));
    printf("%6d  %-40s %6s  %14s  %10s", i, at, share, items, rate);
    if (b->progress)
        printf("  %5s  %s", far, cs_live_progress_segment(b->progress, i, r->calls.events + 1, segment));
    putchar('\n');
}

static void print_head(const struct cs_live_run *l, const struct cs_live_view *v)
{
    char name[256], run[32];
    double load = 0;
    getloadavg(&load, 1);
    printf("%s: %s, %d rank%s, for %s; this machine: load average %.2f on %ld processors", cs_live_run_name(l, name),
           l->head->program, v->nranks, v->nranks == 1 ? "" : "s", duration(run, cs_live_seconds(v, l->head->began)),
           load, sysconf(_SC_NPROCESSORS_ONLN));
    if (v->here < v->nranks)
        printf(", %d of the ranks", v->here);
    printf("\n%6s  %-40s %6s  %14s  %10s\n", "rank", "", "in MPI", "items", "rate");
}

static void print_end(const char *what, const struct cs_live_end *e)
{
    char mid[32], least[32], most[32];
    if (!e->known) {
        printf("%s: not known\n", what);
        return;
    }
    printf("%s in %s (%s to %s)", what, duration(mid, e->seconds), duration(least, e->least), duration(most, e->most));
    if (e->by_others)
        printf(", %d rank%s at a first chunk taken as the others are", e->by_others, e->by_others == 1 ? "" : "s");
    putchar('\n');
}

static void print_loop(const struct cs_live_view *v)
{
    const struct cs_technique *t =
        v->technique >= 0 && v->technique < cs_ntechniques ? &cs_techniques[v->technique] : NULL;
    if (!v->loop)
        return;
    printf("loop %d, %s: %lld of %lld items", v->loop, t ? t->name : "?", (long long)v->done, (long long)v->items);
    if (v->rate > 0)
        printf(", %.4g/s", v->rate);
    printf("; ");
    if (v->done >= v->items)
        printf("ended\n");
    else
        print_end("ends", &v->end);
}

static void print_chain(const struct cs_live_view *v)
{
    if (v->nchain < 2)
        return;
    printf(v->circle ? "a circle waits: " : "longest wait: ");
    for (int i = 0; i + 1 < v->nchain; i++)
        printf("%s%d for %d", i ? ", " : "rank ", v->chain[i], v->chain[i + 1]);
    if (v->circle)
        printf(", %d for %d", v->chain[v->nchain - 1], v->chain[0]);
    putchar('\n');
}

static void print_plan(const struct cs_live_view *v, const struct cs_live_beside *b)
{
    char before[32], after[32];
    if (v->offer)
        printf("rank %d is at %.2f times its speed: the loop would end in %s by a new plan, in %s without\n",
               v->plan.worker, v->plan.off, duration(after, v->plan.after), duration(before, v->plan.before));
    if (b->offered)
        printf("plan %u is offered\n", b->offered);
}

static void print_progress(const struct cs_live_progress *p)
{
    printf("%.1f %% of what the %s says, %.2f times as fast", 100 * p->share, p->by_model ? "model" : "trace", p->pace);
    printf(p->beyond ? "; it is another run: a rank has made more calls\n" : "\n");
    print_end("the run ends", &p->end);
}

void cs_live_print(const struct cs_live_run *l, const struct cs_live_view *v, const struct cs_live_beside *b)
{
    int rows = b->most_rows > 0 && b->most_rows < v->nranks ? b->most_rows : v->nranks;
    print_head(l, v);
    for (int i = 0; i < rows; i++)
        print_rank(v, i, b);
    if (rows < v->nranks)
        printf("        and %d more\n", v->nranks - rows);
    print_chain(v);
    print_loop(v);
    print_plan(v, b);
    if (b->progress)
        print_progress(b->progress);
    else if (!v->loop)
        printf("end: not known; --trace with a recorded run, or a slice's and --model, tells it\n");
}
