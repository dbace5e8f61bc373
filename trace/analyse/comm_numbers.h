/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators of a run by numbers that are the same for all their members, for whoever lets messages meet.
 * A communicator is known by how it was made and by its members: ranks that split one are in different ones. */
#ifndef CS_COMM_NUMBERS_H
#define CS_COMM_NUMBERS_H

#include "trace/trace.h"

/* The numbers that were given so far; NULL: none. */
struct cs_comm_numbers;

/* A communicator of a rank. */
struct cs_member {
    int number;          /* in the run, from 0; -1: not asked for yet */
    int me;              /* the rank's place in it; -1: it is no member */
    int64_t collectives; /* for the caller: how many of its collectives the rank has come to */
};

/* The communicators of a rank, by its own numbers of them; all zero at the beginning. */
struct cs_members {
    struct cs_member *comm;
    int n, cap;
};

/* The rank's communicator with its own number `comm`, which lives until the next one is asked for. NULL: there is none,
 * or memory is out. */
struct cs_member *cs_member_of(struct cs_comm_numbers **numbers, struct cs_members *m, const struct cs_trace *t,
                               int rank, int64_t comm);
void cs_comm_numbers_free(struct cs_comm_numbers *numbers);
void cs_members_free(struct cs_members *m);

#endif
