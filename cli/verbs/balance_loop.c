/* SPDX-License-Identifier: BSD-3-Clause
 * commslice balance: what a loop takes that is handed out to unequal workers by each technique, and which one to take.
 * By simulation alone; libcommslice-balance does it in a program. */
#include <string.h>

#include "cli/balance/loop_spec.h"
#include "cli/balance/outcomes.h"
#include "cli/frame/cli.h"

/* The techniques that the list names, or all. */
static int choose(const char *list, struct cs_outcomes *o)
{
    for (int i = 0; !list && i < cs_ntechniques; i++)
        o->of[o->n++].technique = &cs_techniques[i];
    for (const char *p = list; p && *p; p += *p == ',') {
        char name[32];
        int n = (int)strcspn(p, ",");
        snprintf(name, sizeof name, "%.*s", n, p);
        const struct cs_technique *t = cs_technique_find(name);
        if (!t || o->n == CS_MOST_OUTCOMES)
            return cs_error("--technique %.*s: there is none; see docs/reference/techniques.md", n, p);
        o->of[o->n++].technique = t;
        p += n;
    }
    return o->n ? CS_EXIT_OK : cs_error("--technique: give at least one");
}

static int simulate(struct cs_loop_spec *s, struct cs_outcomes *o, const char *plot, bool json)
{
    int code = cs_loop_spec_read(s);
    if (!code && cs_outcomes_simulate(o, &s->simulation))
        code = cs_error("not enough memory");
    if (!code && plot)
        code = cs_outcomes_plot(o, plot);
    if (!code)
        json ? cs_outcomes_json(o) : cs_outcomes_print(o);
    cs_loop_spec_free(s);
    return code ? code : cs_finish_output(CS_EXIT_OK);
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {{"items", required_argument, NULL, 'n'},
                                          {"costs", required_argument, NULL, 'c'},
                                          {"workers", required_argument, NULL, 'w'},
                                          {"way", required_argument, NULL, 'y'},
                                          {"latency", required_argument, NULL, 'l'},
                                          {"service", required_argument, NULL, 's'},
                                          {"chunk", required_argument, NULL, 'k'},
                                          {"drift", required_argument, NULL, 'd'},
                                          {"seed", required_argument, NULL, 'r'},
                                          {"technique", required_argument, NULL, 't'},
                                          {"plot", required_argument, NULL, 'p'},
                                          {"force", no_argument, NULL, 'f'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    struct cs_loop_spec s = {.way = "master-worker", .seed = 1};
    struct cs_outcomes o = {0};
    const char *plot = NULL, *techniques = NULL;
    bool json = false, force = false;
    int c, code;
    while ((c = cs_getopt(v, argc, argv, ":n:c:w:t:h", longs, &code)) >= 0) {
        json |= c == 'j';
        force |= c == 'f';
        const char **word = c == 'c'   ? &s.costs
                            : c == 'w' ? &s.workers
                            : c == 'y' ? &s.way
                            : c == 'l' ? &s.latency_text
                            : c == 's' ? &s.service_text
                            : c == 'd' ? &s.drift_text
                            : c == 't' ? &techniques
                            : c == 'p' ? &plot
                                       : NULL;
        if (word)
            *word = optarg;
        if (c == 'n' && !cs_parse_number(optarg, 1, 1000000000, &s.items))
            return cs_usage_error(v, "--items %s is no number from 1 to 1000000000", optarg);
        if (c == 'k' && !cs_parse_number(optarg, 1, 1000000000, &s.chunk))
            return cs_usage_error(v, "--chunk %s is no number from 1 to 1000000000", optarg);
        if (c == 'r' && !cs_parse_number(optarg, 0, 1000000000, &s.seed))
            return cs_usage_error(v, "--seed %s is no number from 0 to 1000000000", optarg);
    }
    if (c == CS_OPT_DONE)
        return code;
    if (optind < argc)
        return cs_usage_error(v, "%s: what is this", argv[optind]);
    if (!s.costs || !s.workers)
        return cs_usage_error(v, s.costs ? "say who works, with --workers" : "say what items cost, with --costs");
    code = choose(techniques, &o);
    if (!code && plot)
        code = cs_outcomes_plot_check(plot, force);
    return code ? code : simulate(&s, &o, plot, json);
}

const struct cs_verb cs_verb_balance = {
    .name = "balance",
    .summary = "say how to hand out a loop to unequal workers",
    .run = run,
    .usage =
        "usage: commslice balance --costs COSTS --workers WORKERS [--items N] [OPTIONS]\n"
        "\n"
        "Simulates a loop of independent items that is handed out to workers in chunks, by each technique that\n"
        "libcommslice-balance knows, and says which one to take. Nothing is measured or run.\n"
        "\n"
        "  -n, --items N        how many items\n"
        "  -c, --costs COSTS    what they cost on a worker of speed 1: constant:T, linear:T1,T2 (first and last),\n"
        "                       gaussian:MEAN,DEVIATION, heavy:T,TMIDDLE (one in the middle), or a file with a time\n"
        "                       a line. Times are 3us, 2.5ms, or seconds\n"
        "  -w, --workers LIST   COUNT or COUNTxSPEED, with commas: 4x1,6x1.5,4x2; or a file with a speed a line\n"
        "  -t, --technique LIST only these, with commas\n"
        "      --way WAY        master-worker (worker 0 hands out), leader (one more process does), one-sided, or\n"
        "                       shared-memory\n"
        "      --latency T      of a message (2us; 0.1us in shared memory)\n"
        "      --service T      of a request where it is answered (1us; 0.2us one-sided, 0.05us in shared memory)\n"
        "      --chunk N        items of a chunk of css, and of the slowest worker's of vrp-ss\n"
        "      --drift SHARE    by how much workers are off the speed that is said, such as 10%, normally distributed\n"
        "      --seed N         of random numbers (1)\n"
        "      --plot FILE      draw times and messages, as .png or .svg\n"
        "      --force          replace a FILE that is another kind of file\n"
        "      --json           one JSON object\n"
        "\n"
        "Prints a row a technique: time, how much that is over the ideal, imbalance (the last worker's end over the\n"
        "mean), chunks, messages. Then which technique to take and why.\n",
};
