/* SPDX-License-Identifier: BSD-3-Clause
 * Counts MPI calls that return error codes; failed_calls.h. Those on files do not count: their codes are results as any
 * other. */
#include "commlib/record/failed_calls.h"

#include <stdatomic.h>

#include "commlib/state/run_state.h"

static _Atomic int64_t seen;

static bool is_on_file(const struct cs_mpi_call *c)
{
    return c->kind == CS_MPI_IO || cs_mpi_has_role(c, CS_ROLE_FILE);
}

void cs_failed_call(const struct cs_call *c)
{
    if (!is_on_file(c->info))
        atomic_fetch_add(&seen, 1);
}

int64_t cs_failed_calls_count(void)
{
    int64_t own = seen, all = 0;
    PMPI_Reduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, 0, cs_run.control);
    return all;
}
