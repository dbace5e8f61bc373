/* SPDX-License-Identifier: BSD-3-Clause
 * commslice run: runs a slice and records its communication. With engine emulate the slice is started, and its ranks
 * are forked; else mpiexec is, and the recorder is preloaded only into the slice's processes. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/launch/launch.h"
#include "cli/show/slice_info.h"
#include "cli/launch/emulate_options.h"
#include "cli/launch/share_option.h"
#include "cli/launch/tools.h"

/* The trace if the user gave none: NAME.trace in the current folder, for slice NAME. To be freed. */
static char *default_trace(const char *program)
{
    char *copy = strdup(program), *name = NULL;
    if (!copy || asprintf(&name, "%s.trace", basename(copy)) < 0)
        name = NULL;
    free(copy);
    return name;
}

/* mpiexec [-prepend-rank] -n N env LD_PRELOAD=... PROGRAM ARGS...; for free_command. NULL: memory is out. */
static char **command(const struct cs_launch *l, char *nranks, char **program, int nwords)
{
    char **v = calloc((size_t)nwords + 7, sizeof *v), *preload = cs_launch_preload(l), *setting = NULL;
    int n = 0;
    if (!v || !preload || asprintf(&setting, "LD_PRELOAD=%s", preload) < 0) {
        free(v);
        free(preload);
        return NULL;
    }
    free(preload);
    v[n++] = cs_tool(CS_ENV_MPIEXEC, CS_MPIEXEC);
    if (l->world->out == CS_STDOUT_TAG)
        v[n++] = "-prepend-rank";
    v[n++] = "-n";
    v[n++] = nranks;
    v[n++] = "env";
    v[n++] = setting;
    memcpy(v + n, program, (size_t)nwords * sizeof *v);
    /* the program was found in the current folder, and env would look in PATH */
    if (!strchr(program[0], '/') && asprintf(&v[n], "./%s", program[0]) < 0)
        v[n] = program[0];
    return v;
}

static void free_command(char **v, char **program)
{
    int n = 0;
    if (!v)
        return;
    while (strncmp(v[n], "LD_PRELOAD=", strlen("LD_PRELOAD=")))
        n++;
    free(v[n]);
    if (v[n + 1] != program[0])
        free(v[n + 1]);
    free(v);
}

/* The program itself is the command: the emulated library makes its ranks. */
static char **emulated_command(char **program, int nwords)
{
    char **v = calloc((size_t)nwords + 1, sizeof *v);
    if (!v)
        return NULL;
    memcpy(v, program, (size_t)nwords * sizeof *v);
    if (!strchr(program[0], '/') && asprintf(&v[0], "./%s", program[0]) < 0)
        v[0] = program[0];
    return v;
}

static int run_emulated(const struct cs_launch *l, const struct cs_world *w, char **program, int nwords)
{
    char **argv = emulated_command(program, nwords);
    int code = argv ? cs_world_environment(w) : cs_error("not enough memory");
    if (!code)
        code = cs_launch_environment(l, true);
    if (!code)
        code = cs_launch_run(l, argv);
    if (argv && argv[0] != program[0])
        free(argv[0]);
    free(argv);
    return code;
}

/* What the user asked for. */
struct options {
    const char *trace, *engine;
    bool force;
    struct cs_world world;
};

/* After a run that failed: what was assumed of values, loops and branches may hold for other runs alone, and then
 * marked calls meet unmarked ones, messages are missing, or arrays are too short. Returns code. */
static int say_assumed(const struct cs_slice_info *info, const struct cs_launch *l, int code)
{
    long ranks = l->world->ranks;
    bool ran = access(l->trace_path, F_OK) == 0; /* a trace of an earlier run has been removed */
    if (code && ran && info->nassumes)
        cs_note("the slice assumes %s%s: where that does not hold on %ld rank%s and for this input, the run may fail",
                info->assume[0].text, info->nassumes == 1 ? "" : " and more (commslice info)", ranks,
                ranks == 1 ? "" : "s");
    return code;
}

