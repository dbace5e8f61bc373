/* SPDX-License-Identifier: BSD-3-Clause
 * commslice record: runs the original program, any command that starts it, and records its communication with times.
 * The recorder is loaded into every process of the command and wakes up where MPI is initialised. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/shown.h"
#include "cli/frame/cli.h"
#include "trace/trace.h"
#include "cli/launch/launch.h"
#include "cli/show/slice_info.h"
#include "cli/launch/emulate_options.h"

/* The assumptions of the first word of the command that is an instrumented executable: the recorder counts how often
 * they fail. */
static char *assumptions_of(char **words)
{
    for (; *words; words++) {
        struct cs_slice_info info;
        char why[256];
        if (cs_is_elf(*words) && cs_slice_read(*words, &info, why, sizeof why) == 1) {
            char *text = cs_slice_assumptions(&info);
            cs_slice_free(&info);
            return text;
        }
    }
    return NULL;
}

/* "FILE:LINE=WHAT violated N times": N, or 0. */
static long long violations(const char *line)
{
    const char *word = strstr(line, " violated ");
    return word ? strtoll(word + strlen(" violated "), NULL, 10) : 0;
}

/* Warns of each assumption that this run violated: a slice that was made with it communicates otherwise. Warns also of
 * calls that are not recorded. */
static void warn_of_run(const struct cs_launch *l)
{
    char why[256];
    struct cs_trace *t = cs_trace_open(l->trace_path, why, sizeof why);
    const char *text = t ? cs_trace_info(t)->assumptions : NULL, *lost = t ? cs_trace_info(t)->unrecorded : NULL;
    if (lost)
        fprintf(stderr,
                "commslice: warning: the trace is not all of the communication: "
                "dynamic processes are not recorded: %.*s%s; see commslice info\n",
                (int)strcspn(lost, "\n"), lost,
                lost[strcspn(lost, "\n")] && lost[strcspn(lost, "\n") + 1] ? " ..." : "");
    char *copy = text ? strdup(text) : NULL, *rest = copy, *line, shown[CS_SHOWN_SIZE];
    while (rest && (line = strsep(&rest, "\n"))) {
        const char *violated = strstr(line, " violated ");
        if (violations(line) <= 0)
            continue;
        cs_shown(shown, line, (int)(violated - line));
        fprintf(stderr,
                "commslice: warning: assumption %s%s: the slice that it made does not communicate as this run did\n",
                shown, violated);
    }
    free(copy);
    cs_trace_free(t);
}

/* What of the tapes is asked. */
struct tapes {
    const char *path, *ranks;
};

/* Are these numbers of ranks, with commas between? */
static bool are_ranks(const char *list, long nranks)
{
    const char *at = list;
    char *end;
    do {
        long r = strtol(at, &end, 10);
        if (end == at || r < 0 || r >= nranks || (*end && *end != ','))
            return false;
        at = end + 1;
    } while (*end);
    return true;
}

/* What is wrong with it: 0, or an exit code after a message. */
static int check_tapes(const struct cs_verb *v, const struct tapes *t, const char *engine, long nranks)
{
    if (!t->path && !t->ranks)
        return CS_EXIT_OK;
    if (!t->path || !t->ranks)
        return cs_usage_error(v, "--tape and --tape-ranks go together");
    if (strcmp(engine, "emulate"))
        return cs_usage_error(v, "--tape goes with --engine emulate");
    if (!are_ranks(t->ranks, nranks))
        return cs_usage_error(v, "--tape-ranks %s: give ranks from 0 to %ld, with commas between", t->ranks,
                              nranks - 1);
    return CS_EXIT_OK;
}

