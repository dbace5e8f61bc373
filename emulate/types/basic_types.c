/* SPDX-License-Identifier: BSD-3-Clause
 * Predefined datatypes. Their handles hold size and number (0x4c00SSNN); the pair types that are structures in C have
 * MPICH's 0x8c000000 to 0x8c000004. An object is made when one is first looked at. */
#include <stdlib.h>

#include "emulate/types/type_internal.h"

/* A predefined type as the table below lists it; its size is in the handle. */
struct basic {
    MPI_Datatype handle;
    const char *name;
    int elements; /* for MPI_Get_elements */
    int align;
};

// clang-format off
#define ONE(type, align) {type, #type, 1, align}
#define TWO(type, align) {type, #type, 2, align}
// clang-format on

static const struct basic basics[] = {
    ONE(MPI_CHAR, 1),
    ONE(MPI_SIGNED_CHAR, 1),
    ONE(MPI_UNSIGNED_CHAR, 1),
    ONE(MPI_BYTE, 1),
    ONE(MPI_WCHAR, 4),
    ONE(MPI_SHORT, 2),
    ONE(MPI_UNSIGNED_SHORT, 2),
    ONE(MPI_INT, 4),
    ONE(MPI_UNSIGNED, 4),
    ONE(MPI_LONG, 8),
    ONE(MPI_UNSIGNED_LONG, 8),
    ONE(MPI_FLOAT, 4),
    ONE(MPI_DOUBLE, 8),
    ONE(MPI_LONG_DOUBLE, 16),
    {MPI_LONG_LONG_INT, "MPI_LONG_LONG_INT", 1, 8},
    ONE(MPI_UNSIGNED_LONG_LONG, 8),
    ONE(MPI_PACKED, 1),
    ONE(MPI_LB, 1),
    ONE(MPI_UB, 1),
    TWO(MPI_2INT, 4),
    ONE(MPI_COMPLEX, 4),
    ONE(MPI_DOUBLE_COMPLEX, 8),
    ONE(MPI_LOGICAL, 4),
    ONE(MPI_REAL, 4),
    ONE(MPI_DOUBLE_PRECISION, 8),
    ONE(MPI_INTEGER, 4),
    TWO(MPI_2INTEGER, 4),
    TWO(MPI_2REAL, 4),
    TWO(MPI_2DOUBLE_PRECISION, 8),
    ONE(MPI_CHARACTER, 1),
    ONE(MPI_REAL4, 4),
    ONE(MPI_REAL8, 8),
    ONE(MPI_REAL16, 16),
    ONE(MPI_COMPLEX8, 4),
    ONE(MPI_COMPLEX16, 8),
    ONE(MPI_COMPLEX32, 16),
    ONE(MPI_INTEGER1, 1),
    ONE(MPI_INTEGER2, 2),
    ONE(MPI_INTEGER4, 4),
    ONE(MPI_INTEGER8, 8),
    ONE(MPI_INT8_T, 1),
    ONE(MPI_INT16_T, 2),
    ONE(MPI_INT32_T, 4),
    ONE(MPI_INT64_T, 8),
    ONE(MPI_UINT8_T, 1),
    ONE(MPI_UINT16_T, 2),
    ONE(MPI_UINT32_T, 4),
    ONE(MPI_UINT64_T, 8),
    ONE(MPI_C_BOOL, 1),
    {MPI_C_FLOAT_COMPLEX, "MPI_C_COMPLEX", 1, 4},
    ONE(MPI_C_DOUBLE_COMPLEX, 8),
    ONE(MPI_C_LONG_DOUBLE_COMPLEX, 16),
    {MPIX_C_FLOAT16, "", 1, 2},
    ONE(MPI_AINT, 8),
    ONE(MPI_OFFSET, 8),
    ONE(MPI_COUNT, 8),
    ONE(MPI_CXX_BOOL, 1),
    ONE(MPI_CXX_FLOAT_COMPLEX, 4),
    ONE(MPI_CXX_DOUBLE_COMPLEX, 8),
    ONE(MPI_CXX_LONG_DOUBLE_COMPLEX, 16),
};
#define NBASICS (sizeof basics / sizeof *basics)
#define NUMBERS 0x80

