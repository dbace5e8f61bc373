/* SPDX-License-Identifier: BSD-3-Clause
 * commslice predict: makes the skeleton of a recorded run, compiles and runs it here or under SimGrid, and says what
 * the run would take. The skeleton prints its own prediction (docs/reference/skeletons.md); of several runs the median
 * counts, and their spread is the error. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/launch/run_logged.h"
#include "cli/launch/tools.h"
#include "cli/frame/cli.h"
#include "cli/verbs/make_skeleton.h"
#include "cli/verbs/predict_play.h"
#include "cli/frame/text.h"
#include "cli/frame/unfinished.h"
#include "predict/model/observations.h"

/* Most runs, words of a command, and words of the user's mpiexec, which gets three more. */
enum { RUNS_MAX = 1000, WORDS_MAX = 64, MPIEXEC_WORDS_MAX = WORDS_MAX - 3 };

/* A prediction: the skeleton, the files in a temporary folder `dir`, how it is run, and the seconds of each of `runs`
 * runs. */
struct predict {
    struct cs_make_skeleton make;
    char dir[PATH_MAX], source[PATH_MAX + 16], program[PATH_MAX + 16], log[PATH_MAX + 16];
    const char *platform, *hosts;
    char host_speed[64], ranks[32];
    char **mpiexec; /* words before the program, given by the user; NULL: mpiexec -n RANKS */
    long runs, scale;
    bool show, json;
    struct cs_predict_play play; /* with --network or --model: what else is asked */
    double predicted[RUNS_MAX], took[RUNS_MAX];
};

static const char *compiler(const struct predict *p)
{
    return p->platform ? cs_tool(CS_ENV_SMPICC, "smpicc") : cs_tool(CS_ENV_MPICC, CS_MPICC);
}

/* ---- commands ---- */

static int compile(struct predict *p)
{
    char *argv[] = {(char *)compiler(p), "-std=c11", "-O2", "-o", p->program, p->source, NULL};
    return cs_run_logged(p->log, argv, "the compiler");
}

/* Puts together the command that runs the skeleton, with an argument that makes all ranks report. */
static void run_words(struct predict *p, char **w)
{
    int n = 0;
    if (p->platform) {
        char *smpi[] = {cs_tool(CS_ENV_SMPIRUN, "smpirun"),
                        "-np",
                        p->ranks,
                        "-platform",
                        (char *)p->platform,
                        p->host_speed,
                        "--log=xbt_cfg.thres:warning",
                        p->hosts ? "-hostfile" : NULL,
                        (char *)p->hosts};
        for (size_t i = 0; i < sizeof smpi / sizeof *smpi; i++)
            if (smpi[i])
                w[n++] = smpi[i];
    } else if (p->mpiexec) {
        for (int i = 0; p->mpiexec[i]; i++)
            w[n++] = p->mpiexec[i];
    } else {
        w[n++] = cs_tool(CS_ENV_MPIEXEC, CS_MPIEXEC);
        w[n++] = "-n";
        w[n++] = p->ranks;
    }
    w[n++] = p->program;
    w[n++] = "all";
    w[n] = NULL;
}

/* Reads what the skeleton's ranks printed; the slowest rank counts. 0, or an exit code: not all ranks reported. */
static int read_log(struct predict *p, long run)
{
    FILE *f = fopen(p->log, "r");
    char line[512];
    int ranks = 0;
    while (f && fgets(line, sizeof line, f)) {
        const char *at = strstr(line, ": rank ");
        double took, predicted;
        if (!at || sscanf(at, ": rank %*d: %lf s, predicts %lf s", &took, &predicted) != 2)
            continue;
        ranks++;
        p->took[run] = took > p->took[run] ? took : p->took[run];
        p->predicted[run] = predicted > p->predicted[run] ? predicted : p->predicted[run];
    }
    if (f)
        fclose(f);
    return ranks == p->make.nranks ? 0 : cs_error("%d of %d ranks of the skeleton reported", ranks, p->make.nranks);
}

