/* SPDX-License-Identifier: BSD-3-Clause
 * Datatypes that are parts of arrays: MPI_Type_create_subarray and MPI_Type_create_darray. Dimension after dimension,
 * fastest first, the part of it that is taken becomes a type whose extent is the whole dimension. */
#include <stdlib.h>
#include <string.h>

#include "emulate/errors/error.h"
#include "emulate/types/type_internal.h"
#include "emulate/world/entry.h"

/* The runs of one dimension's indices that are taken: [first, first + length), then every `step` until `end`. */
struct taken {
    int64_t first, length, step, end;
};

/* The type for one more dimension of `whole` indices over t, which is released. NULL when memory is out. */
static struct cs_emu_type *add_dimension(struct cs_emu_type *t, int64_t whole, const struct taken *k)
{
    int64_t n = k->end > k->first && k->length > 0 ? (k->end - k->first + k->step - 1) / k->step : 0;
    struct cs_emu_block *blocks = t ? malloc(((size_t)n + 1) * sizeof *blocks) : NULL;
    struct cs_emu_type *part = NULL, *all = NULL;

    for (int64_t i = 0; blocks && i < n; i++) {
        int64_t first = k->first + i * k->step, length = k->end - first < k->length ? k->end - first : k->length;

        blocks[i] = (struct cs_emu_block){first * t->extent, length, t};
    }
    if (blocks)
        part = cs_emu_type_blocks(n, blocks);
    if (part)
        all = cs_emu_type_resized(part, 0, whole * t->extent);
    free(blocks);
    cs_emu_type_drop(part);
    cs_emu_type_drop(t);
    return all;
}

/* A counted reference to start from; with lower bound 0, as only the distance of its elements matters. */
static struct cs_emu_type *start(struct cs_emu_type *of)
{
    return cs_emu_type_resized(of, of->lb, of->extent);
}

static int check_sizes(int ndims, const int sizes[], const int subsizes[], const int starts[])
{
    if (ndims <= 0 || !sizes || !subsizes || !starts)
        return MPI_ERR_ARG;
    for (int i = 0; i < ndims; i++)
        if (sizes[i] < 1 || subsizes[i] < 1 || subsizes[i] > sizes[i] || starts[i] < 0 ||
            starts[i] > sizes[i] - subsizes[i])
            return MPI_ERR_ARG;
    return MPI_SUCCESS;
}

static int bad(int class, const char *call)
{
    return class == MPI_SUCCESS ? class : cs_emu_error(NULL, class, call);
}

CS_EMU_CALL(int, Type_create_subarray,
            (int ndims, const int sizes[], const int subsizes[], const int starts[], int order, MPI_Datatype oldtype,
             MPI_Datatype *newtype))
{
    struct cs_emu_type *of = cs_emu_type_of(oldtype), *t;
    int class = check_sizes(ndims, sizes, subsizes, starts), *ints;
    const size_t n = ndims > 0 ? (size_t)ndims : 0;

    if (class == MPI_SUCCESS && (!newtype || (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)))
        class = MPI_ERR_ARG;
    if (class == MPI_SUCCESS && !of)
        class = MPI_ERR_TYPE;
    if (class != MPI_SUCCESS)
        return bad(class, "MPI_Type_create_subarray");
    ints = malloc((3 * n + 2) * sizeof *ints);
    if (!ints)
        return bad(MPI_ERR_NO_MEM, "MPI_Type_create_subarray");
    ints[0] = ndims;
    memcpy(ints + 1, sizes, n * sizeof *ints);
    memcpy(ints + 1 + n, subsizes, n * sizeof *ints);
    memcpy(ints + 1 + 2 * n, starts, n * sizeof *ints);
    ints[3 * n + 1] = order;
    t = start(of);
    for (int i = 0; i < ndims; i++) {
        int d = order == MPI_ORDER_FORTRAN ? i : ndims - 1 - i;
        struct taken k = {starts[d], subsizes[d], sizes[d], starts[d] + subsizes[d]};

        t = add_dimension(t, sizes[d], &k);
    }
    class = cs_emu_type_finish(t, MPI_COMBINER_SUBARRAY, 3 * ndims + 2, ints, 0, NULL, 1, &of, newtype);
    free(ints);
    return bad(class, "MPI_Type_create_subarray");
}

