/* SPDX-License-Identifier: BSD-3-Clause
 * The runs of bytes of which an element of a datatype is made, one after the other in packing order: for views of files
 * and memory of other ranks, which are not read and written by packing. */
#include "emulate/types/type_internal.h"

static void walk(const struct cs_emu_layout *l, int64_t at, void (*take)(void *arg, int64_t at, int64_t bytes),
                 void *arg)
{
    if (l->kind == CS_EMU_RUN) {
        if (l->size > 0)
            take(arg, at, l->size);
        return;
    }
    for (int64_t i = 0; i < l->count; i++)
        if (l->kind == CS_EMU_LIST)
            walk(l->entries[i].layout, at + l->entries[i].at, take, arg);
        else
            walk(l->child, at + i * l->stride, take, arg);
}

void cs_emu_type_runs(MPI_Datatype t, void (*take)(void *arg, int64_t at, int64_t bytes), void *arg)
{
    struct cs_emu_type *d = cs_emu_type_of(t);

    if (d && d->size > 0)
        walk(d->data.layout, d->data.at, take, arg);
}
