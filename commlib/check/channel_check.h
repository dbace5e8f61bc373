/* SPDX-License-Identifier: BSD-3-Clause
 * The check that a slice's marked calls meet only marked calls, and its unmarked calls only unmarked ones. During the
 * run each rank counts its calls. MPI_Finalize compares the counts of all ranks; the hang detector asks for some. */
#ifndef CS_CHANNEL_CHECK_H
#define CS_CHANNEL_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

struct cs_comm;

/* Is there anything to check? While this is false nothing is counted or compared. */
extern bool cs_channels_on;
/* Sets cs_channels_on. Needs cs_run and the program's list of call sites (own_slice.h). */
void cs_channels_start(void);

/* Counts a message of this rank to or from `peer`, which is a rank of `comm`, MPI_ANY_SOURCE or MPI_PROC_NULL. `mark`
 * is CS_MARK_*, `site` as in struct cs_call; `n` is 1, or -1 if a receive is cancelled. Takes the lock. */
void cs_channel_message(MPI_Comm comm, bool receives, int peer, int tag, int mark, int site, int n);

/* Says of a message to `peer` that was just counted that it is marked for its envelope and has no data. Takes the lock.
 */
void cs_channel_empty(MPI_Comm comm, int peer, int tag);

/* Counts a collective call; `call` is its index in the table of MPI calls. Takes the lock. */
void cs_channel_collective(MPI_Comm comm, int call, int mark, int site);

/* How many of them there were on the communicator with this key (struct cs_comm). */
int64_t cs_channel_collectives(uint64_t comm_key);

/* Compares the counts of all ranks. Collective over MPI_COMM_WORLD; called in MPI_Finalize. Returns 0, or -1 when rank
 * 0 has reported marked calls that met unmarked ones. */
int cs_channels_check(void);

/* If ranks are forked: leaves this rank's counts in shared memory, once; further calls do nothing. `at_end` is false
 * for a rank that is ended in the middle of the run. */
void cs_channel_deposit(bool at_end);

/* For forked ranks, which need not be alive together. The parent calls cs_channels_share before it forks, and each
 * rank's cs_channels_check then only leaves its counts. When all ranks have ended, the parent calls
 * cs_channels_check_shared: 0, or -1 after an error message. `hangs`: ranks were ended because the run hung. */
void cs_channels_share(void);
int cs_channels_check_shared(bool hangs);
/* Is cs_channels_check collective in this run? */
bool cs_channels_meet(void);

/* For the hang detector. Has this rank made, without a mark, the call that another rank waits for? If so the call site
 * is written to buf. cs_channel_unmarked_partner: `waiter`, a rank of MPI_COMM_WORLD, waits in a receive or send with
 * `tag` (or MPI_ANY_TAG). cs_channel_unmarked_collective: it waits in collective call `number` of the communicator. */
bool cs_channel_unmarked_partner(uint64_t comm_key, int waiter, bool waiter_receives, int tag, char *buf, int len);
bool cs_channel_unmarked_collective(uint64_t comm_key, int64_t number, char *buf, int len);

#endif