static int run_all(struct predict *p)
{
    char *words[WORDS_MAX + 1];
    run_words(p, words);
    for (long i = 0; i < p->runs; i++) {
        cs_progress("running the skeleton", i, p->runs);
        if (cs_run_logged(p->log, words, "the skeleton:") || read_log(p, i))
            return -1;
    }
    cs_progress_end();
    return 0;
}

/* ---- answers ---- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(const double *sorted, long n)
{
    return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

static double recorded_seconds(const char *path)
{
    char why[256];
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    double seconds = t ? cs_recorded_seconds(t) : 0;
    cs_trace_free(t);
    return seconds;
}

static void say(struct predict *p)
{
    long n = p->runs;
    qsort(p->predicted, (size_t)n, sizeof *p->predicted, compare);
    qsort(p->took, (size_t)n, sizeof *p->took, compare);
    double value = median(p->predicted, n), took = median(p->took, n), recorded = recorded_seconds(p->make.input);
    double error = fmax(p->predicted[n - 1] - value, value - p->predicted[0]);
    if (p->json) {
        printf("{\"ranks\":%d,\"scale\":%" PRId64
               ",\"runs\":%ld,\"predicted_s\":%.6f,\"least_s\":%.6f,\"most_s\":%.6f,\"skeleton_s\":%.6f,"
               "\"recorded_s\":%.6f,\"computation\":%s}\n",
               p->make.nranks, p->make.scale, n, value, p->predicted[0], p->predicted[n - 1], took, recorded,
               p->make.report.times ? "true" : "false");
        return;
    }
    printf("predicted: %.4g s", value);
    if (n > 1)
        printf(" +- %.2g s (%.1f %%; %ld runs, %.4g to %.4g s)", error, value > 0 ? 100 * error / value : 0, n,
               p->predicted[0], p->predicted[n - 1]);
    printf("\nthe skeleton took %.4g s on %d ranks", took, p->make.nranks);
    if (recorded > 0)
        printf("; the recorded run %.4g s", recorded);
    putchar('\n');
    if (n == 1)
        puts("one run has no spread: give --runs for an error estimate");
    if (!p->make.report.times)
        puts("communication only: the trace has no times, so computation is not in it");
}

/* ---- the whole ---- */

/* Takes the speed of the platform's first host as this machine's: SimGrid's hosts compute as fast as this one. */
static int find_host_speed(struct predict *p)
{
    FILE *f = fopen(p->platform, "r");
    char line[4096], speed[40] = "";
    if (!f)
        return cs_error("%s: %s", p->platform, strerror(errno));
    while (!*speed && fgets(line, sizeof line, f)) {
        const char *at = strstr(line, "speed=\"");
        if (at)
            sscanf(at, "speed=\"%39[0-9.a-zA-Z]", speed);
    }
    fclose(f);
    if (!*speed)
        return cs_error("%s: has no host with a speed", p->platform);
    snprintf(p->host_speed, sizeof p->host_speed, "--cfg=smpi/host-speed:%s", speed);
    return 0;
}

static int show_commands(struct predict *p)
{
    char *words[WORDS_MAX + 1];
    snprintf(p->program, sizeof p->program, "./skel");
    run_words(p, words);
    printf("%s -O2 -o skel ", compiler(p));
    cs_put_shell_word(stdout, p->make.out);
    for (int i = 0; words[i]; i++) {
        putchar(i ? ' ' : '\n');
        cs_put_shell_word(stdout, words[i]);
    }
    puts("\n# run it several times; of each run the highest \"predicts\" counts");
    return cs_finish_output(CS_EXIT_OK);
}

