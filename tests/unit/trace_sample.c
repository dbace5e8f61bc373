/* SPDX-License-Identifier: BSD-3-Clause
 * Sample runs for the tests of trace/: makes them and checks what a reader says about them.
 * The checker knows nothing of the format, only of sample_event. */
#define _GNU_SOURCE 1
#include "trace_sample.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../api/mpi_calls.h"

#define NSITES 5
#define NTYPES 3

static const char *const signatures[NTYPES] = {"d1", "i3d2", "c1"};

uint64_t sample_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

void sample_event(const struct sample *s, int rank, long k, struct cs_event *e, int64_t buf[SAMPLE_FIELDS])
{
    uint64_t x = sample_mix(sample_mix((uint64_t)rank << 40 ^ (uint64_t)k) % s->variety + ((uint64_t)rank << 32));
    *e = (struct cs_event){.call = (int)(x % (uint64_t)cs_mpi_ncalls()),
                           .site = (int)(x >> 8 & 7) % (NSITES + 1) - 1,
                           .mark = (int)(x >> 12 & 15) % 3,
                           .nfields = (int)(x >> 16 & 7),
                           .fields = buf};
    if ((x >> 20 & 1023) == 0)
        e->nfields = SAMPLE_FIELDS;
    for (int i = 0; i < e->nfields; i++)
        buf[i] = (int64_t)(sample_mix(x + (uint64_t)i) >> (x >> 32 & 63)) * (i & 1 ? -1 : 1);
    if (s->with_times) {
        e->t_enter = k * 1000 + (int64_t)(x & 255);
        e->t_exit = e->t_enter + (int64_t)(x >> 40 & 511);
        e->t_delay = x >> 50 & 3 ? 0 : (int64_t)(x >> 52 & 1023);
    }
}

void sample_info(const struct sample *s, struct cs_run_info *info)
{
    *info = (struct cs_run_info){.program = "./sample",
                                 .args = "-n 3",
                                 .kind = "original",
                                 .engine = "mpich",
                                 .assumptions = NULL,
                                 .versions = "",
                                 .nranks = s->nranks,
                                 .with_times = s->with_times};
}

/* Members of the communicator that is no simple range. */
static int nodd(const struct sample *s)
{
    return s->nranks < 3 ? s->nranks : 3;
}

static int define(struct cs_trace_writer *w, const struct sample *s)
{
    int world[64], odd[3] = {s->nranks - 1, 0, s->nranks / 2};
    for (int i = 0; i < s->nranks; i++)
        world[i] = i;
    for (int i = 0; i < NSITES; i++)
        if (cs_trace_def_site(w, "dir/a.c", 10 * i, "main") != i ||
            cs_trace_def_site(w, "dir/a.c", 10 * i, "main") != i)
            return -1;
    for (int i = 0; i < NTYPES; i++)
        if (cs_trace_def_type(w, signatures[i], 8 * i, 16 * i, i) != i)
            return -1;
    return cs_trace_def_comm(w, "world", s->nranks, world) != 0 || cs_trace_def_comm(w, "world/0", nodd(s), odd) != 1 ||
                   cs_trace_def_op(w, "MPI_SUM") != 0
               ? -1
               : 0;
}

#define CLOCK INT64_C(1700000000123456789) /* at each rank's MPI_Init */

struct cs_trace_writer *sample_define(const struct sample *s, struct cs_trace_writer *w)
{
    if (w && define(w, s)) {
        int err = errno;
        cs_trace_close(w);
        errno = err;
        return NULL;
    }
    if (w && s->with_times)
        cs_trace_set_clock(w, CLOCK);
    return w;
}

struct cs_trace_writer *sample_writer(const struct sample *s, const char *path, int rank)
{
    struct cs_run_info info;
    sample_info(s, &info);
    return sample_define(s, cs_trace_create(path, rank, &info));
}

int sample_write(const struct sample *s, const char *path)
{
    struct cs_trace_writer *w[64] = {NULL};
    struct cs_run_info info;
    int64_t buf[SAMPLE_FIELDS];
    int rc = 0;
    remove(path);
    sample_info(s, &info);
    struct cs_trace_group *g = s->apart ? cs_trace_group_new(path, s->nranks) : NULL;
    if (s->apart && !g)
        return -1;
    for (int r = 0; r < s->nranks; r++)
        if (!(w[r] = g ? sample_define(s, cs_trace_create_in(g, r, &info)) : sample_writer(s, path, r)))
            rc = -1;
    for (long k = 0; k < s->nevents && !rc; k++) {
        for (int r = 0; r < s->nranks && !rc; r++) {
            struct cs_event e;
            sample_event(s, r, k, &e, buf);
            rc = cs_trace_event(w[r], &e);
            if (!rc && s->flush_every && (k + r) % s->flush_every == 0)
                rc = cs_trace_flush(w[r]);
        }
    }
    for (int r = 0; r < s->nranks; r++)
        if (w[r] && cs_trace_close(w[r]))
            rc = -1;
    cs_trace_group_free(g);
    return rc;
}

