/* SPDX-License-Identifier: BSD-3-Clause
 * Speeds of machines by their models: what the program's slice counts at several numbers of ranks, priced by each
 * machine's model, says how long a share takes there. */
#ifndef CS_MODEL_SHARES_H
#define CS_MODEL_SHARES_H

#include "cli/balance/host_shares.h"
#include "predict/network/network.h"

/* Gives machines with models their curves, and the plan what communication takes. Each trace is of the slice, with
 * counters, of the problem that is planned, its items in equal blocks on all ranks; no two of the same number of ranks.
 * 0, or CS_EXIT_ERROR after a message. */
int cs_hosts_by_models(struct cs_host_plan *p, char *const *trace, int ntraces, const struct cs_network *network);

#endif
