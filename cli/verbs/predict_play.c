/* SPDX-License-Identifier: BSD-3-Clause
 * commslice predict --network and --model: one trace gives a prediction with its segments, several, or a slice that is
 * run at several sizes, a curve. */
#include "cli/verbs/predict_play.h"

#include <stdlib.h>
#include <string.h>

#include "cli/export/export.h"
#include "cli/frame/cli.h"
#include "cli/frame/output.h"
#include "cli/predict/prediction_curve.h"
#include "predict/network/network_measured.h"
#include "cli/predict/prediction_text.h"
#include "cli/verbs/predict_sizes.h"

/* Of one prediction, or of several. */
static int say(const struct cs_predict_play *p, struct cs_curve *c)
{
    if (p->slurm)
        return cs_prediction_slurm(&c->point[0]);
    if (p->csv)
        p->segments ? cs_curve_parts_csv(c) : cs_curve_csv(c);
    else if (c->n == 1)
        p->json ? cs_prediction_json(&c->point[0]) : cs_prediction_print(&c->point[0]);
    else
        p->json ? cs_curve_json(c) : cs_curve_print(c);
    return CS_EXIT_OK;
}

/* The numbers that were given. */
struct given {
    struct cs_network network;
    struct cs_numbers ranks, sizes;
};

static int predict_traces(const struct cs_predict_play *p, struct cs_prediction_way w, const struct cs_numbers *sizes,
                          struct cs_curve *c)
{
    for (int i = 0; i < p->nwords; i++) {
        if (sizes->n)
            w.size = (double)sizes->v[i];
        if (cs_prediction_make(&c->point[i], p->word[i], p->word[i], &w))
            return CS_EXIT_ERROR;
        c->n++;
        if (p->nwords > 1)
            cs_prediction_shed(&c->point[i]);
    }
    return CS_EXIT_OK;
}

static int predict_all(const struct cs_predict_play *p, const struct given *g, struct cs_curve *c)
{
    struct cs_prediction_way w = {.model = p->model,
                                  .network = &g->network,
                                  .goal = p->goal,
                                  .size = p->size,
                                  .own_method = !p->method,
                                  .of_rank = (int)p->of_rank};
    struct cs_simgrid simgrid = {.platform = p->platform, .hosts = p->hosts};
    if (p->platform && cs_simgrid_read(&simgrid))
        return CS_EXIT_ERROR;
    w.simgrid = p->platform ? &simgrid : NULL;
    w.all = p->method && !strcmp(p->method, "all");
    if (p->method && !w.all)
        w.method = cs_method_find(p->method);
    int code = p->ranks ? cs_predict_sizes(p->word, &g->ranks, &g->sizes, &w, c) : predict_traces(p, w, &g->sizes, c);
    cs_curve_sort(c);
    if (!code && p->plot)
        code = cs_curve_plot(c, p->plot);
    return code ? code : say(p, c);
}

/* How many runs are predicted. */
static int runs_of(const struct cs_predict_play *p, const struct given *g)
{
    return p->ranks ? g->ranks.n * (g->sizes.n ? g->sizes.n : 1) : p->nwords;
}

static int read_numbers(const struct cs_predict_play *p, struct given *g)
{
    char why[512];
    g->network = cs_network_usual;
    if (p->network && cs_network_read(p->network, &g->network, why, sizeof why))
        return cs_error("--network: %s", why);
    if ((p->ranks && cs_numbers_parse("-n", p->ranks, &g->ranks)) ||
        (p->sizes && cs_numbers_parse("--sizes", p->sizes, &g->sizes)))
        return CS_EXIT_ERROR;
    if (p->sizes && !p->ranks && g->sizes.n != p->nwords)
        return cs_error("--sizes %s: %d sizes for %d traces", p->sizes, g->sizes.n, p->nwords);
    return CS_EXIT_OK;
}

/* What is wrong before anything is done. 0, or an exit code after a message. */
static int check(const struct cs_predict_play *p, struct given *g)
{
    if (read_numbers(p, g))
        return CS_EXIT_ERROR;
    for (int i = 0; p->plot && i < (p->ranks ? 1 : p->nwords); i++)
        if (cs_curve_plot_check(p->plot, p->word[i], p->force))
            return CS_EXIT_ERROR;
    if (p->plot && g->sizes.n > 1)
        return cs_error("--plot draws the curve over the ranks: give one size");
    if (p->goal && runs_of(p, g) > 1)
        return cs_error("--goal is the schedule of one run: give one trace, or one number of ranks");
    if (p->goal && cs_output_check(p->goal, p->word[0], &cs_goal_kind, p->force))
        return CS_EXIT_ERROR;
    if (p->slurm && runs_of(p, g) > 1)
        return cs_error("--slurm is the answer of one run: give one trace, or one number of ranks");
    return CS_EXIT_OK;
}

int cs_predict_play(const struct cs_predict_play *p)
{
    struct given g = {0};
    struct cs_curve c = {.weak = p->weak};
    int code = check(p, &g);
    if (code)
        return code;
    c.point = calloc((size_t)runs_of(p, &g), sizeof *c.point);
    code = c.point ? predict_all(p, &g, &c) : cs_error("not enough memory");
    for (int i = 0; i < c.n; i++)
        cs_prediction_free(&c.point[i]);
    free(c.point);
    return code ? code : cs_finish_output(code);
}
