/* SPDX-License-Identifier: BSD-3-Clause
 * Fuzzes the reader of merged traces: merged_fuzz [SECONDS [SEED]]. Damaged files must be refused; files that were
 * changed under sound checksums may be refused or read, but whatever is read must be walked, replayed, folded and
 * written without a crash. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <zstd.h>

#include "../../api/mpi_calls.h"
#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include "trace/merge/merge.h"
#include "trace/nest/nest.h"
#include "trace/nest/merged_format.h"
#include "trace/analyse/traffic_pattern.h"
#include "trace/analyse/phases.h"
#include "trace/analyse/profile.h"
#include "fuzz_kit.h"

#define SLOWEST_S 10.0
#define MOST_EVENTS 100000
#define MAX_ALLOC ((rlim_t)3 << 30)

/* A file whose body is `raw`, stored as it is, with right checksums. */
static int forge(const char *name, const unsigned char *raw, size_t n)
{
    size_t bound = ZSTD_compressBound(n);
    struct file f = {malloc(CS_MERGED_HEADER_LEN + bound), 0};
    if (!f.p)
        return -1;
    size_t stored = ZSTD_compress(f.p + CS_MERGED_HEADER_LEN, bound, raw, n, 1);
    memcpy(f.p, CS_MERGED_MAGIC, CS_MERGED_MAGIC_LEN);
    cs_put_u64(f.p + 8, n);
    cs_put_u64(f.p + 16, stored);
    cs_put_u64(f.p + 24, cs_trace_hash(f.p + CS_MERGED_HEADER_LEN, stored));
    cs_put_u64(f.p + 32, cs_trace_hash(f.p, 32));
    f.n = CS_MERGED_HEADER_LEN + stored;
    int rc = spill(name, &f);
    free(f.p);
    return rc;
}

static void change(unsigned char *p, size_t n)
{
    static const unsigned char telling[] = {0, 1, 2, 3, 4, 5, 15, 16, 17, 0x7f, 0x80, 0xff};
    for (uint64_t k = 1 + rnd(3); k; k--)
        p[rnd(n)] = rnd(2) ? telling[rnd(sizeof telling)] : (unsigned char)rnd(256);
}

static int take_pair(void *pattern, int source, int dest, uint64_t messages, uint64_t bytes)
{
    cs_traffic_pattern_pair(pattern, source, dest, messages, bytes);
    return 0;
}

/* What a report computes. */
static long sum_up(const struct cs_merged *m)
{
    struct cs_run_phase bins[7];
    struct cs_traffic_pattern *pattern = cs_traffic_pattern_new(m->info.nranks);
    struct cs_profile *p = pattern ? cs_profile_make(m, take_pair, pattern, NULL) : NULL;
    long sum = p ? (long)p->all.bytes : 0;
    if (p && cs_phases_make(p, false, 7, bins) == 0)
        sum += (long)bins[3].calls[0];
    if (p && m->gap_at && cs_phases_make(p, true, 7, bins) == 0)
        sum += (long)bins[6].ns[0];
    if (p && cs_traffic_pattern_best(pattern))
        sum++;
    cs_profile_free(p);
    cs_traffic_pattern_free(pattern);
    return sum;
}

/* Everything that can be done with what was read. */
static long use(struct cs_merged *m, const char *name)
{
    char why[200];
    struct cs_event e;
    long sum = sum_up(m), most = MOST_EVENTS;
    for (int r = 0; r < m->info.nranks && most > 0; r++) {
        struct cs_merged_walk *w = cs_merged_walk_open(m, r, rnd(2));
        while (w && most-- > 0 && cs_merged_walk_next(w, &e, NULL) == 1)
            sum += e.nfields ? e.fields[e.nfields - 1] & 1 : 0;
        cs_merged_walk_free(w);
    }
    sum += cs_merged_replay(m, rnd(2), (int64_t)rnd(3), MOST_EVENTS, why, sizeof why);
    int64_t events = 0;
    for (int c = 0; c < m->nclasses; c++)
        events += m->cls[c].nevents < MOST_EVENTS ? m->cls[c].nevents : MOST_EVENTS;
    if (events < MOST_EVENTS &&
        cs_merged_fold(m, (enum cs_merged_fold)rnd(CS_MERGED_FOLD_PAPER + 1), why, sizeof why) == 0)
        sum += cs_merged_write(m, name, why, sizeof why);
    return sum;
}

