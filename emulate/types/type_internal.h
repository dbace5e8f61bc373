/* SPDX-License-Identifier: BSD-3-Clause
 * Datatype objects as the files of the datatype part share them: predefined ones (basic_types.c), their making
 * (type_make.c), and what the calls look up. The rest of the library sees type.h only. */
#ifndef CS_TYPE_INTERNAL_H
#define CS_TYPE_INTERNAL_H

#include "emulate/types/layout.h"
#include "emulate/types/type.h"

struct cs_emu_attr;

/* n elements of another type, as MPI_Get_elements counts them. */
struct cs_emu_type_part {
    int64_t n;
    struct cs_emu_type *type;
};

/* A datatype. What it was made with (`ints`, `aints`, `large`, `types` with nints, naints, nlarge, ntypes entries) is
 * kept beside what follows from it: bounds in bytes, where its data lies, and of what parts it is for MPI_Get_elements.
 */
struct cs_emu_type {
    MPI_Datatype handle;
    int refs;
    bool predefined, committed;
    int combiner, nints, naints, ntypes;
    int *ints; /* what it was made with: MPI_Type_get_contents */
    MPI_Aint *aints;
    int nlarge;
    MPI_Count *large; /* of a constructor with large counts; otherwise NULL */
    struct cs_emu_type **types;
    int64_t size, lb, extent, true_lb, true_extent;
    int64_t align; /* of the strictest basic type in it */
    struct cs_emu_layout_at data;
    int nparts; /* 0: a basic type, of `elements` elements */
    struct cs_emu_type_part *parts;
    int elements;
    char *name; /* NULL: unnamed, or a predefined type's own */
    struct cs_emu_attr *attrs;
};

/* A block of a type in a new one: `count` elements of it from displacement `at` on. */
struct cs_emu_block {
    int64_t at, count;
    struct cs_emu_type *type;
};

/* NULL if the handle is no datatype. */
struct cs_emu_type *cs_emu_type_of(MPI_Datatype handle);
/* The predefined type of this handle, or NULL (basic_types.c). */
struct cs_emu_type *cs_emu_basic_of(MPI_Datatype handle);
const char *cs_emu_basic_name(MPI_Datatype handle);

/* Stores what it was made with, except large counts, in arrays of these lengths. Returns an error class (type_query.c).
 */
int cs_emu_type_contents(const struct cs_emu_type *t, MPI_Count max_ints, MPI_Count max_aints, MPI_Count max_types,
                         int ints[], MPI_Aint aints[], MPI_Datatype types[]);

/* A new type of n blocks, without handle and contents; NULL when memory is out. */
struct cs_emu_type *cs_emu_type_blocks(int64_t n, const struct cs_emu_block blocks[]);
/* The same for n blocks of equal length at even distances. */
struct cs_emu_type *cs_emu_type_strided(int64_t n, int64_t count, int64_t stride, struct cs_emu_type *of);
struct cs_emu_type *cs_emu_type_resized(struct cs_emu_type *of, int64_t lb, int64_t extent);
void cs_emu_type_drop(struct cs_emu_type *t);

/* Gives it its contents (copied) and a handle. Takes t, which may be NULL for "memory is out". Returns an error class.
 */
int cs_emu_type_finish(struct cs_emu_type *t, int combiner, int ni, const int *ints, int na, const MPI_Aint *aints,
                       int nt, struct cs_emu_type *const *types, MPI_Datatype *out);
/* The same with numbers of 64 bits: nlarge of them, from all[first] on, stay so, as those of a constructor with large
 * counts; all others become ints (type_large.c). */
int cs_emu_type_finish_numbers(struct cs_emu_type *t, int combiner, int n, const int64_t *all, int first, int nlarge,
                               int nt, struct cs_emu_type *const *types, MPI_Datatype *out);

#endif
