/* SPDX-License-Identifier: BSD-3-Clause
 * Datatypes that are parts of arrays: MPI_Type_create_subarray and MPI_Type_create_darray. Dimension after dimension,
 * fastest first, the part of it that is taken becomes a type whose extent is the whole dimension. */
#include <stdlib.h>

#include "emulate/errors/error.h"
#include "emulate/types/numbers.h"
#include "emulate/types/type_internal.h"
#include "emulate/world/entry.h"

/* The runs of one dimension's indices that are taken: [first, first + length), then every `step` until `end`. */
struct taken {
    int64_t first, length, step, end;
};

/* The runs of whole length, which are one type however many there are, and a shorter one behind them. */
static struct cs_emu_type *taken_of(struct cs_emu_type *t, const struct taken *k)
{
    int64_t left = k->end > k->first && k->length > 0 ? k->end - k->first : 0, last = left % k->step;
    int64_t full = left / k->step + (left > 0 && last >= k->length), rest = last < k->length ? last : 0;
    struct cs_emu_type *runs = cs_emu_type_strided(full, k->length, full > 1 ? k->step * t->extent : 0, t), *part;

    if (!runs)
        return NULL;
    struct cs_emu_block blocks[2] = {{0}};
    if (full > 0)
        blocks[0] = (struct cs_emu_block){k->first * t->extent, 1, runs};
    if (rest > 0)
        blocks[1] = (struct cs_emu_block){(k->first + full * k->step) * t->extent, rest, t};
    part = cs_emu_type_blocks(2, blocks);
    cs_emu_type_drop(runs);
    return part;
}

/* The type for one more dimension of `whole` indices over t, which is released. NULL when memory is out. */
static struct cs_emu_type *add_dimension(struct cs_emu_type *t, int64_t whole, const struct taken *k)
{
    struct cs_emu_type *part = t ? taken_of(t, k) : NULL;
    struct cs_emu_type *all = part ? cs_emu_type_resized(part, 0, whole * t->extent) : NULL;

    cs_emu_type_drop(part);
    cs_emu_type_drop(t);
    return all;
}

/* A counted reference to start from; with lower bound 0, as only the distance of its elements matters. */
static struct cs_emu_type *start(struct cs_emu_type *of)
{
    return cs_emu_type_resized(of, of->lb, of->extent);
}

/* The arguments of MPI_Type_create_subarray. */
struct subarray {
    int ndims;
    struct cs_emu_numbers sizes, subsizes, starts;
    int order;
};

static int check_subarray(const struct subarray *a)
{
    if (a->ndims <= 0 || !a->sizes.at || !a->subsizes.at || !a->starts.at)
        return MPI_ERR_ARG;
    for (int i = 0; i < a->ndims; i++) {
        int64_t size = cs_emu_number(&a->sizes, i), part = cs_emu_number(&a->subsizes, i);
        int64_t first = cs_emu_number(&a->starts, i);
        if (size < 1 || part < 1 || part > size || first < 0 || first > size - part)
            return MPI_ERR_ARG;
    }
    return a->order == MPI_ORDER_C || a->order == MPI_ORDER_FORTRAN ? MPI_SUCCESS : MPI_ERR_ARG;
}

static int bad(int class, const char *call)
{
    return class == MPI_SUCCESS ? class : cs_emu_error(NULL, class, call);
}

/* Puts n numbers of an array behind those that are there; returns where the next ones go. */
static int64_t *add_numbers(int64_t *to, const struct cs_emu_numbers *from, int n)
{
    for (int i = 0; i < n; i++)
        *to++ = cs_emu_number(from, i);
    return to;
}

/* Gives the type its handle and its contents, in the order of MPI_Type_get_contents. */
static int finish_subarray(const struct subarray *a, struct cs_emu_type *t, struct cs_emu_type *of, MPI_Datatype *out)
{
    int n = 3 * a->ndims + 2, class = MPI_ERR_NO_MEM;
    int64_t *all = malloc((size_t)n * sizeof *all);

    if (all) {
        all[0] = a->ndims;
        *add_numbers(add_numbers(add_numbers(all + 1, &a->sizes, a->ndims), &a->subsizes, a->ndims), &a->starts,
                     a->ndims) = a->order;
        class = cs_emu_type_finish_numbers(t, MPI_COMBINER_SUBARRAY, n, all, 1, a->sizes.wide ? n - 2 : 0, 1, &of, out);
    } else {
        cs_emu_type_drop(t);
    }
    free(all);
    return class;
}

