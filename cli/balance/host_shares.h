/* SPDX-License-Identifier: BSD-3-Clause
 * Machines with their speeds, and the share of a loop that each of their processes gets. */
#ifndef CS_HOST_SHARES_H
#define CS_HOST_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "balance/techniques/shares.h"

/* A machine: a line of the list. Either it has a speed, or points of a curve. */
struct cs_host {
    char *name;
    long processes;
    double speed;           /* items a second of one process, if nothing else is said relative to others */
    double *size, *seconds; /* points, ascending */
    int npoints, cap_size, cap_seconds;
    int first; /* its first process */
};

/* All machines, and what is planned: the items of each process. */
struct cs_host_plan {
    struct cs_host *host;
    int nhosts, cap;
    int processes;
    int64_t items, *share;
    double cost; /* seconds of an item on a process of speed 1; 0: not known. Curves have seconds of their own */
    bool curves; /* all machines have them, else none */
};

/* Reads the list; `times`: the numbers are seconds of a piece of work. 0, or CS_EXIT_ERROR after a message. */
int cs_hosts_read(struct cs_host_plan *p, const char *path, bool times);
/* Plans the shares of p->items. The same result. */
int cs_hosts_share(struct cs_host_plan *p);
/* Seconds, or without a cost units of an item on speed 1, until all are done: with the shares, and with equal ones. */
double cs_hosts_planned(const struct cs_host_plan *p);
double cs_hosts_equal(const struct cs_host_plan *p);
/* Of a machine against the slowest, for one process at its share. */
double cs_host_relative(const struct cs_host_plan *p, int host);
void cs_hosts_free(struct cs_host_plan *p);

#endif
