/* SPDX-License-Identifier: BSD-3-Clause
 * Runs a slice at several sizes; see predict_sizes.h. */
#include "cli/verbs/predict_sizes.h"

#include "cli/frame/cli.h"
#include "cli/launch/tools.h"

/* What is needed to predict a run. */
struct predicting {
    const struct cs_prediction_way *w;
    struct cs_curve *c;
};

static int predict(void *arg, const char *trace, const char *name)
{
    struct predicting *p = arg;
    if (cs_prediction_make(&p->c->point[p->c->n], trace, name, p->w))
        return CS_EXIT_ERROR;
    p->c->n++;
    return CS_EXIT_OK;
}

int cs_predict_sizes(char **word, const struct cs_numbers *ranks, const struct cs_prediction_way *w, struct cs_curve *c)
{
    char dir[PATH_MAX];
    struct predicting p = {w, c};
    int code = cs_make_temporary_folder("runs", dir);
    if (code)
        return code;
    for (int i = 0; i < ranks->n && !code; i++) {
        code = cs_run_slice(word, ranks->v[i], NULL, dir, predict, &p);
        if (!code && ranks->n > 1)
            cs_prediction_shed(&c->point[c->n - 1]);
    }
    cs_remove_temporary_folder(dir);
    return code;
}
