/* SPDX-License-Identifier: BSD-3-Clause
 * The assumption no-read-back: did a rank read from a file what any rank had written to it in this run? */
#ifndef CS_READ_BACK_H
#define CS_READ_BACK_H

#include <stdint.h>

#include <mpi.h>

/* files: read, each counted once for each rank that read it; of these, so many had been written before. names: of
 * some of them, malloced, NULL if there are none. */
struct cs_read_back {
    int64_t files, violated;
    char *names;
};

/* Collective. The result at rank 0, all zero elsewhere. */
struct cs_read_back cs_read_back_find(MPI_Comm comm);

#endif
