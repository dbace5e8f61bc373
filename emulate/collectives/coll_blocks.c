/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks of the user's buffers: packed into what is deposited, and unpacked from it. */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/collectives/coll_internal.h"
#include "emulate/types/type.h"

int64_t cs_emu_block_bytes(const struct cs_emu_blocks *b, int i)
{
    int64_t n = cs_emu_block_count(b, i);
    return n ? n * cs_emu_type_size(cs_emu_block_type(b, i)) : 0;
}

char *cs_emu_block_at(const struct cs_emu_blocks *b, int i)
{
    if (b->types)
        return (char *)b->buf + cs_emu_number(&b->displs, i);
    int64_t extent = cs_emu_type_extent(b->type);
    return (char *)b->buf + (b->displs.at ? cs_emu_number(&b->displs, i) : i * b->count) * extent;
}

struct cs_emu_deposit *cs_emu_blocks_pack_one(const struct cs_emu_blocks *b, int i)
{
    struct cs_emu_deposit *p = cs_emu_deposit_new((uint64_t)cs_emu_block_bytes(b, i), 0);
    if (p->bytes)
        cs_emu_pack(p->data, cs_emu_block_at(b, i), cs_emu_block_count(b, i), cs_emu_block_type(b, i));
    return p;
}

struct cs_emu_deposit *cs_emu_blocks_pack_pieces(const struct cs_emu_blocks *b, int n)
{
    assert(n > 0);
    uint64_t total = 0;
    for (int i = 0; i < n; i++)
        total += (uint64_t)cs_emu_block_bytes(b, i);
    struct cs_emu_deposit *p = cs_emu_deposit_new(total, (uint64_t)n);
    uint64_t *at = (uint64_t *)p->data;
    char *data = p->data + ((uint64_t)n + 1) * sizeof *at;
    at[0] = 0;
    for (int i = 0; i < n; i++) {
        int64_t bytes = cs_emu_block_bytes(b, i);
        if (bytes)
            cs_emu_pack(data + at[i], cs_emu_block_at(b, i), cs_emu_block_count(b, i), cs_emu_block_type(b, i));
        at[i + 1] = at[i] + (uint64_t)bytes;
    }
    return p;
}

int cs_emu_blocks_unpack(const struct cs_emu_blocks *b, int i, const char *data, uint64_t bytes)
{
    int64_t room = cs_emu_block_bytes(b, i), n = (int64_t)bytes < room ? (int64_t)bytes : room;
    if (n)
        cs_emu_unpack(cs_emu_block_at(b, i), cs_emu_block_count(b, i), cs_emu_block_type(b, i), data, n);
    return (int64_t)bytes > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

/* A copy of n numbers in place of them; returns where the next ones go. */
static char *own_numbers(struct cs_emu_numbers *numbers, size_t n, char *to)
{
    size_t bytes = numbers->at ? n * (numbers->wide ? sizeof(int64_t) : sizeof(int)) : 0;
    if (bytes)
        memcpy(to, numbers->at, bytes);
    if (numbers->at)
        numbers->at = to;
    return to + bytes;
}

int cs_emu_blocks_own(struct cs_emu_blocks *b, size_t n, void **arrays)
{
    /* numbers of 64 bits come first: the counts are no narrower than the types, nor wider than the displacements */
    assert(!b->counts.at || !b->displs.at || b->displs.wide || !b->counts.wide);
    char *to = malloc(n * (2 * sizeof(int64_t) + sizeof *b->types) + 1);
    if (!to)
        return MPI_ERR_NO_MEM;
    *arrays = to;
    to = own_numbers(&b->counts, n, own_numbers(&b->displs, n, to));
    if (b->types)
        b->types = memcpy(to, b->types, n * sizeof *b->types);
    return MPI_SUCCESS;
}
