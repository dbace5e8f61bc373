/* SPDX-License-Identifier: BSD-3-Clause
 * Datatypes for the rest of the library: type.h.
 * What is known from the handle alone (predefined types but pairs) touches no memory. */
#include "emulate/types/type.h"

#include <string.h>

#include "emulate/types/type_internal.h"

int64_t cs_emu_type_size(MPI_Datatype t)
{
    struct cs_emu_type *d = cs_emu_type_of(t);

    return d ? d->size : -1;
}

int64_t cs_emu_type_extent(MPI_Datatype t)
{
    struct cs_emu_type *d = cs_emu_type_of(t);

    return d ? d->extent : -1;
}

static int64_t bytes_of(const struct cs_emu_type *d, int64_t count)
{
    int64_t bytes;

    return __builtin_mul_overflow(count, d->size, &bytes) ? INT64_MAX : bytes;
}

int64_t cs_emu_type_bytes(MPI_Datatype t, int64_t count)
{
    return bytes_of(cs_emu_type_of(t), count);
}

bool cs_emu_type_fits(MPI_Datatype t, int64_t count)
{
    const struct cs_emu_type *d = cs_emu_type_of(t);
    int64_t length;

    return bytes_of(d, count) < INT64_MAX && !__builtin_mul_overflow(count, d->extent, &length);
}

void cs_emu_type_true(MPI_Datatype t, int64_t *lb, int64_t *extent)
{
    struct cs_emu_type *d = cs_emu_type_of(t);

    *lb = d ? d->true_lb : 0;
    *extent = d ? d->true_extent : 0;
}

static bool dense(const struct cs_emu_type *d, int64_t count)
{
    return d->data.at == 0 && d->data.layout->kind == CS_EMU_RUN && (count <= 1 || d->size == d->extent);
}

bool cs_emu_type_dense(MPI_Datatype t, int64_t count)
{
    struct cs_emu_type *d = cs_emu_type_of(t);

    return d && dense(d, count);
}

bool cs_emu_type_committed(MPI_Datatype t)
{
    struct cs_emu_type *d = cs_emu_type_of(t);

    return d && d->committed;
}

void cs_emu_type_hold(MPI_Datatype t)
{
    struct cs_emu_type *d = cs_emu_type_of(t);

    if (d)
        d->refs++;
}

void cs_emu_type_release(MPI_Datatype t)
{
    cs_emu_type_drop(cs_emu_type_of(t));
}

void cs_emu_pack(void *to, const void *buf, int64_t count, MPI_Datatype t)
{
    struct cs_emu_type *d = cs_emu_type_of(t);
    const char *user = buf;
    char *packed = to;

    if (!d || d->size == 0)
        return;
    if (dense(d, count)) {
        memcpy(to, buf, (size_t)(count * d->size));
        return;
    }
    for (int64_t i = 0; i < count; i++)
        cs_emu_layout_pack(d->data.layout, packed + i * d->size, user + d->data.at + i * d->extent);
}

void cs_emu_unpack(void *buf, int64_t count, MPI_Datatype t, const void *from, int64_t bytes)
{
    struct cs_emu_type *d = cs_emu_type_of(t);
    const char *packed = from;
    char *user = buf;
    int64_t whole;

    if (!d || d->size == 0 || bytes <= 0)
        return;
    if (bytes > bytes_of(d, count))
        bytes = bytes_of(d, count);
    if (dense(d, count)) {
        memcpy(buf, from, (size_t)bytes);
        return;
    }
    whole = bytes / d->size;
    for (int64_t i = 0; i < whole; i++)
        cs_emu_layout_unpack(d->data.layout, packed + i * d->size, user + d->data.at + i * d->extent);
    cs_emu_layout_unpack_part(d->data.layout, packed + whole * d->size, user + d->data.at + whole * d->extent,
                              bytes - whole * d->size);
}
