/* SPDX-License-Identifier: BSD-3-Clause
 * commslice plan: of small runs that one might measure, says which tell most about a large one. Slices alone are run:
 * their counters say what each rank would do. */
#include <stdlib.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/frame/json.h"
#include "cli/frame/text.h"
#include "cli/launch/tools.h"
#include "cli/predict/machine_caches.h"
#include "cli/show/open_trace.h"
#include "cli/show/segment_table.h"
#include "cli/verbs/run_slice.h"
#include "predict/methods/run_choice.h"

/* Segments with less of the target are not shown. */
static const double SHOWN = 0.02;

/* What is asked, and what was observed: candidates, and the target as the last run. */
struct plan {
    const char *target, *ranks, *sizes, *caches;
    long most;
    bool json;
    char **word;
    int nwords;
    struct cs_observations o;
};

/* ---- observing ---- */

static int observe(void *arg, const char *path, const char *name)
{
    struct plan *p = arg;
    char why[512];
    struct cs_trace *t = cs_open_trace(path);
    int code = t ? CS_EXIT_OK : CS_EXIT_ERROR;
    if (t && cs_observe(&p->o, t, name, why, sizeof why))
        code = cs_error("%s: %s", name, why);
    cs_trace_free(t);
    return code;
}

static int observe_traces(struct plan *p)
{
    int code = CS_EXIT_OK;
    for (int i = 0; i < p->nwords && !code; i++)
        code = observe(p, p->word[i], p->word[i]);
    return code ? code : observe(p, p->target, p->target);
}

/* The numbers of the target: RANKS or RANKS:SIZE. */
static int parse_target(const struct plan *p, struct cs_numbers *ranks, struct cs_numbers *size)
{
    char text[64];
    const char *colon = strchr(p->target, ':');
    int n = (int)(colon ? colon - p->target : (long)strlen(p->target));
    snprintf(text, sizeof text, "%.*s", n, p->target);
    if (cs_numbers_parse("--target", text, ranks) || (colon && cs_numbers_parse("--target", colon + 1, size)))
        return CS_EXIT_ERROR;
    if (ranks->n != 1 || size->n > 1)
        return cs_error("--target %s: there is one target", p->target);
    return !colon == !p->sizes ? CS_EXIT_OK
                               : cs_error("--target %s: with --sizes it is RANKS:SIZE, without RANKS", p->target);
}

static int observe_size(struct plan *p, long ranks, const struct cs_numbers *sizes, int i, const char *dir)
{
    char size[32];
    snprintf(size, sizeof size, "%ld", sizes->n ? sizes->v[i] : 0);
    return cs_run_slice(p->word, ranks, sizes->n ? size : NULL, dir, observe, p);
}

/* Candidates that fail are left out: programs do not run on every number of ranks. */
static int observe_all(struct plan *p, const struct cs_numbers *ranks, const struct cs_numbers *sizes, const char *dir)
{
    for (int i = 0; i < ranks->n; i++)
        for (int k = 0; k < (sizes->n ? sizes->n : 1); k++)
            if (observe_size(p, ranks->v[i], sizes, k, dir))
                cs_note("it is left out");
    return p->o.nruns ? CS_EXIT_OK : cs_error("no candidate runs");
}

static int observe_runs(struct plan *p)
{
    struct cs_numbers ranks = {0}, sizes = {0}, target = {0}, size = {0};
    char dir[PATH_MAX];
    int code = cs_numbers_parse("-n", p->ranks, &ranks) || (p->sizes && cs_numbers_parse("--sizes", p->sizes, &sizes))
                   ? CS_EXIT_ERROR
                   : parse_target(p, &target, &size);
    if (code || (code = cs_make_temporary_folder("runs", dir)))
        return code;
    code = observe_all(p, &ranks, &sizes, dir);
    if (!code)
        code = observe_size(p, target.v[0], &size, 0, dir);
    cs_remove_temporary_folder(dir);
    return code;
}

/* ---- answers ---- */