/* 0, or -1: a wrong answer. */
static int try_file(const char *name, bool damaged, uint64_t round)
{
    char why[200] = "";
    double start = now();
    struct cs_merged *m = cs_merged_open(name, why, sizeof why);
    bool read = m != NULL;
    volatile long sum = m ? use(m, name) : 0;
    (void)sum;
    cs_merged_free(m);
    if ((read && damaged) || (!read && !why[0]) || now() - start > SLOWEST_S) {
        fprintf(stderr, "round %llu: %s\n", (unsigned long long)round,
                read && damaged    ? "a damaged file was read"
                : !why[0] && !read ? "no reason"
                                   : "too slow");
        return -1;
    }
    return 0;
}

static int one_round(const struct file *plain, const struct file *body, const char *name, uint64_t round)
{
    bool damaged = rnd(4) == 0;
    const struct file *from = damaged ? plain : body;
    struct file f = {malloc(from->n + 1), from->n};
    if (!f.p)
        return -1;
    memcpy(f.p, from->p, f.n);
    if (damaged && rnd(2))
        f.n = rnd(f.n);
    else if (damaged)
        f.p[rnd(f.n)] ^= (unsigned char)(1 << rnd(8));
    else
        change(f.p, f.n);
    int rc = (damaged ? spill(name, &f) : forge(name, f.p, f.n)) || try_file(name, damaged, round) ? -1 : 0;
    free(f.p);
    return rc;
}

static int event(struct cs_trace_writer *w, const char *call, int line, const int64_t *f, int n)
{
    return cs_trace_event(w, &(struct cs_event){.call = cs_mpi_index(cs_mpi_find(call)),
                                                .mark = CS_MARK_CONTENT,
                                                .site = cs_trace_def_site(w, "a.c", line, "f"),
                                                .nfields = n,
                                                .fields = f});
}

/* A rank of a small run: stages whose peers and counts follow the loop, calls that only some ranks make, arrays, a
 * split communicator. */
static int write_rank(struct cs_trace_writer *w, int me, int n, int turns)
{
    int all[64], half[64], k = 0, rc = 0;
    for (int i = 0; i < n; i++) {
        all[i] = i;
        if (i % 2 == me % 2)
            half[k++] = i;
    }
    int64_t world = cs_trace_def_comm(w, "world", n, all), part = cs_trace_def_comm(w, "world/0", k, half);
    int64_t d1 = cs_trace_def_type(w, "d1", 8, 8, 1), sum = cs_trace_def_op(w, "SUM");
    for (int i = 0; i < turns && !rc; i++) {
        for (int s = 1; s < n; s *= 2) {
            int64_t from[] = {i % 3 * 8 + s, d1, (me - s + n) % n, s, world},
                    to[] = {i % 3 * 8 + s, d1, (me + s) % n, s, world};
            rc |= event(w, "MPI_Irecv", 1, from, 5) || event(w, "MPI_Send", 2, to, 5) ||
                  event(w, "MPI_Wait", 3, (const int64_t[]){1}, 1);
        }
        if (me % 3 == 1)
            rc |= event(w, "MPI_Sendrecv", 4, (const int64_t[]){i, d1, -2, 0, me, d1, -2, 0, world}, 9);
        rc |= event(w, "MPI_Allreduce", 5, (const int64_t[]){1, d1, sum, part}, 4);
        rc |= event(w, "MPI_Waitall", 6, (const int64_t[]){2, 2, 0, 0}, 4);
    }
    for (int turn = 0; turn < 2 && !rc; turn++) {
        rc |= event(w, "MPI_Barrier", 7, (const int64_t[]){world}, 1) ||
              event(w, "MPI_Bcast", 8, (const int64_t[]){1, d1, 0, world}, 4);
        for (int i = 0; i < (turn ? turns : 1) && !rc; i++)
            rc |= event(w, "MPI_Allreduce", 9, (const int64_t[]){100, d1, sum, world}, 4) ||
                  event(w, "MPI_Barrier", 10, (const int64_t[]){world}, 1);
    }
    return rc ? -1 : cs_trace_close(w);
}

