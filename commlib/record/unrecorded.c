/* SPDX-License-Identifier: BSD-3-Clause
 * Counts by call; see unrecorded.h. What a call does follows from the roles of its arguments. */
#include "commlib/record/unrecorded.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "commlib/record/trace_file.h"
#include "commlib/state/lock.h"
#include "commlib/state/run_state.h"

/* Calls of one MPI function so far, and the bytes of their first buffers. */
struct count {
    int64_t calls, bytes;
};

/* By index of the call in the table; NULL until the first of them, as few programs make any. */
static struct count *counts;

/* The first buffer of the call; -1: none. */
static int buffer_of(const struct cs_call *c)
{
    return cs_call_has(c, CS_ROLE_SBUF) ? c->shape->at[CS_ROLE_SBUF] : c->shape->at[CS_ROLE_RBUF];
}

/* With a buffer, or by making a communicator with another program. */
static bool moves_data(const struct cs_call *c)
{
    return buffer_of(c) >= 0 || cs_call_has(c, CS_ROLE_NEWCOMM);
}

static int64_t bytes_of(const struct cs_call *c)
{
    int at = buffer_of(c);
    const struct cs_mpi_arg *b = at >= 0 ? &c->info->args[at] : NULL;
    MPI_Count size;
    if (!b || b->type_arg < 0 || PMPI_Type_size_x((MPI_Datatype)c->a[b->type_arg].i, &size) != MPI_SUCCESS)
        return 0;
    int64_t n = b->count_arg >= 0 ? c->a[b->count_arg].i : 1;
    return n > 0 && size > 0 ? n * size : 0;
}

void cs_unrecorded_count(const struct cs_call *c)
{
    assert(c->info->kind == CS_MPI_UNSUPPORTED);
    if (!cs_run.trace || !moves_data(c))
        return;
    int64_t bytes = bytes_of(c);
    cs_lock();
    bool first = !counts;
    if (first)
        counts = calloc((size_t)cs_mpi_ncalls(), sizeof *counts);
    if (counts) {
        counts[c->index].calls++;
        counts[c->index].bytes += bytes;
    }
    if (first)
        cs_trace_file_warn_unrecorded(c->info->name);
    cs_unlock();
}

static char *text_of(const struct count *sum)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    for (int i = 0; f && i < cs_mpi_ncalls(); i++)
        if (sum[i].calls)
            fprintf(f, "%s: %lld call%s, %lld bytes\n", cs_mpi_call(i)->name, (long long)sum[i].calls,
                    sum[i].calls == 1 ? "" : "s", (long long)sum[i].bytes);
    if (f && fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

char *cs_unrecorded_sum(void)
{
    int own = counts != NULL, any = 0, n = 2 * cs_mpi_ncalls();
    static_assert(sizeof(struct count) == 2 * sizeof(int64_t), "counts are summed as pairs of integers");
    PMPI_Allreduce(&own, &any, 1, MPI_INT, MPI_MAX, cs_run.control);
    if (!any)
        return NULL;
    struct count *sum = calloc((size_t)n, sizeof(int64_t)),
                 *mine = counts ? counts : calloc((size_t)n, sizeof(int64_t));
    char *text = NULL;
    int rc = sum && mine ? PMPI_Reduce(mine, sum, n, MPI_INT64_T, MPI_SUM, 0, cs_run.control) : MPI_ERR_NO_MEM;
    if (rc == MPI_SUCCESS && cs_run.rank == 0)
        text = text_of(sum);
    free(sum);
    if (mine != counts)
        free(mine);
    return text;
}