/* The share of the target's turns in pieces that none of the chosen runs goes through. */
static double other_ways(const struct plan *p, const struct cs_run_choice *c)
{
    double share = 0;
    int counter;
    for (int i = 0; i < p->o.nsegments; i++)
        share += c->share[i] > 0 && cs_choice_outside(&p->o, c, i, &counter) == 0 ? c->share[i] : 0;
    return share;
}

/* From this share on, other inputs are advised. */
static const double MUCH = 0.1;

static void print_outside(const struct plan *p, const struct cs_run_choice *c)
{
    for (int i = 0; i < p->o.nsegments; i++) {
        char name[560];
        int counter;
        double outside = c->share[i] >= SHOWN ? cs_choice_outside(&p->o, c, i, &counter) : 1;
        cs_segment_name(&p->o, i, name, sizeof name);
        if (outside == 0)
            cs_print_plain(stdout, "%s, %.0f %% of the target's turns: none of these runs goes through it", name,
                           100 * c->share[i]);
        else if (outside > 1.005 && counter >= 0)
            cs_print_plain(stdout,
                           "%s, %.0f %% of the target's turns: %.3g times outside of these runs, in the loop at %s:%d",
                           name, 100 * c->share[i], outside, p->o.counter[counter].file, p->o.counter[counter].line);
    }
    if (other_ways(p, c) >= MUCH)
        printf("%.0f %% of the target's turns are in pieces that none of these runs goes through: where an input takes "
               "small runs the target's way, as one that sets how the data are cut or which algorithm is taken, add "
               "such runs\n",
               100 * other_ways(p, c));
}

/* Where a cache holds what these runs go through, and not what the target does. */
static void print_beyond(const struct plan *p, const struct cs_run_choice *c)
{
    for (int i = 0; i < p->o.nsegments; i++) {
        char name[560];
        double bytes, measured;
        if (c->share[i] < SHOWN || !cs_choice_beyond(&p->o, c, i, &bytes, &measured))
            continue;
        cs_segment_name(&p->o, i, name, sizeof name);
        cs_print_plain(stdout,
                       "%s, %.0f %% of the target's turns: goes through %.3g MB again and again, none of these runs "
                       "through more than %.3g MB, which a cache holds: add a larger size, on fewer ranks",
                       name, 100 * c->share[i], bytes * 1e-6, measured * 1e-6);
    }
}

static double cost(const struct plan *p, const struct cs_run_choice *c, int i)
{
    double target = c->turns[p->o.nruns - 1];
    return target > 0 ? c->turns[c->run[i]] / target : 0;
}

static void print_plan(const struct plan *p, const struct cs_run_choice *c)
{
    puts("measure these, the first ones if there is time for some only:");
    puts("   ranks    turns of the target's  expected error  run");
    for (int i = 0; i < c->n; i++) {
        const struct cs_observed_run *r = &p->o.run[c->run[i]];
        printf("%8d  %20.3g %%  %12.1f %%  ", r->nranks, 100 * cost(p, c, i), 100 * c->error[i]);
        cs_print_plain(stdout, "%s", r->name);
    }
    print_outside(p, c);
    print_beyond(p, c);
}

static void print_json(const struct plan *p, const struct cs_run_choice *c)
{
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_json_open(&j, "runs", '[');
    for (int i = 0; i < c->n; i++) {
        cs_json_open(&j, NULL, '{');
        cs_json_string(&j, "run", p->o.run[c->run[i]].name);
        cs_json_int(&j, "ranks", p->o.run[c->run[i]].nranks);
        cs_json_real(&j, "turns", c->turns[c->run[i]]);
        cs_json_real(&j, "expected_error", c->error[i]);
        cs_json_close(&j, '}');
    }
    cs_json_close(&j, ']');
    cs_json_real(&j, "target_turns", c->turns[p->o.nruns - 1]);
    cs_json_real(&j, "other_ways_share", other_ways(p, c));
    cs_json_close(&j, '}');
    cs_json_end(&j);
}

