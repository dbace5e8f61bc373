/* SPDX-License-Identifier: BSD-3-Clause
 * commslice replay: runs one rank of a recorded run alone, with what a tape has of the others, and records its times.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "base/tape_file.h"
#include "cli/frame/cli.h"
#include "cli/launch/launch.h"

/* Is it a tape? 0, or an exit code after a message. */
static int check_tape(const char *path)
{
    struct cs_tape_header h;
    FILE *f = fopen(path, "rb");
    if (!f)
        return cs_error("%s: %s", path, strerror(errno));
    bool fine = fread(&h, sizeof h, 1, f) == 1 && memcmp(h.magic, CS_TAPE_MAGIC, sizeof h.magic) == 0;
    fclose(f);
    return fine ? CS_EXIT_OK : cs_error("%s: is no tape of commslice record --tape", path);
}

static int play(struct cs_launch *l, const char *tape, char **program)
{
    char *path = realpath(tape, NULL);
    int code = path ? cs_launch_prepare(l, "emulate") : cs_error("%s: %s", tape, strerror(errno));
    if (!code)
        code = cs_world_environment(l->world);
    if (!code && setenv(CS_ENV_REPLAY, path, 1))
        code = cs_error("not enough memory");
    if (!code)
        code = cs_launch_environment(l, true);
    if (!code)
        code = cs_launch_run(l, program);
    cs_launch_free(l);
    free(path);
    return code;
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {
        {"output", required_argument, NULL, 'o'}, {"force", no_argument, NULL, 'F'},
        {"stdout", required_argument, NULL, 'O'}, {"timeout", required_argument, NULL, 't'},
        {"quiet", no_argument, NULL, 'q'},        {"json", no_argument, NULL, 'J'},
        {"help", no_argument, NULL, 'h'},         {0}};
    struct cs_world w = {0};
    struct cs_launch l = {.times = true, .world = &w, .replays = true};
    int c, code;
    while ((c = cs_getopt(v, argc, argv, "+:o:t:qh", longs, &code)) >= 0) {
        if ((code = cs_world_option(v, &w, c, optarg)))
            return code;
        if (c == 'o')
            l.trace = optarg;
        l.force |= c == 'F';
    }
    if (c == CS_OPT_DONE)
        return code;
    if (!l.trace)
        return cs_usage_error(v, "give the trace to write with -o");
    if (w.out == CS_STDOUT_TAG)
        return cs_usage_error(v, "--stdout tag: there is one rank only");
    if (optind == argc)
        return cs_usage_error(v, "give a tape");
    const char *tape = argv[optind++];
    optind += optind < argc && strcmp(argv[optind], "--") == 0;
    if (optind == argc)
        return cs_usage_error(v, "give the program whose rank is on the tape, with its arguments");
    code = check_tape(tape);
    return code ? code : play(&l, tape, argv + optind);
}

const struct cs_verb cs_verb_replay = {
    .name = "replay",
    .summary = "run one rank of a recorded run alone, and record its times",
    .run = run,
    .usage = "usage: commslice replay -o TRACE [--force] TAPE [--] PROGRAM [ARGUMENTS]\n\n"
             "Runs the rank whose tape this is (commslice record --tape), without the others: what they sent,\n"
             "and what collective calls gave, comes from the tape. So its computation takes what it takes on a\n"
             "processor of its own. PROGRAM and its arguments are those of the run. The trace has that rank's times;\n"
             "commslice fit learns from it, and commslice info --counters prints them.\n\n"
             "  -o, --output TRACE  where the trace goes\n"
             "      --force         replace TRACE even if it is no trace\n"
             "      --stdout HOW    what the rank prints: show or drop\n"
             "  -t, --timeout S     ends a replay that takes longer than S seconds\n"
             "  -q, --quiet         no summary at the end\n"
             "      --json          the summary as one JSON object, the last line on standard output\n\n"
             "COMMSLICE_LIBDIR names the folder of the run-time library.\n",
};
