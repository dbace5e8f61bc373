/* SPDX-License-Identifier: BSD-3-Clause
 * commslice calibrate: measures a network by a small program of its own, and writes the numbers that predict --network
 * reads. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/frame/json.h"
#include "cli/frame/output.h"
#include "cli/frame/unfinished.h"
#include "cli/launch/run_logged.h"
#include "cli/launch/tools.h"
#include "cli/verbs/calibrate_program.h"
#include "predict/network/network_measured.h"

static const struct cs_file_kind network_kind = {"a network of commslice calibrate", CS_NETWORK_BEGINS,
                                                 sizeof CS_NETWORK_BEGINS - 1},
                                 program_kind = {"a program of commslice calibrate", CS_CALIBRATE_BEGINS,
                                                 sizeof CS_CALIBRATE_BEGINS - 1};

/* What is asked, and the files in a temporary folder. */
struct calibrate {
    const char *out, *from, *program;
    bool force, json;
    char **mpiexec; /* words before the program; NULL: mpiexec -n 2 */
    char dir[PATH_MAX], source[PATH_MAX + 16], binary[PATH_MAX + 16], log[PATH_MAX + 16];
};

static int write_program(const char *path)
{
    struct cs_output out;
    if (cs_output_open(&out, path))
        return -1;
    fputs(cs_calibrate_program, out.f);
    return cs_output_close(&out, true);
}

/* ---- running ---- */

static int compile(struct calibrate *c)
{
    char *argv[] = {cs_tool(CS_ENV_MPICC, CS_MPICC), "-std=gnu11", "-O2", "-w", "-o", c->binary, c->source, NULL};
    return cs_run_logged(c->log, argv, "the compiler");
}

static int run_program(struct calibrate *c)
{
    char *usual[] = {cs_tool(CS_ENV_MPIEXEC, CS_MPIEXEC), "-n", "2", NULL}, **words = c->mpiexec ? c->mpiexec : usual;
    int n = 0;
    while (words[n])
        n++;
    char **argv = calloc((size_t)n + 2, sizeof *argv);
    if (!argv)
        return cs_error("not enough memory"), -1;
    memcpy(argv, words, (size_t)n * sizeof *argv);
    argv[n] = c->binary;
    int rc = cs_run_logged(c->log, argv, "the measuring program:");
    free(argv);
    return rc;
}

/* ---- answers ---- */

static int read_log(const char *log, struct cs_network_measured *m)
{
    char line[512];
    FILE *f = fopen(log, "r");
    int bad = 0, number = 0;
    if (!f)
        return cs_error("%s: %s", log, strerror(errno)), -1;
    while (!bad && fgets(line, sizeof line, f)) {
        number++;
        bad = cs_measured_line(m, line);
    }
    fclose(f);
    return bad ? cs_error("%s: line %d is not as the measuring program prints it", log, number), -1 : 0;
}

static void say(const struct cs_network *n, const struct cs_network_measured *m)
{
    printf("latency %.3g us, overhead %.3g us, gap %.3g us, bandwidth %.3g GB/s, eager up to %llu B\n",
           n->latency * 1e-3, n->overhead * 1e-3, n->gap * 1e-3, 1 / n->per_byte, (unsigned long long)n->eager);
    if (m->ranks > 1)
        printf("on %d ranks: barrier %.3g us, by these numbers %.3g; reduction of 8 bytes %.3g us, by these numbers "
               "%.3g\n",
               m->ranks, m->barrier * 1e-3, cs_network_rounds(n, m->ranks, 0) * 1e-3, m->reduction * 1e-3,
               cs_network_rounds(n, m->ranks, 8) * 1e-3);
}

static void say_json(const struct calibrate *c, const struct cs_network *n, const struct cs_network_measured *m)
{
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_json_string(&j, "network", c->out);
    cs_json_real(&j, "latency_ns", n->latency);
    cs_json_real(&j, "overhead_ns", n->overhead);
    cs_json_real(&j, "gap_ns", n->gap);
    cs_json_real(&j, "ns_per_byte", n->per_byte);
    cs_json_int(&j, "eager_bytes", (int64_t)n->eager);
    cs_json_int(&j, "ranks", m->ranks);
    if (m->ranks > 1) {
        cs_json_real(&j, "barrier_ns", m->barrier);
        cs_json_real(&j, "barrier_by_numbers_ns", cs_network_rounds(n, m->ranks, 0));
        cs_json_real(&j, "reduction_ns", m->reduction);
        cs_json_real(&j, "reduction_by_numbers_ns", cs_network_rounds(n, m->ranks, 8));
    }
    cs_json_close(&j, '}');
    cs_json_end(&j);
}

