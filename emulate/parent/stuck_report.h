/* SPDX-License-Identifier: BSD-3-Clause
 * The parent's reports on a run that cannot go on, and on a rank that ends badly. Ranks in the same state share a line:
 * "ranks 0-3, 7 wait in MPI_Recv at ..., from rank 9, tag 5". */
#ifndef CS_STUCK_REPORT_H
#define CS_STUCK_REPORT_H

#include <stdint.h>

/* Reports what all ranks do, in about 20 lines at most, after the line "error: WHY". */
void cs_emu_report_waits(const char *why);
/* Reports the bad end of a rank; `status` is that of waitpid(), memory_limit the rank's bytes of data, 0 without a
 * limit. Returns the run's exit code, which is never 0. */
int cs_emu_report_end(int rank, int status, uint64_t memory_limit);

#endif
