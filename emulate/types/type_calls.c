/* SPDX-License-Identifier: BSD-3-Clause
 * MPI's datatype constructors, except those of arrays (type_array.c) and of Fortran's kinds (type_f90.c). Each checks
 * its arguments and hands them to type_make.c, which keeps them for MPI_Type_get_contents. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/errors/error.h"
#include "emulate/objects/attr.h"
#include "emulate/types/numbers.h"
#include "emulate/types/type_internal.h"
#include "emulate/world/entry.h"

/* Checks what the constructors from one type have in common; returns an error class. */
static int check(int count, MPI_Datatype old, const void *out)
{
    if (count < 0)
        return MPI_ERR_COUNT;
    if (!cs_emu_type_of(old))
        return MPI_ERR_TYPE;
    return out ? MPI_SUCCESS : MPI_ERR_ARG;
}

/* The return code of a call, after its error handler if `class` is an error. */
static int done(int class, const char *call)
{
    return class == MPI_SUCCESS ? class : cs_emu_error(NULL, class, call);
}

CS_EMU_CALL(int, Type_contiguous, (int count, MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    int class = check(count, oldtype, newtype);

    if (class == MPI_SUCCESS) {
        struct cs_emu_type *of = cs_emu_type_of(oldtype);

        class = cs_emu_type_finish(cs_emu_type_strided(1, count, 0, of), MPI_COMBINER_CONTIGUOUS, 1, &count, 0, NULL, 1,
                                   &of, newtype);
    }
    return done(class, "MPI_Type_contiguous");
}

CS_EMU_CALL(int, Type_vector, (int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    int class = check(count, oldtype, newtype), ints[3] = {count, blocklength, stride};

    if (class == MPI_SUCCESS && blocklength < 0)
        class = MPI_ERR_COUNT;
    if (class == MPI_SUCCESS) {
        struct cs_emu_type *of = cs_emu_type_of(oldtype);

        class = cs_emu_type_finish(cs_emu_type_strided(count, blocklength, stride * of->extent, of),
                                   MPI_COMBINER_VECTOR, 3, ints, 0, NULL, 1, &of, newtype);
    }
    return done(class, "MPI_Type_vector");
}

static int hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype,
                   const char *call)
{
    int class = check(count, oldtype, newtype), ints[2] = {count, blocklength};

    if (class == MPI_SUCCESS && blocklength < 0)
        class = MPI_ERR_COUNT;
    if (class == MPI_SUCCESS) {
        struct cs_emu_type *of = cs_emu_type_of(oldtype);

        class = cs_emu_type_finish(cs_emu_type_strided(count, blocklength, stride, of), MPI_COMBINER_HVECTOR, 2, ints,
                                   1, &stride, 1, &of, newtype);
    }
    return done(class, call);
}

CS_EMU_CALL(int, Type_create_hvector,
            (int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    return hvector(count, blocklength, stride, oldtype, newtype, "MPI_Type_create_hvector");
}

CS_EMU_CALL(int, Type_hvector,
            (int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    return hvector(count, blocklength, stride, oldtype, newtype, "MPI_Type_hvector");
}

/* The arguments of an indexed constructor: one length for each block or one for all, and displacements in elements
 * or in bytes. */
struct indexed {
    int count;
    const int *lengths; /* or, with one_for_all, `length` */
    int length;
    bool one_for_all;
    const int *displs;     /* in elements, or NULL and */
    const MPI_Aint *bytes; /* in bytes */
    MPI_Datatype old;
    int combiner;
};

static int check_indexed(const struct indexed *x, const void *out)
{
    int class = check(x->count, x->old, out);

    if (class == MPI_SUCCESS && x->count > 0 && ((!x->displs && !x->bytes) || (!x->lengths && !x->one_for_all)))
        class = MPI_ERR_ARG;
    if (class == MPI_SUCCESS && x->length < 0)
        class = MPI_ERR_COUNT;
    for (int i = 0; class == MPI_SUCCESS && x->lengths && i < x->count; i++)
        if (x->lengths[i] < 0)
            class = MPI_ERR_COUNT;
    return class;
}

/* Writes what MPI_Type_get_contents gives as integers: count, lengths, displacements in elements. Returns how many. */
static int indexed_ints(const struct indexed *x, int *ints)
{
    int n = 0;

    ints[n++] = x->count;
    if (!x->lengths)
        ints[n++] = x->length;
    for (int i = 0; x->lengths && i < x->count; i++)
        ints[n++] = x->lengths[i];
    for (int i = 0; x->displs && i < x->count; i++)
        ints[n++] = x->displs[i];
    return n;
}

static int indexed(const struct indexed *x, MPI_Datatype *newtype, const char *call)
{
    int class = check_indexed(x, newtype), *ints = NULL, n;
    struct cs_emu_type *of = cs_emu_type_of(x->old);
    struct cs_emu_block *blocks = NULL;

    if (class != MPI_SUCCESS)
        return done(class, call);
    blocks = malloc(((size_t)x->count + 1) * sizeof *blocks);
    ints = malloc((2 * (size_t)x->count + 2) * sizeof *ints);
    class = MPI_ERR_NO_MEM;
    if (blocks && ints) {
        for (int i = 0; i < x->count; i++)
            blocks[i] = (struct cs_emu_block){x->displs ? x->displs[i] * of->extent : x->bytes[i],
                                              x->lengths ? x->lengths[i] : x->length, of};
        n = indexed_ints(x, ints);
        class = cs_emu_type_finish(cs_emu_type_blocks(x->count, blocks), x->combiner, n, ints, x->displs ? 0 : x->count,
                                   x->bytes, 1, &of, newtype);
    }
    free(blocks);
    free(ints);
    return done(class, call);
}

CS_EMU_CALL(int, Type_indexed,
            (int count, const int lengths[], const int displs[], MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    struct indexed x = {count, lengths, 0, false, displs, NULL, oldtype, MPI_COMBINER_INDEXED};

    return indexed(&x, newtype, "MPI_Type_indexed");
}

CS_EMU_CALL(int, Type_create_hindexed,
            (int count, const int lengths[], const MPI_Aint displs[], MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    struct indexed x = {count, lengths, 0, false, NULL, displs, oldtype, MPI_COMBINER_HINDEXED};

    return indexed(&x, newtype, "MPI_Type_create_hindexed");
}

CS_EMU_CALL(int, Type_hindexed,
            (int count, int lengths[], MPI_Aint displs[], MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    struct indexed x = {count, lengths, 0, false, NULL, displs, oldtype, MPI_COMBINER_HINDEXED};

    return indexed(&x, newtype, "MPI_Type_hindexed");
}

CS_EMU_CALL(int, Type_create_indexed_block,
            (int count, int length, const int displs[], MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    struct indexed x = {count, NULL, length, true, displs, NULL, oldtype, MPI_COMBINER_INDEXED_BLOCK};

    return indexed(&x, newtype, "MPI_Type_create_indexed_block");
}

CS_EMU_CALL(int, Type_create_hindexed_block,
            (int count, int length, const MPI_Aint displs[], MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    struct indexed x = {count, NULL, length, true, NULL, displs, oldtype, MPI_COMBINER_HINDEXED_BLOCK};

    return indexed(&x, newtype, "MPI_Type_create_hindexed_block");
}

/* The arguments of MPI_Type_create_struct. */
struct structure {
    MPI_Count count;
    struct cs_emu_numbers lengths;
    const MPI_Aint *displs;
    const MPI_Datatype *types;
};

static int check_struct(const struct structure *s, const void *out)
{
    if (s->count < 0 || s->count > INT_MAX / 4) /* there is no memory for so many types */
        return MPI_ERR_COUNT;
    if (!out || (s->count > 0 && (!s->lengths.at || !s->types || !s->displs)))
        return MPI_ERR_ARG;
    for (int i = 0; i < s->count; i++) {
        if (cs_emu_number(&s->lengths, i) < 0)
            return MPI_ERR_COUNT;
        if (!cs_emu_type_of(s->types[i]))
            return MPI_ERR_TYPE;
    }
    return MPI_SUCCESS;
}

/* The type itself, or the predefined type that it is a duplicate of. */
static const struct cs_emu_type *original(const struct cs_emu_type *t)
{
    return t->combiner == MPI_COMBINER_DUP && t->types[0]->combiner == MPI_COMBINER_NAMED ? t->types[0] : t;
}

static bool all_the_same(int count, const struct cs_emu_block *blocks)
{
    for (int i = 1; i < count; i++)
        if (original(blocks[i].type) != original(blocks[0].type))
            return false;
    return true;
}

/* Sets the bounds of a structure as MPICH does. The extent is rounded up to the alignment, so that structures fit in an
 * array, unless all blocks are of one type. MPI_LB and MPI_UB, which MPI 3 has removed, still set the bounds. */
static void pad(struct cs_emu_type *t, int count, const struct cs_emu_block *blocks)
{
    int64_t ub, over = all_the_same(count, blocks) ? 0 : t->extent % t->align;

    if (over > 0)
        t->extent += t->align - over;
    ub = t->lb + t->extent;
    for (int i = 0; i < count; i++) {
        if (blocks[i].type->handle == MPI_LB)
            t->lb = blocks[i].at;
        if (blocks[i].type->handle == MPI_UB)
            ub = blocks[i].at;
    }
    t->extent = ub - t->lb;
}

/* The type of a structure, without blocks of MPI_LB and MPI_UB, which only set bounds. NULL when memory is out. */
static struct cs_emu_type *make_struct(int count, const struct cs_emu_block *blocks)
{
    struct cs_emu_block *real = malloc(((size_t)count + 1) * sizeof *real);
    struct cs_emu_type *t;
    int n = 0;

    for (int i = 0; real && i < count; i++)
        if (blocks[i].type->handle != MPI_LB && blocks[i].type->handle != MPI_UB)
            real[n++] = blocks[i];
    t = real ? cs_emu_type_blocks(n, real) : NULL;
    free(real);
    if (t)
        pad(t, count, blocks);
    return t;
}

/* Gives the type its handle and its contents: count and lengths, and displacements, which are addresses unless all of
 * them are large counts. `of`: the types of its blocks. */
static int finish_struct(const struct structure *s, struct cs_emu_type *t, struct cs_emu_type **of, MPI_Datatype *out)
{
    int count = (int)s->count, n = 2 * count + 1, class = MPI_ERR_NO_MEM, *ints = malloc((size_t)n * sizeof *ints);
    int64_t *all = malloc((size_t)n * sizeof *all);

    for (int i = 0; ints && all && i < n; i++) {
        all[i] = i == 0 ? count : i <= count ? cs_emu_number(&s->lengths, i - 1) : s->displs[i - count - 1];
        ints[i] = i <= count ? (int)all[i] : 0;
    }
    if (!ints || !all)
        cs_emu_type_drop(t);
    else if (s->lengths.wide)
        class = cs_emu_type_finish_numbers(t, MPI_COMBINER_STRUCT, n, all, 0, n, count, of, out);
    else
        class = cs_emu_type_finish(t, MPI_COMBINER_STRUCT, count + 1, ints, count, s->displs, count, of, out);
    free(ints);
    free(all);
    return class;
}

static int structure(const struct structure *s, MPI_Datatype *newtype, const char *call)
{
    int class = check_struct(s, newtype);
    struct cs_emu_block *blocks;
    struct cs_emu_type **of;

    if (class != MPI_SUCCESS)
        return done(class, call);
    blocks = malloc(((size_t)s->count + 1) * sizeof *blocks);
    of = malloc(((size_t)s->count + 1) * sizeof *of);
    class = MPI_ERR_NO_MEM;
    if (blocks && of) {
        for (int i = 0; i < s->count; i++) {
            of[i] = cs_emu_type_of(s->types[i]);
            blocks[i] = (struct cs_emu_block){s->displs[i], cs_emu_number(&s->lengths, i), of[i]};
        }
        class = finish_struct(s, make_struct((int)s->count, blocks), of, newtype);
    }
    free(blocks);
    free(of);
    return done(class, call);
}

/* Large counts may be another type of the same size. */
_Static_assert(sizeof(MPI_Count) == sizeof(MPI_Aint), "displacements of two sizes");

#define STRUCT(name, COUNT, DISPL) \
    CS_EMU_CALL( \
        int, name, \
        (COUNT count, const COUNT lengths[], const DISPL displs[], const MPI_Datatype types[], MPI_Datatype *newtype)) \
    { \
        struct structure s = {count, CS_EMU_NUMBERS(lengths), (const MPI_Aint *)displs, types}; \
        return structure(&s, newtype, "MPI_" #name); \
    }

STRUCT(Type_create_struct, int, MPI_Aint)
STRUCT(Type_create_struct_c, MPI_Count, MPI_Count)

CS_EMU_CALL(int, Type_struct,
            (int count, int lengths[], MPI_Aint displs[], MPI_Datatype types[], MPI_Datatype *newtype))
{
    struct structure s = {count, CS_EMU_NUMBERS(lengths), displs, types};
    return structure(&s, newtype, "MPI_Type_struct");
}

CS_EMU_CALL(int, Type_create_resized, (MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype))
{
    int class = check(0, oldtype, newtype);
    MPI_Aint aints[2] = {lb, extent};

    if (class == MPI_SUCCESS) {
        struct cs_emu_type *of = cs_emu_type_of(oldtype);

        class = cs_emu_type_finish(cs_emu_type_resized(of, lb, extent), MPI_COMBINER_RESIZED, 0, NULL, 2, aints, 1, &of,
                                   newtype);
    }
    return done(class, "MPI_Type_create_resized");
}

CS_EMU_CALL(int, Type_create_resized_c, (MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent, MPI_Datatype *newtype))
{
    int class = check(0, oldtype, newtype);
    const int64_t all[2] = {lb, extent};

    if (class == MPI_SUCCESS) {
        struct cs_emu_type *of = cs_emu_type_of(oldtype);

        class = cs_emu_type_finish_numbers(cs_emu_type_resized(of, lb, extent), MPI_COMBINER_RESIZED, 2, all, 0, 2, 1,
                                           &of, newtype);
    }
    return done(class, "MPI_Type_create_resized_c");
}

CS_EMU_CALL(int, Type_dup, (MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    int class = check(0, oldtype, newtype);
    struct cs_emu_type *of = cs_emu_type_of(oldtype), *copy;

    if (class == MPI_SUCCESS)
        class = cs_emu_type_finish(cs_emu_type_resized(of, of->lb, of->extent), MPI_COMBINER_DUP, 0, NULL, 0, NULL, 1,
                                   &of, newtype);
    if (class == MPI_SUCCESS) {
        copy = cs_emu_type_of(*newtype);
        copy->committed = of->committed;
        class = cs_emu_attrs_copy(oldtype, of->attrs, &copy->attrs);
        if (class != MPI_SUCCESS) {
            cs_emu_type_drop(copy);
            *newtype = MPI_DATATYPE_NULL;
        }
    }
    return done(class, "MPI_Type_dup");
}

CS_EMU_CALL(int, Type_commit, (MPI_Datatype * datatype))
{
    struct cs_emu_type *t = datatype ? cs_emu_type_of(*datatype) : NULL;

    if (!t)
        return cs_emu_error(NULL, datatype ? MPI_ERR_TYPE : MPI_ERR_ARG, "MPI_Type_commit");
    t->committed = true;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Type_free, (MPI_Datatype * datatype))
{
    struct cs_emu_type *t = datatype ? cs_emu_type_of(*datatype) : NULL;
    int class;

    if (!t || t->predefined)
        return cs_emu_error(NULL, datatype ? MPI_ERR_TYPE : MPI_ERR_ARG, "MPI_Type_free");
    class = cs_emu_attrs_delete(*datatype, &t->attrs);
    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, "MPI_Type_free");
    cs_emu_type_drop(t);
    *datatype = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}
