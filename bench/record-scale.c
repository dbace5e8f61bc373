/* SPDX-License-Identifier: BSD-3-Clause
 * What the writer of traces costs without MPI: record-scale EVENTS RANKS FILE. Each rank, forked as engine emulate
 * does, records a program of that many calls; prints nanoseconds an event, start, end, and memory of the rank that
 * needs most. */
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "api/mpi_calls.h"
#include "trace/trace.h"

struct cost {
    double start, event, end;
    long kb;
};

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Memory that is this process's alone. */
static long private_kb(void)
{
    FILE *f = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    long sum = 0, kb;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "Private_Dirty: %ld", &kb) == 1)
            sum += kb;
    if (f)
        fclose(f);
    return sum;
}

/* bytes, type, peer, tag, communicator */
static void same_send(int64_t *f, long i)
{
    (void)i;
    f[3] = 1;
}
static void nested(int64_t *f, long i)
{
    f[3] = i % 1000 < 500 ? i % 3 : 10 + i % 100;
}
static void long_body(int64_t *f, long i)
{
    f[3] = i % 300;
}
static void few_random(int64_t *f, long i)
{
    f[3] = (uint32_t)i * 2654435761u >> 24;
}
static void all_random(int64_t *f, long i)
{
    uint32_t x = (uint32_t)i * 2654435761u;
    f[0] = x >> 20;
    f[3] = x >> 8 & 1023;
}

static const struct {
    const char *name;
    void (*fields)(int64_t *f, long i);
    int at_most;
} programs[] = {
    {"same-send", same_send, 512},    {"nested-loops", nested, 512},          {"300-calls-a-loop", long_body, 512},
    {"random-of-256", few_random, 4}, {"random-of-4-million", all_random, 4},
};

static int record(struct cs_trace_group *g, int rank, int nranks, long events, void (*fields)(int64_t *, long),
                  struct cost *c)
{
    struct cs_run_info info = {.nranks = nranks, .program = "record-scale"};
    struct cs_ranges world = {0};
    int64_t f[5] = {8, 0, (rank + 1) % nranks, 0, 0};
    struct cs_event e = {.site = 0, .call = cs_mpi_index(cs_mpi_find("MPI_Send")), .nfields = 5, .fields = f};
    long kb = private_kb();
    double t0 = cpu_seconds();
    struct cs_trace_writer *w = cs_trace_create_in(g, rank, &info);
    if (!w || cs_ranges_add_run(&world, 0, nranks) || cs_trace_def_site(w, "a.c", 1, "main") ||
        cs_trace_def_type(w, "b1", 1, 1, 1) || cs_trace_def_comm_ranges(w, "world", &world))
        return -1;
    double t1 = cpu_seconds();
    for (long i = 0; i < events; i++) {
        fields(f, i);
        if (cs_trace_event(w, &e))
            return -1;
    }
    double t2 = cpu_seconds();
    c->kb = private_kb() - kb;
    double t3 = cpu_seconds();
    if (cs_trace_close(w))
        return -1;
    c->start = t1 - t0;
    c->event = (t2 - t1) / (double)events;
    c->end = cpu_seconds() - t3;
    return 0;
}

static int run(const char *name, void (*fields)(int64_t *, long), long events, int nranks, const char *file)
{
    struct cost *all =
        mmap(NULL, (size_t)nranks * sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct cost sum = {0};
    struct stat st;
    remove(file);
    struct cs_trace_group *g = cs_trace_group_new(file, nranks);
    if (!g || all == MAP_FAILED)
        return -1;
    for (int r = 0; r < nranks; r++) {
        int status;
        pid_t pid = fork();
        if (pid == 0)
            _exit(record(g, r, nranks, events, fields, &all[r]) != 0);
        if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
            return -1;
        sum.start += all[r].start / nranks;
        sum.event += all[r].event / nranks;
        sum.end += all[r].end / nranks;
        sum.kb = all[r].kb > sum.kb ? all[r].kb : sum.kb;
    }
    cs_trace_group_free(g);
    munmap(all, (size_t)nranks * sizeof *all);
    if (stat(file, &st))
        return -1;
    printf("%-20s %5d %10ld %8.1f %9.3f %8.3f %6ld %10ld\n", name, nranks, events, sum.event * 1e9, sum.start * 1e3,
           sum.end * 1e3, sum.kb, (long)st.st_size);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    printf("%-20s %5s %10s %8s %9s %8s %6s %10s\n", "program", "ranks", "events", "ns", "start ms", "end ms", "KB",
           "trace");
    int most = atoi(argv[2]);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (run(programs[i].name, programs[i].fields, atol(argv[1]),
                programs[i].at_most < most ? programs[i].at_most : most, argv[3])) {
            perror(programs[i].name);
            return 1;
        }
    return 0;
}
