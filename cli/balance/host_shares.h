/* SPDX-License-Identifier: BSD-3-Clause
 * Machines with their speeds, and the share of a loop that each of their processes gets. */
#ifndef CS_HOST_SHARES_H
#define CS_HOST_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "balance/techniques/shares.h"
#include "cli/balance/machine_text.h"

/* A machine: a line of the list. It has a speed, points of a curve, or a model, which gives the points. */
struct cs_host {
    char *name, *model, *description; /* files; description: NULL if there is none */
    long processes;
    double speed;           /* items a second of one process, if nothing else is said relative to others */
    double *size, *seconds; /* points, ascending */
    double *lead;           /* the same of rank 0, which may do more than others; NULL: nothing is known of it */
    int npoints, cap_size, cap_seconds;
    int first; /* its first process */
    struct cs_machine is;
};

/* What communication takes on so many ranks. */
struct cs_ranks_cost {
    int ranks;
    double seconds;
};

/* How the list is to be read. */
enum cs_host_numbers { CS_HOST_SPEEDS, CS_HOST_TIMES, CS_HOST_MODELS };

/* All machines, and what is planned: the items of each process. */
struct cs_host_plan {
    struct cs_host *host;
    int nhosts, cap;
    int processes;
    int64_t items, *share;
    double cost;        /* seconds of an item on a process of speed 1; 0: not known. Curves have seconds of their own */
    double item_memory; /* bytes that a process needs for each of its items; 0: not known */
    bool curves;        /* all machines have them, else none */
    bool fixed;         /* speeds are those at equal blocks, not a function of the size */
    struct cs_ranks_cost *communication; /* ascending in ranks; none: it is not known */
    int ncommunication;
};

/* Reads the list. 0, or CS_EXIT_ERROR after a message. */
int cs_hosts_read(struct cs_host_plan *p, const char *path, enum cs_host_numbers numbers);
/* Plans the shares of p->items. The same result. */
int cs_hosts_share(struct cs_host_plan *p);
/* Has each machine the memory for its shares? The same result. */
int cs_hosts_fit(const struct cs_host_plan *p);
/* Seconds, or without a cost units of an item on speed 1, until all are done: with the shares, and with equal ones;
 * communication of so many processes is in it where it is known. */
double cs_hosts_planned(const struct cs_host_plan *p);
double cs_hosts_equal(const struct cs_host_plan *p);
/* Seconds of communication on so many ranks, on straight lines over the logarithm; 0: not known. */
double cs_hosts_communication(const struct cs_host_plan *p, double ranks);
/* Seconds of a process of the machine for so many items; and of process k of it, which may be rank 0. */
double cs_host_seconds(const struct cs_host_plan *p, const struct cs_host *h, double items);
double cs_process_seconds(const struct cs_host_plan *p, const struct cs_host *h, long k, double items);
/* Of a machine against the slowest, for one process at its share. */
double cs_host_relative(const struct cs_host_plan *p, int host);
void cs_hosts_free(struct cs_host_plan *p);

/* How many processes are enough. */
struct cs_enough {
    long processes;      /* with which the run takes least */
    double seconds;      /* then */
    long most;           /* that were looked at: those of the list, and as many as communication is known of */
    double next_seconds; /* with one process more; 0: the last one was best */
};

/* Adds processes, the fastest first, and machines like those of the list when it is at its end. 0, or -1 when memory is
 * out. */
int cs_hosts_enough(const struct cs_host_plan *p, struct cs_enough *e);

#endif
