/* SPDX-License-Identifier: BSD-3-Clause
 * How many basic elements there are in the first bytes of a packed datatype, as MPI_Get_elements counts them. */
#include "emulate/types/type.h"

#include <assert.h>
#include <stddef.h>

#include "emulate/types/type_internal.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* In up to n elements of a type of equal numbers, one after the other. */
static int64_t of_numbers(const struct cs_emu_type *t, int64_t n, int64_t *bytes)
{
    int64_t size = t->size / t->elements, count = least(*bytes / size, n * t->elements);

    *bytes -= count * size;
    return count;
}

/* In up to n pairs: the value first, then the int. */
static int64_t of_pairs(const struct cs_emu_type *t, int64_t n, int64_t *bytes)
{
    int64_t whole = least(*bytes / t->size, n), value = t->size - (int64_t)sizeof(int);

    *bytes -= whole * t->size;
    if (whole == n || *bytes < value)
        return whole * t->elements;
    *bytes -= value;
    return whole * t->elements + 1;
}

static int64_t elements(const struct cs_emu_type *t, int64_t n, int64_t *bytes);

/* In less than one element of a type that has parts. */
static int64_t of_parts(const struct cs_emu_type *t, int64_t *bytes)
{
    int64_t count = 0;

    for (int i = 0; i<t->nparts && * bytes> 0; i++) {
        int64_t before = *bytes, full = t->parts[i].n * t->parts[i].type->size;

        count += elements(t->parts[i].type, t->parts[i].n, bytes);
        if (before - *bytes < full)
            break;
    }
    return count;
}

/* Basic elements in the first *bytes bytes of up to n elements of t; takes them off *bytes. What is left and not 0 is a
 * part of an element. */
static int64_t elements(const struct cs_emu_type *t, int64_t n, int64_t *bytes)
{
    int64_t whole, in_one = 0, rest = t->size;

    assert(*bytes >= 0);
    if (t->size == 0)
        return 0;
    if (t->nparts == 0)
        return t->size % t->elements == 0 && t->extent == t->size ? of_numbers(t, n, bytes) : of_pairs(t, n, bytes);
    whole = least(*bytes / t->size, n);
    for (int i = 0; i < t->nparts && whole > 0; i++)
        in_one += elements(t->parts[i].type, t->parts[i].n, &rest);
    *bytes -= whole * t->size;
    return whole * in_one + (whole < n ? of_parts(t, bytes) : 0);
}

int64_t cs_emu_type_elements(MPI_Datatype t, int64_t bytes)
{
    const struct cs_emu_type *type = cs_emu_type_of(t);

    assert(type && bytes >= 0);
    return type->size ? elements(type, bytes / type->size + 1, &bytes) : 0;
}

/* All parts of one basic type, or NULL. */
static const struct cs_emu_type *basic_in(const struct cs_emu_type *t)
{
    const struct cs_emu_type *found = NULL;

    if (t->nparts == 0)
        return t->predefined ? t : NULL;
    for (int i = 0; i < t->nparts; i++) {
        const struct cs_emu_type *b = basic_in(t->parts[i].type);
        if (!b || (found && b != found))
            return NULL;
        found = b;
    }
    return found;
}

MPI_Datatype cs_emu_type_basic(MPI_Datatype t)
{
    const struct cs_emu_type *type = cs_emu_type_of(t), *b = type ? basic_in(type) : NULL;

    return b ? b->handle : MPI_DATATYPE_NULL;
}
