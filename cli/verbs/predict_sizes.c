/* SPDX-License-Identifier: BSD-3-Clause
 * Runs a slice at several sizes; see predict_sizes.h. */
#include "cli/verbs/predict_sizes.h"

#include <stdio.h>

#include "cli/frame/cli.h"
#include "cli/launch/tools.h"

/* What is needed to predict a run. */
struct predicting {
    struct cs_prediction_way w;
    struct cs_curve *c;
    bool one; /* run: its segments are kept */
};

static int predict(void *arg, const char *trace, const char *name)
{
    struct predicting *p = arg;
    if (cs_prediction_make(&p->c->point[p->c->n], trace, name, &p->w))
        return CS_EXIT_ERROR;
    if (!p->one)
        cs_prediction_shed(&p->c->point[p->c->n]);
    p->c->n++;
    return CS_EXIT_OK;
}

/* Of one size, or of none. */
static int predict_size(struct predicting *p, char **word, const struct cs_numbers *ranks, const char *size,
                        const char *dir)
{
    int code = CS_EXIT_OK;
    for (int i = 0; i < ranks->n && !code; i++)
        code = cs_run_slice(word, ranks->v[i], size, dir, predict, p);
    return code;
}

int cs_predict_sizes(char **word, const struct cs_numbers *ranks, const struct cs_numbers *sizes,
                     const struct cs_prediction_way *w, struct cs_curve *c)
{
    char dir[PATH_MAX], size[32];
    struct predicting p = {*w, c, ranks->n == 1 && sizes->n <= 1};
    int code = cs_make_temporary_folder("runs", dir);
    if (code)
        return code;
    if (sizes->n == 0)
        code = predict_size(&p, word, ranks, NULL, dir);
    for (int i = 0; i < sizes->n && !code; i++) {
        snprintf(size, sizeof size, "%ld", sizes->v[i]);
        p.w.size = (double)sizes->v[i];
        code = predict_size(&p, word, ranks, size, dir);
    }
    cs_remove_temporary_folder(dir);
    return code;
}