/* What process `p` of `nprocs` has of a dimension of `whole` indices. Returns an error class. */
static int distribute(int64_t whole, int how, int darg, int nprocs, int p, struct taken *k)
{
    int64_t block;

    if (how == MPI_DISTRIBUTE_NONE) {
        *k = (struct taken){0, whole, whole, whole};
        return MPI_SUCCESS;
    }
    block = darg;
    if (darg == MPI_DISTRIBUTE_DFLT_DARG)
        block = how == MPI_DISTRIBUTE_BLOCK ? (whole + nprocs - 1) / nprocs : 1;
    if (block <= 0 || (how != MPI_DISTRIBUTE_BLOCK && how != MPI_DISTRIBUTE_CYCLIC))
        return MPI_ERR_ARG;
    if (how == MPI_DISTRIBUTE_BLOCK && block * nprocs < whole)
        return MPI_ERR_ARG;
    *k = (struct taken){p * block, block, nprocs * block, whole};
    return MPI_SUCCESS;
}

/* The arguments of MPI_Type_create_darray; the arrays are the program's, with ndims entries each. */
struct darray {
    int size, rank, ndims;
    const int *gsizes, *distribs, *dargs, *psizes;
    int order;
};

static int check_darray(const struct darray *a)
{
    int64_t procs = 1;

    if (a->size < 1 || a->ndims <= 0 || !a->gsizes || !a->distribs || !a->dargs || !a->psizes)
        return MPI_ERR_ARG;
    if (a->rank < 0 || a->rank >= a->size)
        return MPI_ERR_RANK;
    if (a->order != MPI_ORDER_C && a->order != MPI_ORDER_FORTRAN)
        return MPI_ERR_ARG;
    for (int i = 0; i < a->ndims; i++) {
        if (a->gsizes[i] < 1 || a->psizes[i] < 1 || (a->distribs[i] == MPI_DISTRIBUTE_NONE && a->psizes[i] != 1))
            return MPI_ERR_ARG;
        procs *= a->psizes[i];
    }
    return procs == a->size ? MPI_SUCCESS : MPI_ERR_ARG;
}

/* Coordinate of the process in dimension d: the last one varies fastest, whatever the order of the array is. */
static int coordinate(const struct darray *a, int d)
{
    int below = 1;

    for (int i = d + 1; i < a->ndims; i++)
        below *= a->psizes[i];
    return a->rank / below % a->psizes[d];
}

static int make_darray(const struct darray *a, struct cs_emu_type *of, struct cs_emu_type **out)
{
    struct cs_emu_type *t = start(of);

    for (int i = 0; i < a->ndims; i++) {
        int d = a->order == MPI_ORDER_FORTRAN ? i : a->ndims - 1 - i;
        struct taken k;
        int class = distribute(a->gsizes[d], a->distribs[d], a->dargs[d], a->psizes[d], coordinate(a, d), &k);

        if (class != MPI_SUCCESS) {
            cs_emu_type_drop(t);
            return class;
        }
        t = add_dimension(t, a->gsizes[d], &k);
    }
    *out = t;
    return MPI_SUCCESS;
}

/* All arguments in the order of MPI_Type_get_contents. NULL when memory is out. */
static int *darray_ints(const struct darray *a)
{
    size_t n = (size_t)a->ndims;
    int *ints = malloc((4 * n + 4) * sizeof *ints);

    if (!ints)
        return NULL;
    ints[0] = a->size;
    ints[1] = a->rank;
    ints[2] = a->ndims;
    memcpy(ints + 3, a->gsizes, n * sizeof *ints);
    memcpy(ints + 3 + n, a->distribs, n * sizeof *ints);
    memcpy(ints + 3 + 2 * n, a->dargs, n * sizeof *ints);
    memcpy(ints + 3 + 3 * n, a->psizes, n * sizeof *ints);
    ints[4 * n + 3] = a->order;
    return ints;
}

CS_EMU_CALL(int, Type_create_darray,
            (int size, int rank, int ndims, const int gsizes[], const int distribs[], const int dargs[],
             const int psizes[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    struct darray a = {size, rank, ndims, gsizes, distribs, dargs, psizes, order};
    struct cs_emu_type *of = cs_emu_type_of(oldtype), *t = NULL;
    int class = check_darray(&a), *ints;

    if (class == MPI_SUCCESS && (!of || !newtype))
        class = of ? MPI_ERR_ARG : MPI_ERR_TYPE;
    if (class == MPI_SUCCESS)
        class = make_darray(&a, of, &t);
    if (class != MPI_SUCCESS)
        return bad(class, "MPI_Type_create_darray");
    ints = darray_ints(&a);
    if (!ints) {
        cs_emu_type_drop(t);
        t = NULL;
    }
    class = cs_emu_type_finish(t, MPI_COMBINER_DARRAY, 4 * ndims + 4, ints, 0, NULL, 1, &of, newtype);
    free(ints);
    return bad(class, "MPI_Type_create_darray");
}