static long wrong(const char *what, int rank, long k)
{
    fprintf(stderr, "wrong answer: %s, rank %d, event %ld\n", what, rank, k);
    return -2;
}

static bool same_event(const struct cs_event *a, const struct cs_event *b)
{
    return a->call == b->call && a->site == b->site && a->mark == b->mark && a->nfields == b->nfields &&
           a->t_enter == b->t_enter && a->t_exit == b->t_exit && a->t_delay == b->t_delay &&
           (a->nfields == 0 || memcmp(a->fields, b->fields, (size_t)a->nfields * sizeof *a->fields) == 0);
}

/* Definitions that are there must be right; with the rank's second block they must all be there. */
static bool defs_right(const struct sample *s, const struct cs_trace *t, int rank)
{
    for (int i = 0; i < NSITES; i++) {
        const struct cs_site *p = cs_trace_site(t, rank, i);
        if (p && (strcmp(p->file, "dir/a.c") || p->line != 10 * i || strcmp(p->func, "main")))
            return false;
    }
    for (int i = 0; i < NTYPES; i++) {
        const struct cs_type_def *p = cs_trace_type(t, rank, i);
        if (p && (strcmp(p->signature, signatures[i]) || p->size != 8 * i || p->extent != 16 * i || p->pieces != i))
            return false;
    }
    const struct cs_comm_def *world = cs_trace_comm(t, rank, 0), *odd = cs_trace_comm(t, rank, 1);
    for (int i = 0; world && i < s->nranks; i++)
        if (world->nranks != s->nranks || world->world_ranks[i] != i || strcmp(world->path, "world"))
            return false;
    if (odd && (odd->nranks != nodd(s) || odd->world_ranks[0] != s->nranks - 1 ||
                (s->nranks > 1 && odd->world_ranks[1] != 0) || (s->nranks > 2 && odd->world_ranks[2] != s->nranks / 2)))
        return false;
    const char *op = cs_trace_op(t, rank, 0);
    if (op && strcmp(op, "MPI_SUM"))
        return false;
    return cs_trace_nevents(t, rank) == 0 || (world && odd && op && cs_trace_site(t, rank, NSITES - 1));
}

static long check_rank(const struct sample *s, const struct cs_trace *t, int rank)
{
    struct cs_trace_iter *it = cs_trace_iter_open(t, rank);
    struct cs_event got, want;
    int64_t buf[SAMPLE_FIELDS];
    long k = 0, result;
    int rc;
    if (!it)
        return -1;
    while ((rc = cs_trace_iter_next(it, &got)) == 1) {
        if (k < s->nevents)
            sample_event(s, rank, k, &want, buf);
        if (k >= s->nevents || !same_event(&got, &want) || cs_trace_iter_clock(it) != (s->with_times ? CLOCK : -1)) {
            cs_trace_iter_free(it);
            return wrong("event differs", rank, k);
        }
        k++;
    }
    if (rc < 0)
        result = -1;
    else if (k != cs_trace_nevents(t, rank))
        result = wrong("number of events", rank, k);
    else if (cs_trace_rank_state(t, rank) == CS_RANK_COMPLETE && k != s->nevents)
        result = wrong("complete, but not all there", rank, k);
    else
        result = defs_right(s, t, rank) ? k : wrong("definitions", rank, k);
    cs_trace_iter_free(it);
    return result;
}

static bool info_right(const struct sample *s, const struct cs_trace *t)
{
    const struct cs_run_info *i = cs_trace_info(t);
    return i->nranks == s->nranks && i->with_times == s->with_times &&
           ((!i->program && cs_trace_rank_state(t, 0) != CS_RANK_COMPLETE) ||
            (i->program && !strcmp(i->program, "./sample") && !i->assumptions && i->versions && !*i->versions));
}

long sample_check(const struct sample *s, const char *path)
{
    char why[200] = "";
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    long total = 0;
    if (!t)
        return *why && !strchr(why, '\n') ? -1 : wrong("no one-line reason", -1, 0);
    if (!info_right(s, t))
        total = wrong("run info", 0, 0);
    for (int r = 0; r < s->nranks && total >= 0; r++) {
        long n = check_rank(s, t, r);
        total = n < 0 ? n : total + n;
    }
    cs_trace_free(t);
    return total;
}