static int subarray(const struct subarray *a, MPI_Datatype oldtype, MPI_Datatype *newtype, const char *call)
{
    struct cs_emu_type *of = cs_emu_type_of(oldtype), *t;
    int class = check_subarray(a);

    if (class == MPI_SUCCESS)
        class = !newtype ? MPI_ERR_ARG : !of ? MPI_ERR_TYPE : MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        return bad(class, call);
    t = start(of);
    for (int i = 0; i < a->ndims; i++) {
        int d = a->order == MPI_ORDER_FORTRAN ? i : a->ndims - 1 - i;
        int64_t whole = cs_emu_number(&a->sizes, d), first = cs_emu_number(&a->starts, d);
        int64_t part = cs_emu_number(&a->subsizes, d);
        struct taken k = {first, part, whole, first + part};

        t = add_dimension(t, whole, &k);
    }
    return bad(finish_subarray(a, t, of, newtype), call);
}

/* Each call is there with int and with large counts. */
#define SUBARRAY(name, COUNT) \
    CS_EMU_CALL(int, name, \
                (int ndims, const COUNT sizes[], const COUNT subsizes[], const COUNT starts[], int order, \
                 MPI_Datatype oldtype, MPI_Datatype *newtype)) \
    { \
        struct subarray a = {ndims, CS_EMU_NUMBERS(sizes), CS_EMU_NUMBERS(subsizes), CS_EMU_NUMBERS(starts), order}; \
        return subarray(&a, oldtype, newtype, "MPI_" #name); \
    }

SUBARRAY(Type_create_subarray, int)
SUBARRAY(Type_create_subarray_c, MPI_Count)

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
    struct cs_emu_numbers gsizes;
    const int *distribs, *dargs, *psizes;
    int order;
};

static int check_darray(const struct darray *a)
{
    int64_t procs = 1;

    if (a->size < 1 || a->ndims <= 0 || !a->gsizes.at || !a->distribs || !a->dargs || !a->psizes)
        return MPI_ERR_ARG;
    if (a->rank < 0 || a->rank >= a->size)
        return MPI_ERR_RANK;
    if (a->order != MPI_ORDER_C && a->order != MPI_ORDER_FORTRAN)
        return MPI_ERR_ARG;
    for (int i = 0; i < a->ndims; i++) {
        if (cs_emu_number(&a->gsizes, i) < 1 || a->psizes[i] < 1 ||
            (a->distribs[i] == MPI_DISTRIBUTE_NONE && a->psizes[i] != 1))
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
        int64_t whole = cs_emu_number(&a->gsizes, d);
        int class = distribute(whole, a->distribs[d], a->dargs[d], a->psizes[d], coordinate(a, d), &k);

        if (class != MPI_SUCCESS) {
            cs_emu_type_drop(t);
            return class;
        }
        t = add_dimension(t, whole, &k);
    }
    *out = t;
    return MPI_SUCCESS;
}

/* As finish_subarray. */
static int finish_darray(const struct darray *a, struct cs_emu_type *t, struct cs_emu_type *of, MPI_Datatype *out)
{
    int n = 4 * a->ndims + 4, class = MPI_ERR_NO_MEM;
    int64_t *all = malloc((size_t)n * sizeof *all), *to = all;

    if (all) {
        *to++ = a->size;
        *to++ = a->rank;
        *to++ = a->ndims;
        to = add_numbers(to, &a->gsizes, a->ndims);
        to = add_numbers(to, &CS_EMU_NUMBERS(a->distribs), a->ndims);
        to = add_numbers(to, &CS_EMU_NUMBERS(a->dargs), a->ndims);
        to = add_numbers(to, &CS_EMU_NUMBERS(a->psizes), a->ndims);
        *to = a->order;
        class =
            cs_emu_type_finish_numbers(t, MPI_COMBINER_DARRAY, n, all, 3, a->gsizes.wide ? a->ndims : 0, 1, &of, out);
    } else {
        cs_emu_type_drop(t);
    }
    free(all);
    return class;
}

static int darray(const struct darray *a, MPI_Datatype oldtype, MPI_Datatype *newtype, const char *call)
{
    struct cs_emu_type *of = cs_emu_type_of(oldtype), *t = NULL;
    int class = check_darray(a);

    if (class == MPI_SUCCESS && (!of || !newtype))
        class = of ? MPI_ERR_ARG : MPI_ERR_TYPE;
    if (class == MPI_SUCCESS)
        class = make_darray(a, of, &t);
    return bad(class == MPI_SUCCESS ? finish_darray(a, t, of, newtype) : class, call);
}

#define DARRAY(name, COUNT) \
    CS_EMU_CALL(int, name, \
                (int size, int rank, int ndims, const COUNT gsizes[], const int distribs[], const int dargs[], \
                 const int psizes[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype)) \
    { \
        struct darray a = {size, rank, ndims, CS_EMU_NUMBERS(gsizes), distribs, dargs, psizes, order}; \
        return darray(&a, oldtype, newtype, "MPI_" #name); \
    }

DARRAY(Type_create_darray, int)
DARRAY(Type_create_darray_c, MPI_Count)
