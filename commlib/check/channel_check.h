/* SPDX-License-Identifier: BSD-3-Clause
 * The check that marked calls only meet marked ones and unmarked only unmarked ones.
 * While the program runs it only counts; MPI_Finalize compares, and the watch asks when the run hangs. */
#ifndef CS_CHANNEL_CHECK_H
#define CS_CHANNEL_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

struct cs_comm;

/* Is there anything to check? False in programs without unmarked calls: then the rest does nothing. */
extern bool cs_channels_on;
/* Decides that, when cs_run and the program's list of call sites are known. */
void cs_channels_start(void);

/* A message of this rank: to or from `peer` (a rank of the communicator, or MPI_ANY_SOURCE) with `tag`. `n` is 1, or -1
 * when a receive was cancelled. Takes the lock. */
void cs_channel_message(MPI_Comm comm, bool receives, int peer, int tag, int mark, int site, int n);

/* A collective call. Takes the lock. */
void cs_channel_collective(MPI_Comm comm, int call, int mark, int site);

/* Compares all ranks: collective over MPI_COMM_WORLD, in MPI_Finalize. 0, or -1 after rank 0 has said what does not
 * fit. */
int cs_channels_check(void);

/* For a run that is cut off: leaves what this rank has counted, if ranks are forked. `at_end`: it has come to its end.
 */
void cs_channel_deposit(bool at_end);

/* For forked ranks, which need not be alive together. To be called before the forks; then cs_channels_check only leaves
 * what the rank has counted, and when all have ended, or hang and were ended, their parent asks
 * cs_channels_check_shared: 0, or -1 after it has said what does not fit. */
void cs_channels_share(void);
int cs_channels_check_shared(bool hangs);
/* Does cs_channels_check let all ranks meet? */
bool cs_channels_meet(void);

/* For the watch of a run that hangs: where did this rank make an unmarked call on which `waiter` (a rank of
 * MPI_COMM_WORLD) waits? The place is written to buf. tag may be MPI_ANY_TAG; collective waits have no peer. */
bool cs_channel_unmarked_partner(uint64_t comm_key, int waiter, bool waiter_receives, int tag, char *buf, int len);
bool cs_channel_unmarked_collective(uint64_t comm_key, int64_t number, char *buf, int len);

#endif