static int in_folder(struct predict *p)
{
    snprintf(p->source, sizeof p->source, "%s/skel.c", p->dir);
    snprintf(p->program, sizeof p->program, "%s/skel", p->dir);
    snprintf(p->log, sizeof p->log, "%s/log", p->dir);
    const char *files[] = {p->source, p->program, p->log};
    for (int i = 0; i < 3; i++)
        cs_unfinished(files[i]);
    p->make.out = p->source;
    int code = cs_make_skeleton(&p->make);
    snprintf(p->ranks, sizeof p->ranks, "%d", p->make.nranks);
    if (!code && (compile(p) || run_all(p)))
        code = CS_EXIT_ERROR;
    if (!code) {
        say(p);
        code = cs_finish_output(code);
    }
    for (int i = 0; i < 3; i++) {
        unlink(files[i]);
        cs_finished(files[i]);
    }
    return code;
}

static int predict(struct predict *p)
{
    p->make.program = "skel";
    if (p->platform && find_host_speed(p))
        return CS_EXIT_ERROR;
    if (p->show) {
        int code = cs_make_skeleton(&p->make);
        snprintf(p->ranks, sizeof p->ranks, "%d", p->make.nranks);
        return code ? code : show_commands(p);
    }
    int code = cs_make_temporary_folder("predict", p->dir);
    if (code)
        return code;
    code = in_folder(p);
    cs_remove_temporary_folder(p->dir);
    return code;
}

/* A number above 0, or 0: it is none. */
static double read_size(const char *text)
{
    char *end;
    double size = strtod(text, &end);
    return end != text && !*end && isfinite(size) && size > 0 ? size : 0;
}

/* Takes one option; 0, or an exit code after a message. */
static int take_option(const struct cs_verb *v, struct predict *p, int c)
{
    switch (c) {
    case 'k':
        if (!cs_parse_number(optarg, 1, LONG_MAX, &p->scale))
            return cs_usage_error(v, "--scale %s is no number from 1 up", optarg);
        break;
    case 'r':
        if (!cs_parse_number(optarg, 1, RUNS_MAX, &p->runs))
            return cs_usage_error(v, "--runs %s is no number from 1 to %d", optarg, RUNS_MAX);
        break;
    case 'w':
        if (!cs_parse_work_rate(optarg, &p->make.work_rate))
            return cs_usage_error(v, "--work-rate %s is no rate", optarg);
        break;
    case 'p': p->platform = optarg; break;
    case 'H': p->hosts = optarg; break;
    case 'N': p->play.network = optarg; break;
    case 'm': p->play.model = optarg; break;
    case 'n': p->play.ranks = optarg; break;
    case 'Z': p->play.sizes = optarg; break;
    case 'M': p->play.method = optarg; break;
    case 'z':
        if ((p->play.size = read_size(optarg)) <= 0)
            return cs_usage_error(v, "--size %s is no number above 0", optarg);
        break;
    case 'R':
        if (!cs_parse_number(optarg, 0, 1 << 24, &p->play.of_rank))
            return cs_usage_error(v, "--of-rank %s is no rank", optarg);
        break;
    case 'g': p->play.goal = optarg; break;
    case 'P': p->play.plot = optarg; break;
    case 'c': p->play.csv = true; break;
    case 's': p->play.segments = true; break;
    case 'S': p->play.slurm = true; break;
    case 'W': p->play.weak = true; break;
    case 'o':
        p->show = true;
        p->make.out = optarg;
        break;
    case 'f': p->make.force = true; break;
    case 'a': p->make.means = true; break;
    default: p->json = true; break;
    }
    return 0;
}

