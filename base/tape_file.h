/* SPDX-License-Identifier: BSD-3-Clause
 * What a tape begins with: engine emulate writes and plays it, the command asks whose it is. */
#ifndef CS_TAPE_FILE_H
#define CS_TAPE_FILE_H

#include <stdint.h>

/* What the engine begins with in a trace of one rank, which ran alone with what a tape has of the others; then comes
 * the tape's path. */
#define CS_ENGINE_REPLAY "replay of "

#define CS_TAPE_MAGIC "CSTAPE1"

/* The header: of which run, and which of its ranks. */
struct cs_tape_header {
    char magic[8];
    int32_t nranks, rank;
};

#endif