/* Tells the ranks, wherever they go. 0, or an exit code after a message. */
static int set_tapes(const struct tapes *t)
{
    char *here = t->path && *t->path != '/' ? getcwd(NULL, 0) : NULL, *path = NULL;
    int code = CS_EXIT_OK;
    if (t->path && (asprintf(&path, "%s%s%s", here ? here : "", here ? "/" : "", t->path) < 0 ||
                    setenv(CS_ENV_TAPE, path, 1) || setenv(CS_ENV_TAPE_RANKS, t->ranks, 1)))
        code = cs_error("not enough memory");
    free(here);
    free(path);
    return code;
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {{"output", required_argument, NULL, 'o'},
                                          {"no-times", no_argument, NULL, 'T'},
                                          {"engine", required_argument, NULL, 'e'},
                                          {"force", no_argument, NULL, 'F'},
                                          {"tape", required_argument, NULL, 'P'},
                                          {"tape-ranks", required_argument, NULL, 'R'},
                                          CS_WORLD_OPTIONS,
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    struct cs_launch l = {.times = true, .watched = true};
    struct cs_world w = {0};
    struct tapes tapes = {0};
    const char *engine = "mpich";
    int c, code;
    while ((c = cs_getopt(v, argc, argv, "+:o:e:h" CS_WORLD_SHORTS, longs, &code)) >= 0) {
        if ((code = cs_world_option(v, &w, c, optarg)))
            return code;
        if (c == 'o')
            l.trace = optarg;
        if (c == 'T')
            l.times = false;
        l.force |= c == 'F';
        if (c == 'e')
            engine = optarg;
        if (c == 'P')
            tapes.path = optarg;
        if (c == 'R')
            tapes.ranks = optarg;
    }
    if (c == CS_OPT_DONE)
        return code;
    if (!l.trace)
        return cs_usage_error(v, "give the trace to write with -o");
    if (optind == argc)
        return cs_usage_error(v, "give a command to record, such as -- mpiexec -n 4 ./app");
    if (strcmp(engine, "emulate") == 0 && w.ranks == 0)
        return cs_usage_error(v, "give the number of ranks with -n");
    if (strcmp(engine, "emulate") && w.ranks > 0)
        return cs_usage_error(v, "-n goes with --engine emulate; mpiexec has its own");
    if (w.out == CS_STDOUT_TAG && strcmp(engine, "emulate"))
        return cs_usage_error(v, "--stdout tag goes with --engine emulate; mpiexec has -prepend-rank");
    if (cs_world_needs_emulate(&w) && strcmp(engine, "emulate"))
        return cs_usage_error(v, "--jobs and --memory go with --engine emulate");
    if ((code = check_tapes(v, &tapes, engine, w.ranks)))
        return code;
    char *assumptions = assumptions_of(argv + optind);
    l.assumptions = assumptions;
    l.world = &w;
    code = cs_launch_prepare(&l, engine);
    if (!code && l.emulated)
        code = cs_world_environment(&w) ? CS_EXIT_ERROR : set_tapes(&tapes);
    if (!code)
        code = cs_launch_environment(&l, true);
    if (!code)
        code = cs_launch_run(&l, argv + optind);
    if (code == CS_EXIT_OK)
        warn_of_run(&l);
    free(assumptions);
    cs_launch_free(&l);
    return code;
}

const struct cs_verb cs_verb_record = {
    .name = "record",
    .summary = "run the original program and record its communication, with times",
    .run = run,
    .usage =
        "usage: commslice record -o TRACE [--no-times] [--force] -- COMMAND\n"
        "       commslice record -o TRACE [--no-times] [--force] -n N --engine emulate -- PROGRAM [ARGUMENTS]\n\n"
        "Runs COMMAND, such as mpiexec -n 4 ./app, and writes the trace of the MPI program that it starts. An existing "
        "trace of that\n"
        "name is replaced. Call sites are shown as file and line if the program was compiled with -g. An instrumented "
        "original\n"
        "(linked with -fplugin-arg-commslice-mode=original) counts how often the assumptions of its link were "
        "violated.\n\n"
        "  -o, --output TRACE  where the trace goes\n"
        "      --no-times      leave out entry and exit times\n"
        "      --force         replace TRACE even if it is no trace\n"
        "  -n, --ranks N       with engine emulate: number of ranks\n"
        "  -e, --engine NAME   emulate: commslice starts the program, its ranks forked on this machine (mpich if not "
        "given)\n"
        "      --tape NAME, --tape-ranks LIST  with engine emulate: also write, for each rank of the list (0,17), what "
        "others send it,\n"
        "                      into NAME.RANK, for commslice replay\n" CS_WORLD_USAGE "\n"
        "COMMSLICE_LIBDIR names the folder of the run-time library.\n",
};