/* What may not stand together with --network or --model, or without. 0, or an exit code after a message. */
static int check_play(const struct cs_verb *v, const struct predict *p, int argc, char **argv)
{
    const struct cs_predict_play *q = &p->play;
    if (!q->network && !q->model)
        return q->ranks || q->sizes || q->plot || q->goal || q->csv || q->segments || q->slurm || q->weak ||
                       q->method || q->size > 0 || q->of_rank >= 0
                   ? cs_usage_error(
                         v, "-n, --plot, --goal, --csv, --segments, --slurm and --weak go with --model or --network")
                   : 0;
    if (p->show || (p->platform && !q->model))
        return cs_usage_error(v, "--network and --model run no skeleton: no -o, and --on goes with --model");
    if (p->platform && (q->network || q->goal))
        return cs_usage_error(v, "--on plays by SimGrid: no --network, and no --goal");
    if (q->csv + q->slurm + p->json > 1)
        return cs_usage_error(v, "--csv, --json and --slurm exclude each other");
    if (q->segments && !q->csv)
        return cs_usage_error(v, "--segments goes with --csv");
    if ((q->method || q->size > 0) && !q->model)
        return cs_usage_error(v, "--method and --size go with --model");
    if (q->size > 0 && q->sizes)
        return cs_usage_error(v, "--size and --sizes exclude each other");
    if (q->method && strcmp(q->method, "all") != 0 && cs_method_find(q->method) == CS_METHODS)
        return cs_usage_error(v, "--method %s: there are segments, counters, analytic and all", q->method);
    if (q->of_rank >= 0 && !q->model)
        return cs_usage_error(v, "--of-rank goes with --model");
    if (q->ranks && !q->model)
        return cs_usage_error(v, "-n runs a slice, whose trace has no times: give --model");
    for (int i = optind; i < argc && !q->ranks; i++)
        if (argv[i][0] == '-')
            return cs_usage_error(v, "options go before the traces: %s", argv[i]);
    return 0;
}

