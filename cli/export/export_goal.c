/* SPDX-License-Identifier: BSD-3-Clause
 * Exports a trace as a GOAL schedule (Hoefler, Siebert, Lumsdaine 2009), for LogGOPSim and ATLAHS: what each rank
 * sends, receives and computes, with what has to come first. Collectives are taken apart into the messages of their
 * algorithms. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/export/export_internal.h"
#include "cli/frame/cli.h"
#include "predict/network/network.h"

const struct cs_file_kind cs_goal_kind = {"a schedule of commslice", CS_GOAL_BEGINS, sizeof CS_GOAL_BEGINS - 1};

/* ns between a call and the one before, as recorded; last_exit is by rank, -1 before its first call. */
static double recorded(void *arg, int rank, int from, const struct cs_event *e)
{
    int64_t *last_exit = arg;
    (void)from;
    double ns = last_exit[rank] < 0 ? 0 : (double)(e->t_enter - e->t_delay - last_exit[rank]);
    last_exit[rank] = e->t_exit;
    return ns > 0 ? ns : 0;
}

int cs_export_goal(struct cs_export *x)
{
    int n = cs_trace_info(x->view.t)->nranks;
    int64_t *last_exit = malloc((size_t)n * sizeof *last_exit);
    struct cs_network_user user = {.computation = recorded, .arg = last_exit};
    struct cs_network_times times;
    char why[512];
    if (!last_exit)
        return cs_error("not enough memory");
    for (int r = 0; r < n; r++)
        last_exit[r] = -1;
    int rc = cs_network_goal(x->view.t, &cs_network_usual, &user, &times, x->out, why, sizeof why);
    free(last_exit);
    if (rc)
        return cs_error("%s: %s", x->path, why);
    x->inexact = times.polls + times.not_modelled;
    return 0;
}
