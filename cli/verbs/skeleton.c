/* SPDX-License-Identifier: BSD-3-Clause
 * commslice skeleton: writes a C program that communicates like a recorded run, K times shorter.
 * skeleton/ makes the program; this file reads the options and prints what was made. */
#define _GNU_SOURCE 1
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/frame/json.h"
#include "cli/verbs/make_skeleton.h"

/* What the program calls itself: the name of its file without folder and .c, with _ for each character that would not
 * stand for itself in a C string or a format. The caller frees; NULL if memory is out. */
static char *name_of(const char *path)
{
    char *copy = strdup(path), *name = copy ? strdup(basename(copy)) : NULL;
    char *dot = name ? strrchr(name, '.') : NULL;
    if (dot && dot != name)
        *dot = '\0';
    for (char *p = name; p && *p; p++)
        if (strchr("\"\\%?", *p) || (unsigned char)*p < ' ') /* '?' may begin a trigraph */
            *p = '_';
    free(copy);
    return name;
}

/* Prints the work rate of this machine, in turns a second with all processors at work. Returns the exit code. */
static int print_rate(void)
{
    printf("%.5g\n", cs_skeleton_work_rate(INT_MAX));
    return cs_finish_output(CS_EXIT_OK);
}

static void print_json(const struct cs_make_skeleton *k)
{
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_json_string(&j, "program", k->out);
    cs_json_int(&j, "ranks", k->nranks);
    cs_json_int(&j, "scale", k->scale);
    cs_json_int(&j, "loops_divided", k->report.divided);
    cs_json_int(&j, "loops_run_twice", k->report.two);
    cs_json_int(&j, "loops_whole", k->report.whole);
    cs_json_close(&j, '}');
    cs_json_end(&j);
}

/* Makes the skeleton and prints one line about it. Sets k->program for that time only. Returns the exit code. */
static int make(struct cs_make_skeleton *k, bool json)
{
    char *name = name_of(k->out);
    if (!name)
        return cs_error("not enough memory");
    k->program = name;
    int code = cs_make_skeleton(k);
    if (code == CS_EXIT_OK && json)
        print_json(k);
    else if (code == CS_EXIT_OK)
        printf("%s: %d rank%s, loops: %d divided by %" PRId64 ", %d run twice, %d whole\n", k->out, k->nranks,
               k->nranks == 1 ? "" : "s", k->report.divided, k->scale, k->report.two, k->report.whole);
    free(name);
    return code == CS_EXIT_OK ? cs_finish_output(code) : code;
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {{"scale", required_argument, NULL, 'k'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"times", required_argument, NULL, 't'},
                                          {"same-per-rank", no_argument, NULL, 's'},
                                          {"force", no_argument, NULL, 'f'},
                                          {"means", no_argument, NULL, 'a'},
                                          {"no-computation", no_argument, NULL, 'n'},
                                          {"work-rate", required_argument, NULL, 'r'},
                                          {"measure-work-rate", no_argument, NULL, 'm'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    struct cs_make_skeleton k = {0};
    long scale = 0;
    bool json = false;
    int c, code;
    while ((c = cs_getopt(v, argc, argv, ":k:o:h", longs, &code)) >= 0) {
        if (c == 'k' && !cs_parse_number(optarg, 1, LONG_MAX, &scale))
            return cs_usage_error(v, "--scale %s is no number from 1 up", optarg);
        if (c == 'r' && !cs_parse_work_rate(optarg, &k.work_rate))
            return cs_usage_error(v, "--work-rate %s is no rate", optarg);
        if (c == 'm')
            return print_rate();
        k.force |= c == 'f';
        json |= c == 'j';
        k.no_work |= c == 'n';
        k.means |= c == 'a';
        k.per_rank |= c == 's';
        if (c == 't')
            k.times = optarg;
        if (c == 'o')
            k.out = optarg;
    }
    if (c == CS_OPT_DONE)
        return code;
    if (argc - optind != 1)
        return cs_usage_error(v, "give one trace");
    if (!scale)
        return cs_usage_error(v, "give the factor by which loops get shorter: --scale K");
    if (!k.out)
        return cs_usage_error(v, "give the file to write: -o skel.c");
    k.scale = scale;
    k.input = argv[optind];
    return make(&k, json);
}

const struct cs_verb cs_verb_skeleton = {
    .name = "skeleton",
    .summary = "make a short C program that communicates like a run",
    .run = run,
    .usage =
        "usage: commslice skeleton TRACE --scale K -o skel.c [OPTIONS]\n"
        "       commslice skeleton --measure-work-rate\n"
        "\n"
        "Writes a C program that makes the calls of a recorded run, with loops K times shorter; K = 1 gives the same "
        "trace\n"
        "again. TRACE may be merged or folded. Where it has times, computation is replayed as work, calibrated for "
        "this machine.\n"
        "Compile the program with mpicc -O2.\n"
        "\n"
        "  -k, --scale K           divide trip counts, and computation outside of loops, by K\n"
        "  -o, --output FILE       the program to write; an existing skeleton of that name is replaced, any other file "
        "is not\n"
        "      --force             K may be larger than any trip count: loops then run twice; FILE may be any file\n"
        "      --times TRACE       take computation from this trace, of the same program compiled with -g, at any "
        "size:\n"
        "                          the mean between two call sites; the sum over all ranks is assumed to be the same\n"
        "      --same-per-rank     with --times: computation on each rank is assumed to be the same\n"
        "      --means             use the mean computation time before each call instead of the recorded times\n"
        "      --no-computation    leave out computation\n"
        "      --work-rate R       the trace is of another machine, where --measure-work-rate printed R\n"
        "      --json              what was made, as one JSON object\n"
        "      --measure-work-rate print how fast work is on this machine, and end\n",
};