/* The structures {value; int}: where the int is, and how long the value is. */
struct pair {
    const char *name;
    int value, second, extent, align;
};

static const struct pair pairs[] = {
    {"MPI_FLOAT_INT", 4, 4, 8, 4}, {"MPI_DOUBLE_INT", 8, 8, 16, 8},         {"MPI_LONG_INT", 8, 8, 16, 8},
    {"MPI_SHORT_INT", 2, 4, 8, 4}, {"MPI_LONG_DOUBLE_INT", 16, 16, 32, 16},
};
#define NPAIRS (sizeof pairs / sizeof *pairs)

static struct cs_emu_type *basic_objects[NUMBERS], *pair_objects[NPAIRS];

static const struct basic *basic_of(MPI_Datatype handle)
{
    for (size_t i = 0; i < NBASICS; i++)
        if (basics[i].handle == handle)
            return &basics[i];
    return NULL;
}

static int pair_of(MPI_Datatype handle)
{
    uint32_t n = (uint32_t)handle - (uint32_t)MPI_FLOAT_INT;

    return n < NPAIRS ? (int)n : -1;
}

const char *cs_emu_basic_name(MPI_Datatype handle)
{
    const struct basic *b = basic_of(handle);
    int pair = pair_of(handle);

    if (b)
        return b->name;
    return pair >= 0 ? pairs[pair].name : "";
}

static struct cs_emu_type *new_predefined(MPI_Datatype handle, int elements, int64_t align)
{
    struct cs_emu_type *t = calloc(1, sizeof *t);

    if (!t)
        return NULL;
    t->handle = handle;
    t->refs = 1;
    t->predefined = t->committed = true;
    t->combiner = MPI_COMBINER_NAMED;
    t->elements = elements;
    t->align = align;
    return t;
}

static struct cs_emu_type *make_basic(const struct basic *b)
{
    struct cs_emu_type *t = new_predefined(b->handle, b->elements, b->align);

    if (!t)
        return NULL;
    t->size = t->extent = t->true_extent = (b->handle >> 8) & 0xff;
    t->data = cs_emu_layout_run(t->size);
    return t;
}

static struct cs_emu_type *make_pair(MPI_Datatype handle, const struct pair *p)
{
    struct cs_emu_type *t = new_predefined(handle, 2, p->align);
    struct cs_emu_layout_at places[2] = {cs_emu_layout_run(p->value), cs_emu_layout_run(4)};

    if (t) {
        places[1].at = p->second;
        t->size = p->value + 4;
        t->extent = p->extent;
        t->true_extent = p->second + 4;
        t->data = cs_emu_layout_list(2, places);
    }
    cs_emu_layout_release(places[0].layout);
    cs_emu_layout_release(places[1].layout);
    return t;
}

struct cs_emu_type *cs_emu_basic_of(MPI_Datatype handle)
{
    int pair = pair_of(handle);
    const struct basic *b;

    if (pair >= 0) {
        if (!pair_objects[pair])
            pair_objects[pair] = make_pair(handle, &pairs[pair]);
        return pair_objects[pair];
    }
    if (((uint32_t)handle & 0xffff0000) != 0x4c000000 || (handle & 0xff) >= NUMBERS)
        return NULL;
    if (!basic_objects[handle & 0xff]) {
        b = basic_of(handle);
        basic_objects[handle & 0xff] = b ? make_basic(b) : NULL;
    }
    return basic_objects[handle & 0xff] && basic_objects[handle & 0xff]->handle == handle ? basic_objects[handle & 0xff]
                                                                                          : NULL;
}