/* Does any candidate go a way that the target goes? */
static bool related(const struct plan *p)
{
    for (int i = 0; i < p->o.nsegments; i++) {
        const struct cs_observed_segment *s = &p->o.segment[i];
        if (s->nrows && s->row[s->nrows - 1].run == p->o.nruns - 1 && s->row[0].run != p->o.nruns - 1)
            return true;
    }
    return false;
}

static int make_plan(struct plan *p)
{
    struct cs_run_choice c;
    int code = p->ranks ? observe_runs(p) : observe_traces(p);
    if (!code && p->caches)
        code = cs_caches_parse(&p->o, p->caches);
    else if (!code)
        cs_caches_of_machine(&p->o);
    if (code)
        return code;
    if (!related(p))
        return cs_error("%s: no piece of it is in the other runs, which are of another program", p->target);
    if (cs_choose_runs(&p->o, (int)p->most, &c))
        return cs_error("not enough memory");
    p->json ? print_json(p, &c) : print_plan(p, &c);
    cs_run_choice_free(&c);
    return cs_finish_output(CS_EXIT_OK);
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {
        {"target", required_argument, NULL, 't'}, {"ranks", required_argument, NULL, 'n'},
        {"sizes", required_argument, NULL, 's'},  {"most", required_argument, NULL, 'm'},
        {"caches", required_argument, NULL, 'c'}, {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},         {0}};
    struct plan p = {.most = 6};
    int c, code;
    while ((c = cs_getopt(v, argc, argv, "+t:n:h", longs, &code)) >= 0) {
        p.json |= c == 'j';
        if (c == 't')
            p.target = optarg;
        if (c == 'n')
            p.ranks = optarg;
        if (c == 's')
            p.sizes = optarg;
        if (c == 'c')
            p.caches = optarg;
        if (c == 'm' && !cs_parse_number(optarg, 1, 1000, &p.most))
            return cs_usage_error(v, "--most %s is no number from 1 to 1000", optarg);
    }
    if (c == CS_OPT_DONE)
        return code;
    if (!p.target || optind == argc)
        return cs_usage_error(v, p.target ? "give traces of small runs, or a slice with -n" : "give the target");
    if (p.sizes && !p.ranks)
        return cs_usage_error(v, "--sizes goes with -n");
    p.word = argv + optind;
    p.nwords = argc - optind;
    code = make_plan(&p);
    cs_observations_free(&p.o);
    return code;
}

const struct cs_verb cs_verb_plan = {
    .name = "plan",
    .summary = "say which small runs tell most about a large one",
    .run = run,
    .usage =
        "usage: commslice plan --target TRACE [--most K] [--caches SIZE,...] [--json] TRACE...\n"
        "       commslice plan --target RANKS[:SIZE] -n RANKS,... [--sizes SIZE,...] [--most K] [--caches SIZE,...]\n"
        "                      [--json] SLICE [ARGUMENTS]\n"
        "\n"
        "All traces are a slice's, with counters: of the run that is to be predicted (--target), and of small runs\n"
        "that could be measured. With -n the slice is run for it, with each number of ranks and each size; in its\n"
        "arguments {n} is the one, {size} the other. Chooses those small runs after which the error that is to be\n"
        "expected of the target's computation is least. Record them with the counted original, and give the traces\n"
        "to commslice fit.\n"
        "\n"
        "  -t, --target WHICH  the run that is to be predicted\n"
        "  -n, --ranks LIST    numbers of ranks of small runs, such as 1,2,4,8\n"
        "      --sizes LIST    sizes of small runs\n"
        "      --most K        choose at most K runs (6)\n"
        "      --caches SIZE,...  what a core can count on of each cache of the machine that is measured, as\n"
        "                      in 32KiB,512KiB,8MiB, or none; if not given, that of this machine\n"
        "      --json          one JSON object\n"
        "\n"
        "Prints a line for each run, the one that tells most first, and what of the target lies outside of all.\n"
        "Where the target goes through more than a cache holds, again and again, a run that does so tells most.\n",
};
