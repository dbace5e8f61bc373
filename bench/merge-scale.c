/* SPDX-License-Identifier: BSD-3-Clause
 * Merging at scale: writes the trace of a halo exchange on a grid of ROWS by COLUMNS ranks that does not close, merges
 * and folds it, and prints processor time and peak memory. usage: merge-scale ROWS COLUMNS STEPS FILE */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "../api/mpi_calls.h"
#include "trace/merge/merge.h"
#include "trace/nest/nest.h"
#include "trace/write/join_ranks.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int call(struct cs_trace_writer *w, const char *name, int line, const int64_t *f, int n)
{
    return cs_trace_event(w, &(struct cs_event){.call = cs_mpi_index(cs_mpi_find(name)),
                                                .mark = CS_MARK_NONE,
                                                .site = cs_trace_def_site(w, "halo.c", line, "main"),
                                                .nfields = n,
                                                .fields = f});
}

static int step(struct cs_trace_writer *w, int me, int rows, int cols, int64_t type, int64_t world)
{
    int x = me % cols, y = me / cols, n = 0, rc = 0;
    int peer[] = {x > 0 ? me - 1 : -1, x < cols - 1 ? me + 1 : -1, y > 0 ? me - cols : -1,
                  y < rows - 1 ? me + cols : -1};
    int64_t wait[6];
    for (int i = 0; i < 4; i++)
        if (peer[i] >= 0)
            rc |= call(w, "MPI_Irecv", 10 + i, (const int64_t[]){1000, type, peer[i], i ^ 1, world}, 5) | (n++, 0);
    for (int i = 0; i < 4; i++)
        if (peer[i] >= 0)
            rc |= call(w, "MPI_Send", 20 + i, (const int64_t[]){1000, type, peer[i], i, world}, 5);
    wait[0] = wait[1] = n;
    for (int i = 0; i < n; i++)
        wait[2 + i] = n - i;
    return rc | call(w, "MPI_Waitall", 30, wait, n + 2) |
           call(w, "MPI_Allreduce", 31, (const int64_t[]){1, type, cs_trace_def_op(w, "MAX"), world}, 4);
}

static int write_run(const char *path, int rows, int cols, int steps)
{
    struct cs_run_info info = {.program = "halo", .kind = "slice", .nranks = rows * cols};
    struct cs_trace_group *g = cs_trace_group_new(path, rows * cols);
    struct cs_ranges all = {0};
    int rc = g ? cs_ranges_add_run(&all, 0, rows * cols) : -1;
    for (int me = 0; me < rows * cols && !rc; me++) {
        struct cs_trace_writer *w = cs_trace_create_in(g, me, &info);
        if (!w)
            return -1;
        int64_t world = cs_trace_def_comm_ranges(w, "world", &all), type = cs_trace_def_type(w, "d1", 8, 8, 1);
        for (int i = 0; i < steps && !rc; i++)
            rc = step(w, me, rows, cols, type, world);
        rc |= cs_trace_close(w);
    }
    cs_ranges_free(&all);
    cs_trace_group_free(g);
    return rc ? rc : cs_trace_join_ranks(path, true);
}

int main(int argc, char **argv)
{
    char why[200] = "";
    struct cs_merge_options o = {0};
    struct rusage use;
    struct stat st;
    if (argc != 5) {
        fprintf(stderr, "usage: merge-scale ROWS COLUMNS STEPS FILE\n");
        return 2;
    }
    if (write_run(argv[4], atoi(argv[1]), atoi(argv[2]), atoi(argv[3]))) {
        perror(argv[4]);
        return 2;
    }
    double start = now();
    struct cs_trace *t = cs_trace_open(argv[4], why, sizeof why);
    struct cs_merged *m = t ? cs_merge_trace(t, &o, NULL, why, sizeof why) : NULL;
    double merged = now();
    if (!m || cs_merged_fold(m, CS_MERGED_FOLD_BEST, why, sizeof why)) {
        fprintf(stderr, "%s\n", why);
        return 2;
    }
    double folded = now();
    getrusage(RUSAGE_SELF, &use);
    if (stat(argv[4], &st))
        return 2;
    printf(
        "ranks   classes  calls of a rank   merge s    fold s  MB  bytes\n%-7d %7d  %15lld  %8.3f  %8.3f  %ld  %lld\n",
        m->info.nranks, m->nclasses, (long long)m->cls[m->nclasses - 1].nevents, merged - start, folded - merged,
        use.ru_maxrss / 1024, (long long)st.st_size);
    cs_merged_free(m);
    cs_trace_free(t);
    return 0;
}
