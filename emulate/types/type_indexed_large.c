/* SPDX-License-Identifier: BSD-3-Clause
 * Constructors of datatypes that have lists of large displacements: MPI_Type_indexed_c and its kin.
 * What they were made with is kept as MPI_Type_get_contents_c gives it. */
#include <limits.h>
#include <stdlib.h>

#include "emulate/errors/error.h"
#include "emulate/types/type_internal.h"
#include "emulate/world/entry.h"

/* The arguments: one length for each block or one for all, and displacements in elements or in bytes. */
struct indexed {
    int combiner;
    MPI_Count count;
    const MPI_Count *lengths; /* NULL: `length` for all */
    MPI_Count length;
    const MPI_Count *displs;
    bool in_bytes;
};

static MPI_Count length_of(const struct indexed *x, MPI_Count i)
{
    return x->lengths ? x->lengths[i] : x->length;
}

/* Returns an error class. */
static int check(const struct indexed *x, bool listed, const struct cs_emu_type *of, const void *out)
{
    if (x->count < 0 || x->count > INT_MAX / 4) /* there is no memory for so many blocks */
        return MPI_ERR_COUNT;
    if (!of)
        return MPI_ERR_TYPE;
    if (!out || (x->count > 0 && (!x->displs || (listed && !x->lengths))))
        return MPI_ERR_ARG;
    for (MPI_Count i = 0; i < x->count; i++)
        if (length_of(x, i) < 0)
            return MPI_ERR_COUNT;
    return x->length < 0 ? MPI_ERR_COUNT : MPI_SUCCESS;
}

/* Gives t its contents: the number of blocks, lengths, displacements. False when memory is out. */
static bool keep(struct cs_emu_type *t, const struct indexed *x)
{
    int n = 0;
    t->large = malloc((2 * (size_t)x->count + 2) * sizeof *t->large);
    if (!t->large)
        return false;
    t->large[n++] = x->count;
    for (MPI_Count i = 0; i < (x->lengths ? x->count : 1); i++)
        t->large[n++] = length_of(x, i);
    for (MPI_Count i = 0; i < x->count; i++)
        t->large[n++] = x->displs[i];
    t->nlarge = n;
    return true;
}

/* NULL when memory is out. */
static struct cs_emu_type *make(const struct indexed *x, struct cs_emu_type *of)
{
    struct cs_emu_block *blocks = malloc(((size_t)x->count + 1) * sizeof *blocks);
    struct cs_emu_type *t;
    for (MPI_Count i = 0; blocks && i < x->count; i++)
        blocks[i] = (struct cs_emu_block){x->displs[i] * (x->in_bytes ? 1 : of->extent), length_of(x, i), of};
    t = blocks ? cs_emu_type_blocks(x->count, blocks) : NULL;
    free(blocks);
    if (t && !keep(t, x)) {
        cs_emu_type_drop(t);
        return NULL;
    }
    return t;
}

static int indexed(const struct indexed *x, bool listed, MPI_Datatype oldtype, MPI_Datatype *newtype, const char *call)
{
    struct cs_emu_type *of = cs_emu_type_of(oldtype);
    int class = check(x, listed, of, newtype);
    if (class == MPI_SUCCESS)
        class = cs_emu_type_finish(make(x, of), x->combiner, 0, NULL, 0, NULL, 1, &of, newtype);
    return class == MPI_SUCCESS ? class : cs_emu_error(NULL, class, call);
}

CS_EMU_CALL(int, Type_indexed_c,
            (MPI_Count count, const MPI_Count lengths[], const MPI_Count displs[], MPI_Datatype oldtype,
             MPI_Datatype *newtype))
{
    struct indexed x = {MPI_COMBINER_INDEXED, count, lengths, 0, displs, false};
    return indexed(&x, true, oldtype, newtype, "MPI_Type_indexed_c");
}

CS_EMU_CALL(int, Type_create_hindexed_c,
            (MPI_Count count, const MPI_Count lengths[], const MPI_Count displs[], MPI_Datatype oldtype,
             MPI_Datatype *newtype))
{
    struct indexed x = {MPI_COMBINER_HINDEXED, count, lengths, 0, displs, true};
    return indexed(&x, true, oldtype, newtype, "MPI_Type_create_hindexed_c");
}

CS_EMU_CALL(int, Type_create_indexed_block_c,
            (MPI_Count count, MPI_Count length, const MPI_Count displs[], MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    struct indexed x = {MPI_COMBINER_INDEXED_BLOCK, count, NULL, length, displs, false};
    return indexed(&x, false, oldtype, newtype, "MPI_Type_create_indexed_block_c");
}

CS_EMU_CALL(int, Type_create_hindexed_block_c,
            (MPI_Count count, MPI_Count length, const MPI_Count displs[], MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    struct indexed x = {MPI_COMBINER_HINDEXED_BLOCK, count, NULL, length, displs, true};
    return indexed(&x, false, oldtype, newtype, "MPI_Type_create_hindexed_block_c");
}
