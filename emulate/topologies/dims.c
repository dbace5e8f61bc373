/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Dims_create, with MPICH 4.0.2's results: of all products of so many factors, the one with the least difference
 * between largest and smallest factor. 12 in two dimensions is 4 x 3. (J. L. Traeff, F. D. Luebbe, "Specification
 * Guideline Violations by MPI_Dims_create", 2015.) */
#include <assert.h>
#include <limits.h>
#include <string.h>

#include "emulate/errors/error.h"
#include "emulate/world/entry.h"

#define MOST 20 /* as in MPICH */

/* The search for the best n factors; only the first n entries of the arrays are in use. */
struct search {
    int n;                       /* how many factors */
    int tried[MOST], best[MOST]; /* ascending */
    int spread;                  /* largest minus smallest factor of `best` */
};

/* Tries all ascending factors tried[k], tried[k + 1] ... whose product is `left`. Of results with equal spread the last
 * one found stays. */
static void search(struct search *s, int k, int left)
{
    int least = k > 0 ? s->tried[k - 1] : 1;
    assert(k < s->n && s->n <= MOST && left > 0);

    if (k == s->n - 1) {
        s->tried[k] = left;
        if (left >= least && left - s->tried[0] <= s->spread) {
            s->spread = left - s->tried[0];
            memcpy(s->best, s->tried, sizeof s->best);
        }
        return;
    }
    for (int f = least; (long)f * f <= left && (k == 0 || f - s->tried[0] <= s->spread); f++) {
        if (left % f != 0)
            continue;
        s->tried[k] = f;
        search(s, k + 1, left / f);
    }
}

/* Checks the arguments; returns an error class. *given is the product of the dimensions that are not 0, *open the
 * number of the others. */
static int check(int nnodes, int ndims, const int *dims, int *given, int *open)
{
    *given = 1;
    *open = 0;
    for (int i = 0; i < ndims; i++) {
        if (dims[i] < 0)
            return MPI_ERR_DIMS;
        if (dims[i] == 0)
            ++*open;
        else
            *given *= dims[i];
    }
    return *given != 0 && nnodes % *given == 0 && *open <= MOST ? MPI_SUCCESS : MPI_ERR_DIMS;
}

CS_EMU_CALL(int, Dims_create, (int nnodes, int ndims, int dims[]))
{
    struct search s = {.spread = INT_MAX};
    int given, class;

    if (nnodes <= 0 || ndims < 0 || (ndims > 0 && !dims))
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Dims_create");
    class = check(nnodes, ndims, dims, &given, &s.n);
    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, "MPI_Dims_create");
    if (s.n == 0)
        return MPI_SUCCESS;
    search(&s, 0, nnodes / given);
    for (int i = 0, k = s.n; i < ndims; i++)
        if (dims[i] == 0)
            dims[i] = s.best[--k];
    return MPI_SUCCESS;
}