/* What may not stand together. 0, or an exit code after a message. */
static int check_options(const struct cs_verb *v, const struct predict *p, int argc, char **argv)
{
    int code = check_play(v, p, argc, argv);
    if (code)
        return code;
    if (optind == argc)
        return cs_usage_error(v, p->play.ranks ? "give a slice to run" : "give a trace");
    if (p->hosts && !p->platform)
        return cs_usage_error(v, "--hosts goes with --on");
    if (p->play.network || p->play.model)
        return 0;
    if (optind + 1 < argc && strcmp(argv[optind + 1], "--") != 0)
        return cs_usage_error(
            v, "options go before the trace, and the words that start the skeleton behind --: %s is neither",
            argv[optind + 1]);
    if (optind + 2 == argc)
        return cs_usage_error(v, "give the words that start the skeleton behind --");
    if (argc - optind - 2 > MPIEXEC_WORDS_MAX)
        return cs_usage_error(v, "more than %d words behind --", MPIEXEC_WORDS_MAX);
    if (p->platform && optind + 1 < argc)
        return cs_usage_error(v, "with --on, smpirun starts the skeleton: no words behind --");
    return 0;
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {{"scale", required_argument, NULL, 'k'},
                                          {"runs", required_argument, NULL, 'r'},
                                          {"on", required_argument, NULL, 'p'},
                                          {"hosts", required_argument, NULL, 'H'},
                                          {"network", required_argument, NULL, 'N'},
                                          {"model", required_argument, NULL, 'm'},
                                          {"ranks", required_argument, NULL, 'n'},
                                          {"method", required_argument, NULL, 'M'},
                                          {"size", required_argument, NULL, 'z'},
                                          {"sizes", required_argument, NULL, 'Z'},
                                          {"of-rank", required_argument, NULL, 'R'},
                                          {"plot", required_argument, NULL, 'P'},
                                          {"goal", required_argument, NULL, 'g'},
                                          {"csv", no_argument, NULL, 'c'},
                                          {"segments", no_argument, NULL, 's'},
                                          {"slurm", no_argument, NULL, 'S'},
                                          {"weak", no_argument, NULL, 'W'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"work-rate", required_argument, NULL, 'w'},
                                          {"force", no_argument, NULL, 'f'},
                                          {"means", no_argument, NULL, 'a'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    static struct predict p;
    int c, code;
    p.runs = 3;
    p.scale = 10;
    p.play.of_rank = -1;
    while ((c = cs_getopt(v, argc, argv, "+:k:n:o:h", longs, &code)) >= 0)
        if ((code = take_option(v, &p, c)))
            return code;
    if (c == CS_OPT_DONE || (code = check_options(v, &p, argc, argv)))
        return code;
    if (p.play.network || p.play.model) {
        p.play.word = argv + optind;
        p.play.nwords = argc - optind;
        p.play.platform = p.platform;
        p.play.hosts = p.hosts;
        p.play.json = p.json;
        p.play.force = p.make.force;
        return cs_predict_play(&p.play);
    }
    p.make.input = argv[optind];
    p.make.scale = p.scale;
    p.mpiexec = argc > optind + 2 ? argv + optind + 2 : NULL;
    return predict(&p);
}

const struct cs_verb cs_verb_predict = {
    .name = "predict",
    .summary = "say what a run would take, by a short program like it or by a model",
    .run = run,
    .usage =
        "usage: commslice predict [OPTIONS] TRACE [-- MPIEXEC WORDS...]\n"
        "       commslice predict --model MODEL [--network NUMBERS | --on PLATFORM] [OPTIONS] TRACE...\n"
        "       commslice predict --model MODEL [--network NUMBERS] [OPTIONS] -n RANKS,... SLICE [ARGUMENTS]\n"
        "\n"
        "Without --model and --network: makes the skeleton of a recorded run (see commslice help skeleton), compiles "
        "it,\n"
        "runs it, and prints the run time that it predicts: the median of several runs, with their spread. The words "
        "after\n"
        "-- start it in place of mpiexec -n RANKS.\n"
        "\n"
        "  -k, --scale K         how much shorter the skeleton is (10)\n"
        "      --runs R          so many runs (3)\n"
        "      --on PLATFORM     run it under SimGrid on this platform (XML), whose hosts are assumed to compute as "
        "fast as this\n"
        "                        machine\n"
        "      --hosts FILE      with --on: the hosts to use, one a line\n"
        "  -o, --output SKEL.c   only write the skeleton, and print the commands that compile and run it elsewhere\n"
        "      --means           use the mean computation time before each call instead of the recorded times\n"
        "      --work-rate R     the trace is of another machine, where commslice skeleton --measure-work-rate printed "
        "R\n"
        "      --force           K may be larger than any trip count\n"
        "\n"
        "With one of these no skeleton runs: traces are played on a network. Several traces give a curve over the "
        "ranks:\n"
        "      --network NUMBERS \"latency=1us,overhead=0.3us,gap=0.1us,bandwidth=10GB/s,eager=64KB\" or some of "
        "these, which are\n"
        "                        taken if not named; or a file of commslice calibrate\n"
        "      --model MODEL     traces are a slice's, and commslice fit made MODEL of small runs\n"
        "      --on PLATFORM     with --model: SimGrid plays them on this platform, which has a host for each rank\n"
        "      --hosts FILE      with --on: the hosts to use, one a line\n"
        "      --method M        what the model is asked by: segments, counters, analytic (see commslice help fit), or "
        "all beside\n"
        "                        each other\n"
        "      --size N          the size of the problem, for analytic\n"
        "      --sizes LIST      sizes of the problem, one for each trace; with -n the slice is run with each of them, "
        "{size} in\n"
        "                        its arguments being the size. From four on, parts have a formula in the size n\n"
        "      --of-rank R       the table of segments is that of rank R\n"
        "  -n, --ranks LIST      run SLICE with these numbers of ranks (64,256,1024) and predict these runs; {n} in "
        "its\n"
        "                        arguments is the number\n"
        "      --weak            the problem grows with the ranks: the same time is an efficiency of 1\n"
        "      --plot FILE       also draw time, speed-up and efficiency, by gnuplot: FILE.png or FILE.svg\n"
        "      --goal FILE       also write what is played as a GOAL schedule, for LogGOPSim and ATLAHS: of one run\n"
        "      --force           replace FILE even if it is no such picture or schedule\n"
        "      --csv             a row a trace; with --segments a row for each part of the time\n"
        "      --slurm           of one run: the upper end of the interval as D-HH:MM:SS, for sbatch --time\n"
        "\n"
        "      --json            one JSON object\n"
        "\n"
        "COMMSLICE_MPICC, COMMSLICE_MPIEXEC, COMMSLICE_SMPICC and COMMSLICE_SMPIRUN name other tools.\n",
};
