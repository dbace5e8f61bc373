/* SPDX-License-Identifier: BSD-3-Clause
 * Writing and reading statuses. */
#include "emulate/messages/status.h"

#include <assert.h>

void cs_emu_status_set(MPI_Status *s, int source, int tag, int64_t bytes, bool cancelled)
{
    if (s == MPI_STATUS_IGNORE || !s)
        return;
    s->MPI_SOURCE = source;
    s->MPI_TAG = tag;
    s->count_hi_and_cancelled = cancelled;
    cs_emu_status_set_bytes(s, bytes);
}

void cs_emu_status_empty(MPI_Status *s)
{
    cs_emu_status_set(s, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
}

int64_t cs_emu_status_bytes(const MPI_Status *s)
{
    return ((int64_t)((unsigned)s->count_hi_and_cancelled >> 1) << 32) | (unsigned)s->count_lo;
}

void cs_emu_status_set_bytes(MPI_Status *s, int64_t bytes)
{
    assert(bytes >= 0);
    s->count_lo = (int)(bytes & 0xffffffff);
    s->count_hi_and_cancelled = (s->count_hi_and_cancelled & 1) | (int)((uint64_t)bytes >> 32 << 1);
}