#define SAMPLES 9 /* three runs: merged, folded, and by records, with counts in turn */

struct run {
    int nranks, turns;
    int64_t symbols_max;
};

static int write_run(const struct run *s, const char *name)
{
    struct cs_run_info info = {.program = "a", .kind = "slice", .nranks = s->nranks};
    struct cs_trace_group *g = cs_trace_group_new(name, s->nranks);
    int rc = g ? 0 : -1;
    for (int r = 0; r < s->nranks && !rc; r++) {
        struct cs_trace_writer *w = cs_trace_create_in(g, r, &info);
        rc = w ? write_rank(w, r, s->nranks, s->turns) : -1;
    }
    cs_trace_group_free(g);
    return rc;
}

static int prepare(const struct run *s, int fold, const char *name, struct file *plain, struct file *body)
{
    char why[200];
    struct cs_merge_options o = {.symbols_max = s->symbols_max};
    unlink(name);
    if (write_run(s, name))
        return -1;
    struct cs_trace *t = cs_trace_open(name, why, sizeof why);
    struct cs_merged *m = t ? cs_merge_trace(t, &o, NULL, why, sizeof why) : NULL;
    cs_trace_free(t);
    int rc =
        !m || (fold && cs_merged_fold(m, fold == 1 ? CS_MERGED_FOLD_BEST : CS_MERGED_FOLD_RECORDS, why, sizeof why)) ||
                cs_merged_write(m, name, why, sizeof why)
            ? -1
            : 0;
    cs_merged_free(m);
    if (rc || slurp(name, plain))
        return -1;
    body->n = cs_get_u64(plain->p + 8);
    body->p = malloc(body->n + 1);
    return body->p && ZSTD_decompress(body->p, body->n, plain->p + CS_MERGED_HEADER_LEN,
                                      plain->n - CS_MERGED_HEADER_LEN) == body->n
               ? 0
               : -1;
}

int main(int argc, char **argv)
{
    static const struct run samples[] = {{9, 12, 0}, {16, 30, 60}, {1, 5, 0}};
    double until = now() + (argc > 1 ? atof(argv[1]) : 3);
    struct file plain[SAMPLES] = {0}, body[SAMPLES] = {0};
    char name[64];
    uint64_t round = 0;
    struct rlimit limit = {MAX_ALLOC, MAX_ALLOC};
    state = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL);
#ifndef __SANITIZE_ADDRESS__
    setrlimit(RLIMIT_AS, &limit);
#else
    (void)limit;
#endif
    snprintf(name, sizeof name, "merged_fuzz.%ld", (long)getpid());
    printf("seed %llu\n", (unsigned long long)state);
    fflush(stdout); /* should we crash, it can be tried again */
    for (int i = 0; i < SAMPLES; i++)
        if (prepare(&samples[i / 3], i % 3, name, &plain[i], &body[i])) {
            fprintf(stderr, "cannot make sample %d: %s\n", i, strerror(errno));
            return 2;
        }
    for (; now() < until; round++) {
        int i = (int)rnd(SAMPLES);
        if (one_round(&plain[i], &body[i], name, round)) {
            fprintf(stderr, "the file is kept as %s\n", name);
            return 1;
        }
    }
    unlink(name);
    for (int i = 0; i < SAMPLES; i++) {
        free(plain[i].p);
        free(body[i].p);
    }
    printf("%llu changed files read\n", (unsigned long long)round);
    return 0;
}