static int run_slice(const struct options *o, char **program, int nwords)
{
    struct cs_slice_info info = {0};
    struct cs_launch l = {.trace = o->trace, .world = &o->world, .force = o->force, .slice = true};
    char count[32], *assumptions = NULL, **argv = NULL;
    int code = CS_EXIT_ERROR;
    if (!cs_slice_need(program[0], &info))
        return CS_EXIT_ERROR;
    if (access(program[0], X_OK)) {
        cs_error("%s: %s", program[0], strerror(errno));
        goto out;
    }
    l.assumptions = assumptions = cs_slice_assumptions(&info);
    snprintf(count, sizeof count, "%ld", o->world.ranks);
    if (cs_launch_prepare(&l, o->engine))
        goto out;
    if (l.emulated) {
        code = say_assumed(&info, &l, run_emulated(&l, &o->world, program, nwords));
        goto out;
    }
    if (cs_launch_environment(&l, false))
        goto out;
    argv = command(&l, count, program, nwords);
    code = argv ? say_assumed(&info, &l, cs_launch_run(&l, argv)) : cs_error("not enough memory");
out:
    free_command(argv, program);
    free(assumptions);
    cs_launch_free(&l);
    cs_slice_free(&info);
    return code;
}

/* To be freed; NULL: no memory. */
static char *trace_name(const struct options *o, const char *slice)
{
    char *name = o->trace ? strdup(o->trace) : default_trace(slice);
    if (!name || !o->world.shares)
        return name;
    char *of_share = cs_share_name(name, &o->world);
    free(name);
    return of_share;
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {{"output", required_argument, NULL, 'o'},
                                          {"engine", required_argument, NULL, 'e'},
                                          {"force", no_argument, NULL, 'F'},
                                          {"share", optional_argument, NULL, 'S'},
                                          CS_WORLD_OPTIONS,
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    struct options o = {.engine = "emulate"};
    int c, code;
    while ((c = cs_getopt(v, argc, argv, "+:o:e:h" CS_WORLD_SHORTS, longs, &code)) >= 0) {
        if ((code = cs_world_option(v, &o.world, c, optarg)))
            return code;
        if (c == 'o')
            o.trace = optarg;
        if (c == 'e')
            o.engine = optarg;
        o.force |= c == 'F';
        if (c == 'S') {
            const char *text = optarg ? optarg : optind < argc && cs_share_is(argv[optind]) ? argv[optind++] : NULL;
            if ((code = cs_share_option(v, &o.world, text)))
                return code;
        }
    }
    if (c == CS_OPT_DONE)
        return code;
    if (optind == argc)
        return cs_usage_error(v, "give a slice to run");
    if (!o.world.ranks)
        return cs_usage_error(v, "give the number of ranks with -n");
    if (cs_world_needs_emulate(&o.world) && strcmp(o.engine, "emulate"))
        return cs_usage_error(v, "--jobs and --memory go with --engine emulate");
    if (o.world.shares && strcmp(o.engine, "emulate"))
        return cs_usage_error(v, "--share goes with --engine emulate");
    if ((code = cs_share_check(v, &o.world)))
        return code;
    char *own = trace_name(&o, argv[optind]);
    if (!own)
        return cs_error("not enough memory");
    o.trace = own;
    code = run_slice(&o, argv + optind, argc - optind);
    free(own);
    return code;
}

const struct cs_verb cs_verb_run = {
    .name = "run",
    .summary = "run a slice and record its communication",
    .run = run,
    .usage =
        "usage: commslice run -n N [-o TRACE] [--force] [--engine emulate|mpich] SLICE [ARGUMENTS]\n"
        "       commslice run -n N --share [K/M] [-o TRACE] [--force] SLICE [ARGUMENTS]\n\n"
        "Runs the slice on N ranks and writes the trace of its communication. An existing trace of the same name is "
        "replaced.\n\n"
        "  -n, --ranks N       number of ranks\n"
        "  -o, --output TRACE  where the trace goes; SLICE.trace in the current folder if not given\n"
        "  -e, --engine NAME   what moves the messages: emulate (ranks forked on this machine; if not given), or mpich "
        "(mpiexec)\n"
        "      --share [K/M]   run only the K-th of M equal parts of the ranks, into TRACE.KofM; without K/M the one\n"
        "                      that mpiexec, srun or a job array gives. commslice merge puts the parts together\n"
        "      --force         replace TRACE even if it is no trace\n" CS_WORLD_USAGE "\n"
        "COMMSLICE_MPIEXEC names another mpiexec for engine mpich, COMMSLICE_LIBDIR the folder of the run-time "
        "library.\n",
};