static int answer(const struct calibrate *c, const char *log)
{
    struct cs_network_measured m = {0};
    struct cs_network n;
    struct cs_output out;
    char why[256];
    if (read_log(log, &m))
        return CS_EXIT_ERROR;
    if (cs_network_fit(&m, &n, why, sizeof why))
        return cs_error("%s: %s", c->from ? c->from : "the measuring program", why);
    if (cs_output_open(&out, c->out))
        return CS_EXIT_ERROR;
    cs_network_write(&n, &m, out.f);
    if (cs_output_close(&out, true))
        return CS_EXIT_ERROR;
    if (c->json)
        say_json(c, &n, &m);
    else
        say(&n, &m);
    return cs_finish_output(CS_EXIT_OK);
}

static int measure(struct calibrate *c)
{
    int failed = cs_make_temporary_folder("calibrate", c->dir);
    if (failed)
        return failed;
    snprintf(c->source, sizeof c->source, "%s/measure.c", c->dir);
    snprintf(c->binary, sizeof c->binary, "%s/measure", c->dir);
    snprintf(c->log, sizeof c->log, "%s/log", c->dir);
    const char *files[] = {c->source, c->binary, c->log};
    for (int i = 0; i < 3; i++)
        cs_unfinished(files[i]);
    int code = write_program(c->source) || compile(c) || run_program(c) ? CS_EXIT_ERROR : answer(c, c->log);
    for (int i = 0; i < 3; i++) {
        unlink(files[i]);
        cs_finished(files[i]);
    }
    cs_remove_temporary_folder(c->dir);
    return code;
}

/* The program alone, for a machine that has no commslice. */
static int only_program(const struct calibrate *c)
{
    int code = cs_output_check(c->program, NULL, &program_kind, c->force);
    if (code || write_program(c->program))
        return CS_EXIT_ERROR;
    printf(
        "mpicc -std=gnu11 -O2 -o measure %s\nmpiexec -n 2 ./measure >measured\ncommslice calibrate -o network --from "
        "measured\n",
        c->program);
    return cs_finish_output(CS_EXIT_OK);
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {{"output", required_argument, NULL, 'o'},
                                          {"program", required_argument, NULL, 'p'},
                                          {"from", required_argument, NULL, 'r'},
                                          {"force", no_argument, NULL, 'f'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    static struct calibrate g;
    int c, code;
    while ((c = cs_getopt(v, argc, argv, "+o:h", longs, &code)) >= 0) {
        g.force |= c == 'f';
        g.json |= c == 'j';
        if (c == 'o')
            g.out = optarg;
        if (c == 'p')
            g.program = optarg;
        if (c == 'r')
            g.from = optarg;
    }
    if (c == CS_OPT_DONE)
        return code;
    bool words = optind < argc;
    if (words && strcmp(argv[optind - 1], "--") != 0)
        return cs_usage_error(v, "the words that start the program stand behind --: %s", argv[optind]);
    if (!g.out == !g.program)
        return cs_usage_error(v, "give the file of the network with -o, or --program FILE.c");
    if (words && (g.from || g.program))
        return cs_usage_error(v, "--from and --program run nothing: no words behind --");
    if (g.program && g.json)
        return cs_usage_error(v, "--program prints commands: no --json");
    if (g.program)
        return g.from ? cs_usage_error(v, "--from and --program exclude each other") : only_program(&g);
    g.mpiexec = words ? argv + optind : NULL;
    if (cs_output_check(g.out, g.from, &network_kind, g.force))
        return CS_EXIT_ERROR;
    return g.from ? answer(&g, g.from) : measure(&g);
}

const struct cs_verb cs_verb_calibrate = {
    .name = "calibrate",
    .summary = "measure a network for predictions",
    .run = run,
    .usage =
        "usage: commslice calibrate -o NETWORK [--force] [--json] [-- MPIEXEC WORDS...]\n"
        "       commslice calibrate -o NETWORK [--force] --from OUTPUT\n"
        "       commslice calibrate --program FILE.c [--force]\n"
        "\n"
        "Compiles and runs a small program that measures messages between the first and the last rank, and\n"
        "collectives on all. Writes the numbers that commslice predict --network NETWORK reads. The words after\n"
        "-- start the program in place of mpiexec -n 2; let the first and the last rank be where the network is\n"
        "between them.\n"
        "\n"
        "  -o, --output NETWORK  where the numbers go\n"
        "      --program FILE.c  only write the program, and print the commands that compile and run it elsewhere\n"
        "      --from OUTPUT     run nothing: take what the program printed elsewhere\n"
        "      --json            the numbers as one JSON object\n"
        "      --force           replace NETWORK or FILE.c even if commslice calibrate did not write it\n"
        "\n"
        "COMMSLICE_MPICC and COMMSLICE_MPIEXEC name other tools.\n",
};
