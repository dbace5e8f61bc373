/* SPDX-License-Identifier: BSD-3-Clause
 * commslice run: runs a slice and records the communication that it does.
 * Starts mpiexec, and the recorder only in the slice's own processes. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "launch.h"
#include "slice_info.h"

#ifndef CS_MPIEXEC
#define CS_MPIEXEC "mpiexec"
#endif

/* T where the user gave none: the slice's name in the current folder. */
static char *default_trace(const char *program)
{
    char *copy = strdup(program), *name = NULL;
    if (!copy || asprintf(&name, "%s.trace", basename(copy)) < 0)
        name = NULL;
    free(copy);
    return name;
}

/* mpiexec -n N env LD_PRELOAD=... PROGRAM ARGS...; free_command frees it. */
static char **command(const struct cs_launch *l, char *nranks, char **program, int nwords)
{
    const char *mpiexec = getenv("COMMSLICE_MPIEXEC");
    char **v = calloc((size_t)nwords + 6, sizeof *v), *preload = cs_launch_preload(l), *setting = NULL;
    if (!v || !preload || asprintf(&setting, "LD_PRELOAD=%s", preload) < 0) {
        free(v);
        free(preload);
        return NULL;
    }
    free(preload);
    v[0] = (char *)(mpiexec && *mpiexec ? mpiexec : CS_MPIEXEC);
    v[1] = "-n";
    v[2] = nranks;
    v[3] = "env";
    v[4] = setting;
    memcpy(v + 5, program, (size_t)nwords * sizeof *v);
    /* We looked in the current folder; env would look in PATH. */
    if (!strchr(program[0], '/') && asprintf(&v[5], "./%s", program[0]) < 0)
        v[5] = program[0];
    return v;
}

static void free_command(char **v, char **program)
{
    if (!v)
        return;
    free(v[4]);
    if (v[5] != program[0])
        free(v[5]);
    free(v);
}

static int run_slice(const char *trace, const char *engine, long nranks, char **program, int nwords)
{
    struct cs_slice_info info = {0};
    struct cs_launch l = {.trace = trace};
    char count[32], *assumptions = NULL, **argv = NULL;
    int code = CS_EXIT_ERROR;
    if (!cs_slice_need(program[0], &info))
        return CS_EXIT_ERROR;
    if (access(program[0], X_OK)) {
        cs_error("%s: %s", program[0], strerror(errno));
        goto out;
    }
    l.assumptions = assumptions = cs_slice_assumptions(&info);
    snprintf(count, sizeof count, "%ld", nranks);
    if (cs_launch_prepare(&l, engine) || cs_launch_environment(&l, false))
        goto out;
    argv = command(&l, count, program, nwords);
    code = argv ? cs_launch_run(&l, argv, (int)nranks) : cs_error("not enough memory");
out:
    free_command(argv, program);
    free(assumptions);
    cs_launch_free(&l);
    cs_slice_free(&info);
    return code;
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {{"ranks", required_argument, NULL, 'n'}, {"output", required_argument, NULL, 'o'},
        {"engine", required_argument, NULL, 'e'}, {"help", no_argument, NULL, 'h'}, {0}};
    const char *trace = NULL, *engine = "mpich";
    long nranks = 0;
    int c, code;
    while ((c = cs_getopt(v, argc, argv, "+:n:o:e:h", longs, &code)) >= 0) {
        if (c == 'n' && !cs_parse_number(optarg, 1, 1 << 24, &nranks))
            return cs_usage_error(v, "-n %s is no number of ranks", optarg);
        if (c == 'o')
            trace = optarg;
        if (c == 'e')
            engine = optarg;
    }
    if (c == CS_OPT_DONE)
        return code;
    if (optind == argc)
        return cs_usage_error(v, "give a slice to run");
    if (!nranks)
        return cs_usage_error(v, "give the number of ranks with -n");
    char *own = trace ? NULL : default_trace(argv[optind]);
    if (!trace && !own)
        return cs_error("not enough memory");
    code = run_slice(trace ? trace : own, engine, nranks, argv + optind, argc - optind);
    free(own);
    return code;
}

const struct cs_verb cs_verb_run = {
    .name = "run", .summary = "run a slice and record its communication", .run = run,
    .usage =
        "usage: commslice run -n N [-o TRACE] [--engine mpich] SLICE [ARGUMENTS]\n\n"
        "Runs the slice on N ranks and writes the trace of its communication. An older trace of the same name is replaced.\n\n"
        "  -n, --ranks N       number of ranks\n"
        "  -o, --output TRACE  where the trace goes; SLICE.trace in the current folder if not given\n"
        "  -e, --engine NAME   what moves the messages: mpich (mpiexec and MPICH)\n\n"
        "COMMSLICE_MPIEXEC names another mpiexec, COMMSLICE_LIBDIR the folder of the run-time library.\n",
};
