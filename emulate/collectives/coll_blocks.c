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

static char *buffer_at(const struct cs_emu_blocks *b, int i)
{
    if (b->types)
        return (char *)b->buf + b->displs[i];
    int64_t extent = cs_emu_type_extent(b->type);
    return (char *)b->buf + (b->displs ? b->displs[i] * extent : (int64_t)i * b->count * extent);
}

struct cs_emu_deposit *cs_emu_blocks_pack_one(const struct cs_emu_blocks *b, int i)
{
    struct cs_emu_deposit *p = cs_emu_deposit_new((uint64_t)cs_emu_block_bytes(b, i), 0);
    if (p->bytes)
        cs_emu_pack(p->data, buffer_at(b, i), cs_emu_block_count(b, i), cs_emu_block_type(b, i));
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
            cs_emu_pack(data + at[i], buffer_at(b, i), cs_emu_block_count(b, i), cs_emu_block_type(b, i));
        at[i + 1] = at[i] + (uint64_t)bytes;
    }
    return p;
}

int cs_emu_blocks_unpack(const struct cs_emu_blocks *b, int i, const char *data, uint64_t bytes)
{
    int64_t room = cs_emu_block_bytes(b, i), n = (int64_t)bytes < room ? (int64_t)bytes : room;
    if (n)
        cs_emu_unpack(buffer_at(b, i), cs_emu_block_count(b, i), cs_emu_block_type(b, i), data, n);
    return (int64_t)bytes > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

int cs_emu_blocks_own(struct cs_emu_blocks *b, size_t n, int **arrays)
{
    const int *from[] = {b->counts, b->displs, b->types}, **to[] = {&b->counts, &b->displs, &b->types};
    *arrays = malloc((3 * n + 1) * sizeof **arrays);
    if (!*arrays)
        return MPI_ERR_NO_MEM;
    for (size_t i = 0; i < 3; i++)
        if (from[i])
            *to[i] = memcpy(*arrays + i * n, from[i], n * sizeof **arrays);
    return MPI_SUCCESS;
}
