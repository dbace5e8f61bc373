/* SPDX-License-Identifier: BSD-3-Clause
 * Where the arguments of each call of the table are, by role. */
#include "commlib/state/call.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/cold.h"

/* Rows that the table of MPI calls may have. */
enum { MOST_CALLS = 1024 };

__thread int cs_call_depth;
struct cs_shape cs_shapes[MOST_CALLS] CS_COLD;

void cs_shapes_make(void)
{
    if (cs_mpi_ncalls() > MOST_CALLS)
        abort(); /* the table has outgrown this array: a build that was never tested */
    for (int i = 0; i < cs_mpi_ncalls(); i++) {
        const struct cs_mpi_call *c = cs_mpi_call(i);
        assert(c->nargs <= CS_MPI_MAX_ARGS && CS_MPI_MAX_ARGS <= INT8_MAX);
        memset(cs_shapes[i].at, -1, sizeof cs_shapes[i].at);
        cs_shapes[i].last_tag = -1;
        for (int k = c->nargs - 1; k >= 0; k--) {
            cs_shapes[i].at[c->args[k].role] = (int8_t)k;
            if (c->args[k].role == CS_ROLE_TAG && cs_shapes[i].last_tag < 0)
                cs_shapes[i].last_tag = (int8_t)k;
        }
    }
}

int64_t cs_call_element(const struct cs_call *c, int arg, int i)
{
    const void *p = c->a[arg].p;
    assert(p && i >= 0);
    return cs_ctype_target_size(c->info->args[arg].ctype) == 8 ? ((const int64_t *)p)[i] : ((const int *)p)[i];
}
